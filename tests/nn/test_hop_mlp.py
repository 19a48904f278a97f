"""Nodes seen from three distances, ranked by one MLP."""

import math
from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from graphrank.augment.views import clean_view
from graphrank.nn import hop_mlp
from graphrank.nn.hop_mlp import (
    HopMLP,
    SomeNodes,
    at_random_distance,
    over_the_others,
    same_node,
    seen_from_distances,
)
from graphrank.nn.ranking import Ranking
from graphrank.nn.readout import diffusion
from tests.nn.reference import dense_adjacency, dense_normalized, make_graph

RANKING = Ranking(margin=1.0, neighbor_margin=0.5, neighbor_weight=0.5)


def small(mask=0.0, dropout=0.0, columns=4):
    return HopMLP(columns, 8, 6, 5, dropout, mask).double()


def prepared(nodes=10, columns=4, seed=0):
    edges, weight, x, graph = make_graph(nodes, seed=seed, weighted=True)
    basis = torch.linalg.qr(torch.randn(x.size(1), columns, dtype=torch.double)).Q
    return edges, weight, x, graph, basis


def test_seen_is_the_node_its_neighbours_and_far_around_at_one_length():
    edges, weight, x, graph, basis = prepared()
    view = clean_view(graph)
    seen = seen_from_distances(view, basis, 0.15)
    own = x.to_dense().double() @ basis
    matrix = dense_normalized(dense_adjacency(edges, 10, weight))
    for found, expected in zip(seen, (own, matrix @ own, diffusion(view, own, 0.15)), strict=True):
        torch.testing.assert_close(found, F.normalize(expected, dim=1) * math.sqrt(basis.size(1)))


@given(st.integers(2, 9), st.floats(0, 2), st.integers(0, 99))
def test_the_loss_over_the_others_is_a_loop_over_pairs(batch, margin, seed):
    draw = torch.Generator().manual_seed(seed)
    similarity = torch.rand(batch, batch, generator=draw, dtype=torch.double) * 2 - 1
    rows = torch.randperm(20, generator=draw)[:batch]
    columns = torch.randint(20, (batch,), generator=draw)
    total = 0.0
    for i in range(batch):
        for j in range(batch):
            if i != j and rows[i] != columns[j]:
                total += max(0.0, margin - float(similarity[i, i] - similarity[i, j]))
    found = Ranking(margin).loss([over_the_others(similarity, same_node(rows, columns))])
    assert float(found) == pytest.approx(total / batch**2)


def test_every_node_is_taken_from_one_of_its_distances():
    seen = torch.arange(3.0).view(3, 1, 1) * 100 + torch.arange(50.0).view(1, 50, 1)
    nodes = torch.randperm(50)
    found = at_random_distance(seen, nodes).squeeze(1)
    assert torch.equal(found % 100, nodes.float())
    assert set((found // 100).tolist()) == {0.0, 1.0, 2.0}


def test_all_are_embedded_however_many_rows_at_a_time(monkeypatch):
    mlp, seen = small().eval(), torch.randn(11, 4, dtype=torch.double)
    monkeypatch.setattr(hop_mlp, "_AT_A_TIME", 4)
    torch.testing.assert_close(mlp.of_all(seen), mlp(seen))


def test_the_loss_has_gradients_for_all_weights_and_none_beyond():
    _, _, _, graph, basis = prepared()
    mlp, seen = small(mask=0.3, dropout=0.2), seen_from_distances(clean_view(graph), basis, 0.15)
    loss = mlp.loss(seen, some(graph, torch.randperm(10)), RANKING)
    loss.backward()
    assert loss.item() > 0
    # Columns are z-scored after the projector: its last bias cannot matter.
    last = mlp.projector[-1].bias
    for name, weight in mlp.named_parameters():
        assert weight.grad is not None, name
        assert weight is last or weight.grad.abs().max() > 0, name
    assert last.grad.abs().max() < 1e-12


def test_a_chain_ranks_the_diagonals_and_the_last_level_over_the_others():
    """Itself over its neighbour, its neighbour over all others of the batch."""
    _, _, _, graph, basis = prepared()
    mlp, seen = small(), seen_from_distances(clean_view(graph), basis, 0.15)
    nodes = torch.randperm(10)[:6]
    torch.manual_seed(3)
    found = mlp.loss(seen, some(graph, nodes), replace(RANKING, chain=True))
    torch.manual_seed(3)
    with torch.no_grad():
        anchor, own = (mlp._ranked(at_random_distance(seen, nodes)) for _ in range(2))
        neighbor = graph.adjacency.random_neighbor(nodes)
        beside = mlp._ranked(at_random_distance(seen, neighbor))
    first = second = 0.0
    for i in range(6):
        if neighbor[i] != nodes[i]:
            first += max(0.0, 1.0 - float(anchor[i] @ own[i] - anchor[i] @ beside[i]))
        for j in range(6):
            if i != j and neighbor[j] != nodes[i]:
                second += max(0.0, 0.5 - float(anchor[i] @ beside[i] - anchor[i] @ beside[j]))
    assert found.item() == pytest.approx(first / 6 + 0.5 * second / 36)


@pytest.mark.parametrize("chain", [False, True])
def test_gradcheck(chain):
    _, _, _, graph, basis = prepared(nodes=6)
    mlp, seen = small(), seen_from_distances(clean_view(graph), basis, 0.15)
    batch, ranking = some(graph, torch.arange(6)), replace(RANKING, chain=chain)

    def loss(seen):
        torch.manual_seed(0)
        return mlp.loss(seen, batch, ranking)

    assert torch.autograd.gradcheck(loss, (seen.requires_grad_(),), atol=1e-4)


def test_what_ranks_right_by_more_than_the_margins_costs_nothing():
    similarity, nobody = torch.eye(4), torch.zeros(4, 4, dtype=torch.bool)
    assert Ranking(1.0).loss([over_the_others(similarity, nobody)]) == 0
    assert Ranking(1.5).loss([over_the_others(similarity, nobody)]) > 0
    assert Ranking(1.5).loss([over_the_others(similarity, ~nobody)]) == 0
    assert not nobody.any()


def test_a_smooth_ranking_of_spared_pairs_is_no_cost_and_no_nan():
    similarity = torch.zeros(3, 3, requires_grad=True)
    everybody = torch.ones(3, 3, dtype=torch.bool)
    loss = Ranking(1.0, softness=0.2).loss([over_the_others(similarity, everybody)])
    loss.backward()
    assert loss == 0 and torch.equal(similarity.grad, torch.zeros(3, 3))


def test_without_a_neighbour_level_edges_do_not_count():
    _, _, _, graph, basis = prepared()
    seen = seen_from_distances(clean_view(graph), basis, 0.15)
    mlp, nodes = small(), torch.arange(10)
    alone = Ranking(1.0)

    def loss(ranking, edges_of):
        torch.manual_seed(1)
        return mlp.loss(seen, some(edges_of, nodes), ranking).item()

    other = make_graph(10, seed=7)[3]
    assert loss(alone, graph) == loss(alone, other)
    assert loss(RANKING, graph) > loss(alone, graph)


def test_masks_are_drawn_anew_for_each_view_and_are_the_loss_s_alone():
    mlp, seen = small(mask=0.5), torch.randn(9, 4, dtype=torch.double)
    assert not torch.equal(mlp._ranked(seen), mlp._ranked(seen))
    torch.testing.assert_close(mlp(seen), mlp(seen))


def some(graph, nodes):
    return SomeNodes(graph.features, graph.adjacency, nodes)
