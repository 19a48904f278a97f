import weakref

import pytest
import torch

from graphrank.augment.views import clean_view
from graphrank.nn.readout import Part, diffusion, hops, propagated, side_by_side
from tests.nn.reference import dense_adjacency, dense_normalized, make_graph


def test_hops_are_powers_of_the_dense_matrix():
    edges, weight, _, graph = make_graph(8, seed=1, weighted=True)
    matrix = dense_normalized(dense_adjacency(edges, 8, weight))
    hidden = torch.randn(8, 3, dtype=torch.double)
    steps = hops(clean_view(graph), hidden, 3)
    for count, step in enumerate(steps):
        torch.testing.assert_close(step, torch.linalg.matrix_power(matrix, count) @ hidden)
    assert len(steps) == 4


def test_concatenation_scales_rows_then_weighs_parts():
    first, second = torch.tensor([[3.0, 4.0], [0.0, 0.0]]), torch.tensor([[0.0, 2.0], [5.0, 0.0]])
    out = side_by_side([Part(first, 0.5), Part(second, 2.0), Part(second, None)], 6)
    expected = [[0.3, 0.4, 0.0, 2.0, 0.0, 2.0], [0.0, 0.0, 2.0, 0.0, 5.0, 0.0]]
    torch.testing.assert_close(out, torch.tensor(expected))


@pytest.mark.parametrize("columns", [1, 3])
def test_parts_have_as_many_columns_as_is_said(columns):
    with pytest.raises(ValueError, match=f"do not have {columns} columns"):
        side_by_side([Part(torch.ones(1, 1), 1.0), Part(torch.ones(1, 1), 1.0)], columns)


def test_a_part_is_let_go_before_the_next_one_is_made():
    alive = []

    def parts():
        for _ in range(3):
            assert not any(made() is not None for made in alive)
            rows = torch.ones(2, 4)
            alive.append(weakref.ref(rows))
            yield Part(rows, 1.0)
            del rows

    assert side_by_side(parts(), 12).shape == (2, 12) and len(alive) == 3


def test_part_of_some_nodes():
    part = Part(torch.arange(6.0).view(3, 2), 0.5).of(torch.tensor([2, 0]))
    assert part.rows.tolist() == [[4, 5], [0, 1]] and (part.columns, part.weight) == (2, 0.5)


def test_diffusion_is_the_geometric_sum_of_hops():
    edges, weight, _, graph = make_graph(8, seed=1, weighted=True)
    matrix = dense_normalized(dense_adjacency(edges, 8, weight))
    hidden, teleport, count = torch.randn(8, 3, dtype=torch.double), 0.15, 4
    expected = (1 - teleport) ** count * torch.linalg.matrix_power(matrix, count) @ hidden
    for hop in range(count):
        share = teleport * (1 - teleport) ** hop
        expected = expected + share * torch.linalg.matrix_power(matrix, hop) @ hidden
    torch.testing.assert_close(diffusion(clean_view(graph), hidden, teleport, count), expected)


def test_propagated_is_the_last_hop():
    _, _, _, graph = make_graph(8, seed=1)
    view, hidden = clean_view(graph), torch.randn(8, 3, dtype=torch.double)
    assert torch.equal(propagated(view, hidden, 2), hops(view, hidden, 2)[-1])
    assert propagated(view, hidden, 0) is hidden


@pytest.mark.parametrize("directed", [False, True])
def test_diffusion_drops_edges_anew_at_each_step(directed):
    """With the unit matrix in and no way back, what comes out is the product of two draws."""
    edges, weight, _, graph = make_graph(8, seed=1, directed=directed)
    matrix = dense_normalized(dense_adjacency(edges, 8, weight))
    unit, view = torch.eye(8, dtype=torch.double), clean_view(graph)
    torch.manual_seed(3)
    first, second = (diffusion(view, unit, 0.0, 1, edge_dropout=0.5) for _ in range(2))
    for drawn in (first, second):
        torch.testing.assert_close(drawn[drawn != 0], 2 * matrix[drawn != 0])
        assert 0 < int((drawn != 0).sum()) < int((matrix != 0).sum())
    assert not torch.equal(first, second)
    torch.manual_seed(3)
    both = diffusion(view, unit, 0.0, 2, edge_dropout=0.5)
    torch.testing.assert_close(both, second @ first)


def test_gradcheck_of_diffusion_with_dropped_edges():
    """Dropped one by one, an undirected graph is no longer its own transpose."""
    _, _, _, graph = make_graph(6, seed=1)

    def spread(hidden):
        torch.manual_seed(0)
        return diffusion(clean_view(graph), hidden, 0.1, 3, edge_dropout=0.4)

    hidden = torch.randn(6, 2, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(spread, hidden)
