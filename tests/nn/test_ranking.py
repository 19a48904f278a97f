"""Rank levels: who counts as a counterpart, and what wrong ranks cost."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.losses import rank_loss
from graphrank.nn.ranking import Ranking
from tests.nn.reference import dense_adjacency, make_graph


def test_levels_are_those_with_a_weight_the_nearest_first():
    assert Ranking(1.0).levels == [(1.0, 1.0)]
    both = Ranking(1.0, 0.5, 0.3, 0.2, 0.1)
    assert both.levels == [(1.0, 1.0), (0.5, 0.3), (0.2, 0.1)]
    assert Ranking(1.0, two_hop_weight=0.1).levels == [(1.0, 1.0), (0.25, 0.1)]


def test_counterparts_are_the_node_a_neighbour_and_one_of_a_neighbour():
    edges, _, _, graph = make_graph(9, seed=2)
    near = dense_adjacency(edges, 9) + torch.eye(9, dtype=torch.double)
    nodes = torch.tensor([3, 1, 8])
    for _ in range(20):
        own, neighbor, further = Ranking(1.0, neighbor_weight=1.0, two_hop_weight=1.0).counterparts(
            graph.adjacency, nodes
        )
        assert torch.equal(own, nodes)
        assert bool((near[nodes, neighbor] > 0).all())
        assert bool(((near @ near)[nodes, further] > 0).all())


def test_of_neighbours_alone_nothing_else_is_ranked():
    _, _, _, graph = make_graph(9, seed=2)
    nodes = torch.tensor([3, 1, 8])
    alone = Ranking(0.8, 0.5, 0.3, 0.2, 0.1, softness=0.1, hardest=True).of_neighbors
    assert alone.levels == [(0.8, 1.0)] and alone.softness == 0.1 and alone.hardest
    torch.manual_seed(0)
    (found,) = alone.counterparts(graph.adjacency, nodes)
    torch.manual_seed(0)
    assert torch.equal(found, graph.adjacency.random_neighbor(nodes))


def test_the_loss_is_the_weighted_sum_of_its_levels():
    draw = torch.Generator().manual_seed(0)
    rows = [(torch.rand(5, generator=draw), torch.rand(5, 3, generator=draw)) for _ in range(2)]
    ranking = Ranking(1.0, neighbor_margin=0.4, neighbor_weight=0.3)
    expected = rank_loss(*rows[0], 1.0) + 0.3 * rank_loss(*rows[1], 0.4)
    torch.testing.assert_close(ranking.loss(rows), expected)
    with pytest.raises(ValueError, match="shorter"):
        ranking.loss(rows[:1])


@given(st.floats(0.001, 2), st.floats(0, 2), st.integers(0, 99))
def test_a_smooth_ranking_lies_above_the_hinge_by_at_most_its_bend(softness, margin, seed):
    draw = torch.Generator().manual_seed(seed)
    positive = torch.rand(6, generator=draw, dtype=torch.double)
    negative = torch.rand(6, 4, generator=draw, dtype=torch.double)
    hinge = float(rank_loss(positive, negative, margin))
    smooth = float(rank_loss(positive, negative, margin, softness=softness))
    assert -1e-12 <= smooth - hinge <= softness * 0.6932


@given(st.integers(1, 5), st.integers(0, 99))
def test_the_hardest_negative_costs_at_least_the_mean(k, seed):
    draw = torch.Generator().manual_seed(seed)
    positive, negative = torch.rand(6, generator=draw), torch.rand(6, k, generator=draw)
    hardest = rank_loss(positive, negative, 0.5, hardest=True)
    assert hardest >= rank_loss(positive, negative, 0.5) - 1e-6
    torch.testing.assert_close(
        hardest, rank_loss(positive, negative.max(dim=1, keepdim=True).values, 0.5)
    )


def test_a_share_of_the_margins_is_of_all_levels_and_of_nothing_else():
    full = Ranking(1.0, 0.5, 0.3, 0.2, 0.1, softness=0.7, hardest=True)
    half = full.with_margins(0.5)
    assert half.levels == [(0.5, 1.0), (0.25, 0.3), (0.1, 0.1)]
    assert (half.softness, half.hardest) == (0.7, True)
    assert full.with_margins(1.0) == full
