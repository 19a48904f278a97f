import torch

from graphrank.augment import Corruption, clean_view, corrupt
from graphrank.nn.shortcut import layer_shortcuts
from tests.nn.reference import make_graph


def test_inputs_are_mapped_where_widths_differ_and_features_always():
    shortcuts = layer_shortcuts([6, 6, 6, 4])
    shapes = [None if each.weight is None else tuple(each.weight.shape) for each in shortcuts]
    assert shapes == [(6, 6), None, (6, 4)]


def test_what_is_added_is_the_input_itself_or_its_map():
    _, _, x, graph = make_graph(9, seed=4)
    first, same, narrower = layer_shortcuts([6, 5, 5, 3]).double()
    hidden = torch.randn(9, 5, dtype=torch.double)
    view = clean_view(graph)
    torch.testing.assert_close(first(view, None), x @ first.weight)
    assert same(view, hidden) is hidden
    torch.testing.assert_close(narrower(view, hidden), hidden @ narrower.weight)


def test_what_a_view_masks_does_not_pass_by_the_layers():
    _, _, x, graph = make_graph(9, seed=4)
    torch.manual_seed(0)
    view = corrupt(graph, Corruption(feature_mask=0.5, node_mask=0.5))
    (shortcut,) = layer_shortcuts([6, 3]).double()
    masked = x * view.column_kept * view.node_kept.unsqueeze(1)
    assert bool((masked == 0).any())
    torch.testing.assert_close(shortcut(view, None), masked @ shortcut.weight)
