import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.structure import frame_of, neighbor_coordinates, neighbor_rows, turned


def random_graph(seed, nodes=30, chance=0.2, *, directed=False):
    """Edges of a random graph; weights that differ, so that no two singular values are equal."""
    random = torch.Generator().manual_seed(seed)
    weight = torch.rand(nodes, nodes, generator=random) + 0.5
    weight[torch.rand(nodes, nodes, generator=random) > chance] = 0.0
    weight = weight.triu(1)
    if not directed:
        weight = weight + weight.T
    edges = weight.nonzero().T
    return edges, weight[edges[0], edges[1]]


def adjacency_of(edges, weight=None, nodes=30):
    return Adjacency(edges, nodes, weight)


def plain_rows(edges, weight, nodes):
    """The matrix entry by entry."""
    into, out_of = [0.0] * nodes, [0.0] * nodes
    for (source, target), value in zip(edges.T.tolist(), weight.tolist(), strict=True):
        into[target] += value
        out_of[source] += value
    mean = sum(into) / nodes
    rows = torch.zeros(nodes, nodes)
    for (source, target), value in zip(edges.T.tolist(), weight.tolist(), strict=True):
        rows[target, source] = value / math.sqrt((into[target] + mean) * (out_of[source] + mean))
    return rows


@pytest.mark.parametrize("directed", [False, True])
def test_rows_are_those_of_the_matrix_with_raised_degrees(directed):
    edges, weight = random_graph(0, directed=directed)
    found = neighbor_rows(adjacency_of(edges, weight)).to_dense()
    torch.testing.assert_close(found, plain_rows(edges, weight, 30))


@given(st.integers(0, 100), st.booleans())
def test_all_directions_keep_all_products(seed, directed):
    edges, weight = random_graph(seed, nodes=12, directed=directed)
    rows = plain_rows(edges, weight, 12)
    found = neighbor_coordinates(adjacency_of(edges, weight, 12), 12)
    torch.testing.assert_close(found @ found.T, rows @ rows.T, rtol=1e-3, atol=1e-5)


def grouped_graph(groups, size, seed=0):
    """Groups of nodes that are mostly linked among themselves."""
    random = torch.Generator().manual_seed(seed)
    of = torch.arange(groups * size) // size
    chance = torch.where(of[:, None] == of, 0.5, 0.01)
    linked = (torch.rand(chance.shape, generator=random) < chance).triu(1)
    return (linked | linked.T).nonzero().T


@pytest.mark.parametrize("size", [3, 80])
def test_few_directions_are_the_leading_ones(size):
    edges, nodes = grouped_graph(5, size), 5 * size
    rows = plain_rows(edges, torch.ones(edges.size(1)), nodes).double()
    best = torch.linalg.svdvals(rows)[:5].norm()
    found = neighbor_coordinates(adjacency_of(edges, nodes=nodes), 5).double()
    assert found.shape == (nodes, 5)
    torch.testing.assert_close(found.norm(), best, rtol=1e-2, atol=0)
    torch.testing.assert_close((torch.linalg.qr(found).Q.T @ rows).norm(), best, rtol=1e-2, atol=0)


def test_small_components_do_not_fill_the_leading_directions():
    """Forty pairs beside two dense groups: unraised, each pair would have a singular value of 1."""
    groups = [(i, j) for first in (0, 20) for i in range(first, first + 20)
              for j in range(first, first + 20) if i != j]  # fmt: skip
    pairs = [pair for i in range(40, 120, 2) for pair in ((i, i + 1), (i + 1, i))]
    edges = torch.tensor(groups + pairs).T
    found = neighbor_coordinates(adjacency_of(edges, nodes=120), 2)
    assert found[:40].norm() > 100 * found[40:].norm()


@pytest.mark.parametrize("nodes", [1, 2, 5])
def test_without_edges_all_are_zero(nodes):
    none = torch.zeros(2, 0, dtype=torch.long)
    found = neighbor_coordinates(adjacency_of(none, nodes=nodes), 4)
    assert found.shape == (nodes, 4) and not found.any()


def test_own_frame_turns_nothing():
    coordinates = neighbor_coordinates(adjacency_of(*random_graph(3)), 6)
    for columns in (1, 3, 40):  # fewer features than directions as well
        features = torch.randn(30, columns, generator=torch.Generator().manual_seed(columns))
        frame = frame_of(coordinates, features)
        torch.testing.assert_close(turned(coordinates, features, frame), coordinates)


@given(st.integers(0, 50))
def test_another_order_of_the_nodes_gives_the_same_rows(seed):
    edges, weight = random_graph(seed)
    features = torch.randn(30, 20, generator=torch.Generator().manual_seed(seed))
    coordinates = neighbor_coordinates(adjacency_of(edges, weight), 16)
    frame = frame_of(coordinates, features)
    order = torch.randperm(30, generator=torch.Generator().manual_seed(seed + 1))
    moved_to = order.argsort()
    moved = neighbor_coordinates(adjacency_of(moved_to[edges], weight), 16)
    again = turned(moved, features[order], frame)
    torch.testing.assert_close(again, coordinates[order], rtol=1e-2, atol=1e-3)


@given(st.integers(0, 50))
def test_turns_back_what_was_turned(seed):
    random = torch.Generator().manual_seed(seed)
    coordinates, features = (
        torch.randn(40, 5, generator=random),
        torch.randn(40, 9, generator=random),
    )
    turn = torch.linalg.qr(torch.randn(5, 5, generator=random)).Q
    back = turned(coordinates @ turn, features, frame_of(coordinates, features))
    torch.testing.assert_close(back, coordinates, rtol=1e-2, atol=1e-2)


def test_a_turn_keeps_distances():
    random = torch.Generator().manual_seed(0)
    coordinates, features = (
        torch.randn(40, 5, generator=random),
        torch.randn(40, 9, generator=random),
    )
    other = torch.randn(9, 5, generator=random)
    found = turned(coordinates, features, other)
    torch.testing.assert_close(found @ found.T, coordinates @ coordinates.T, rtol=1e-4, atol=1e-4)
