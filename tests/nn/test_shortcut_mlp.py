import torch

from graphrank.nn.shortcut_mlp import ShortcutMLP


def test_equals_the_maps_written_out():
    torch.manual_seed(0)
    head = ShortcutMLP(3, 4, "prelu").double()
    rows = torch.randn(5, 3, dtype=torch.double)
    hidden = rows
    for place in (0, 2, 4):
        linear, slope = head.inner[place], head.inner[place + 1].weight
        hidden = hidden @ linear.weight.T + linear.bias
        hidden = torch.where(hidden > 0, hidden, slope * hidden)
    expected = hidden + rows @ head.shortcut.weight.T + head.shortcut.bias
    torch.testing.assert_close(head(rows), expected)
