import pytest
import torch

from graphrank.augment.views import clean_view
from graphrank.augment.windows import window_view
from graphrank.nn.encoders import GCNEncoder
from graphrank.nn.propagation import Propagation
from tests.nn.reference import make_graph


def make(form, directed=True):
    """A graph, its adjacency in one of two forms, and the same as a dense matrix."""
    _, _, x, graph = make_graph(nodes=11, features=5, directed=directed)
    sparse = Propagation.of_adjacency(graph)
    dense = sparse(torch.eye(11, dtype=torch.double))
    return graph, x, sparse if form == "sparse" else Propagation(dense), dense


def draw(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1), dtype=torch.double)


@pytest.mark.parametrize("form", ["sparse", "dense"])
def test_equals_windows_one_at_a_time(form):
    graph, x, matrix, dense = make(form)
    starts, orders = [4, 0, 3], torch.tensor([[0, 1, 2, 3, 4, 5], [3, 5, 0, 1, 4, 2]])
    view, weight = window_view(graph, matrix, starts, orders), draw(5, 3)
    projected = view.project(weight)
    propagated = view.propagate(projected)
    assert projected.shape == propagated.shape == (3 * 2 * 6, 3)
    for number, start in enumerate(starts):
        block = dense[start : start + 6, start : start + 6]
        for copy in range(2):
            rows = slice((2 * number + copy) * 6, (2 * number + copy + 1) * 6)
            features = torch.stack([x[start + place] for place in orders[copy].tolist()])
            torch.testing.assert_close(projected[rows], features @ weight)
            torch.testing.assert_close(propagated[rows], block @ features @ weight)


def test_one_window_of_all_nodes_is_the_clean_view():
    graph, _, matrix, _ = make("sparse", directed=False)
    encoder = GCNEncoder(5, 4, 4, 2, "prelu", last_act=True).double()
    view = window_view(graph, matrix, [0], torch.arange(11).unsqueeze(0))
    torch.testing.assert_close(encoder(view), encoder(clean_view(graph)))


@pytest.mark.parametrize("form", ["sparse", "dense"])
def test_gradients_of_overlapping_windows_add_up(form):
    graph, _, matrix, _ = make(form)
    view = window_view(graph, matrix, [0, 2, 2], torch.stack([torch.arange(8), torch.randperm(8)]))
    weight = draw(5, 2).requires_grad_()
    assert torch.autograd.gradcheck(lambda w: view.propagate(view.project(w)), (weight,))
