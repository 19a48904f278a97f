import torch

from graphrank.augment.views import clean_view
from graphrank.nn import column_blocks
from graphrank.nn.column_blocks import by_columns, columns_at_once
from graphrank.nn.readout import diffusion
from tests.nn.reference import make_graph


def test_small_graphs_are_not_parted_and_large_ones_to_a_bound():
    assert columns_at_once(34_493, 512) == 512
    assert columns_at_once(1_000_000, 512) == 33
    assert columns_at_once(1_000_000, 32) == 32
    assert columns_at_once(10**9, 512) == 16
    assert columns_at_once(0, 512) == 512


def test_by_columns_it_is_the_same_of_few_at_a_time(monkeypatch):
    _, _, _, graph = make_graph(8, seed=1)
    view, hidden, widths = clean_view(graph), torch.randn(8, 5, dtype=torch.double), []

    def spread(some):
        widths.append(some.size(1))
        return diffusion(view, some, 0.15)

    whole = by_columns(spread, hidden)
    monkeypatch.setattr(column_blocks, "columns_at_once", lambda nodes, columns: 2)
    torch.testing.assert_close(by_columns(spread, hidden), whole)
    assert widths == [5, 2, 2, 1]
