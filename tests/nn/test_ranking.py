"""Rank levels: who counts as a counterpart, and what wrong ranks cost."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.losses import rank_loss
from graphrank.nn.ranking import Ranking
from graphrank.nn.similarity import pair_similarity
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
    full = Ranking(1.0, 0.5, 0.3, 0.2, 0.1, softness=0.7, hardest=True, chain=True)
    half = full.with_margins(0.5)
    assert half.levels == [(0.5, 1.0), (0.25, 0.3), (0.1, 0.1)]
    assert (half.softness, half.hardest, half.chain) == (0.7, True, True)
    assert full.with_margins(1.0) == full


CHAINS = {
    "neighbours": Ranking(0.4, 0.3, 0.5, chain=True),
    "two hops": Ranking(0.4, 0.3, 0.5, 0.2, 0.25, chain=True),
    "two hops without neighbours": Ranking(0.4, two_hop_margin=0.2, two_hop_weight=0.3, chain=True),
    "hardest": Ranking(0.4, 0.3, 0.5, 0.2, 0.25, hardest=True, chain=True),
}
every_chain = pytest.mark.parametrize("ranking", CHAINS.values(), ids=CHAINS)


def draw_chain(ranking, nodes, k, seed):
    """Two views, a counterpart for each level and random nodes; a few counterparts repeat."""
    random = torch.Generator().manual_seed(seed)
    z_1, z_2 = torch.randn(2, nodes, 4, generator=random, dtype=torch.double)
    drawn = torch.randint(nodes, (len(ranking.levels) - 1, nodes), generator=random)
    negatives = torch.randint(nodes, (nodes, k), generator=random)
    return z_1, z_2, [torch.arange(nodes), *drawn], negatives


def chain_by_triples(ranking, z_1, z_2, counterparts, negatives):
    """One triple (node, nearer, farther) at a time."""
    total = 0.0
    last = len(counterparts) - 1
    for number, (margin, weight) in enumerate(ranking.levels):
        costs = []
        for v in range(len(z_1)):
            near = int(counterparts[number][v])
            if number < last:
                others = [int(counterparts[number + 1][v])]
                drawn_before = [int(level[v]) for level in counterparts[: number + 1]]
                if others[0] in drawn_before:
                    costs.append(0.0)
                    continue
            else:
                others = negatives[v].tolist()
            if ranking.hardest:
                others = [max(others, key=lambda u: float(z_1[v] @ z_2[u]))]
            for far in others:
                gain = float(z_1[v] @ z_2[near]) - float(z_1[v] @ z_2[far])
                costs.append(max(0.0, margin - gain))
        total += weight * sum(costs) / len(costs)
    return total


@every_chain
@given(nodes=st.integers(1, 9), k=st.integers(1, 4), seed=st.integers(0, 1000))
def test_a_chain_equals_loops_over_triples(ranking, nodes, k, seed):
    drawn = draw_chain(ranking, nodes, k, seed)
    expected = chain_by_triples(ranking, *drawn)
    assert float(ranking.loss_between(*drawn, "dot")) == pytest.approx(expected, abs=1e-12)


@every_chain
@pytest.mark.parametrize("kind", ["dot", "cosine"])
@pytest.mark.parametrize("softness", [0.0, 0.3])
def test_gradcheck_of_a_chain(ranking, kind, softness):
    z_1, z_2, counterparts, negatives = draw_chain(ranking, 7, 3, seed=5)
    assert any(bool((level == counterparts[0]).any()) for level in counterparts[1:])
    smooth = replace(ranking, softness=softness)

    def loss(a, b):
        return smooth.loss_between(a, b, counterparts, negatives, kind)

    assert loss(z_1, z_2) > 0
    assert torch.autograd.gradcheck(loss, (z_1.requires_grad_(), z_2.requires_grad_()))


def levels_at(*similarities, nodes=3, k=2):
    """Every node as near to its counterparts as said, the last figure for random nodes."""
    *near, far = similarities
    return [(torch.full((nodes,), value), torch.full((nodes, k), far)) for value in near]


def distinct(levels):
    """Counterparts none of which is drawn twice."""
    nodes = levels[0][0].numel()
    return [torch.arange(nodes) + number * nodes for number in range(len(levels))]


def test_a_chain_costs_nothing_where_every_level_leads_the_next_by_its_margin():
    ranking = Ranking(0.4, 0.3, 0.5, 0.2, 0.25, chain=True)
    kept = levels_at(0.95, 0.5, 0.15, -0.1)
    assert ranking.loss(kept, distinct(kept)) == 0
    for too_near, cost in (
        ((0.75, 0.5, 0.15, -0.1), 0.15),
        ((0.95, 0.4, 0.15, -0.1), 0.5 * 0.05),
        ((0.95, 0.5, 0.15, 0.05), 0.25 * 0.1),
    ):
        levels = levels_at(*too_near)
        assert float(ranking.loss(levels, distinct(levels))) == pytest.approx(cost, abs=1e-6)


def test_a_constant_map_costs_a_chain_its_weighted_margins():
    ranking = Ranking(0.4, 0.3, 0.5, 0.2, 0.25, chain=True)
    levels = levels_at(0.7, 0.7, 0.7, 0.7)
    expected = 0.4 + 0.5 * 0.3 + 0.25 * 0.2
    assert float(ranking.loss(levels, distinct(levels))) == pytest.approx(expected)


def test_only_the_last_level_of_a_chain_is_ranked_over_random_nodes():
    random = torch.Generator().manual_seed(0)
    levels = [(torch.rand(5, generator=random), torch.rand(5, 3, generator=random))] * 2
    chain = Ranking(1.0, 0.4, 0.3, chain=True)
    counterparts = distinct(levels)
    other = [(levels[0][0], torch.rand(5, 3, generator=random)), levels[1]]
    assert chain.loss(other, counterparts) == chain.loss(levels, counterparts)
    other = [levels[0], (levels[1][0], levels[1][1] + 0.1)]
    assert chain.loss(other, counterparts) > chain.loss(levels, counterparts)


@given(st.integers(1, 6), st.integers(1, 3), st.integers(0, 99))
def test_a_chain_of_one_level_is_the_rank_loss(nodes, k, seed):
    z_1, z_2, counterparts, negatives = draw_chain(Ranking(0.6), nodes, k, seed)
    found = Ranking(0.6, chain=True).loss_between(z_1, z_2, counterparts, negatives, "dot")
    near = pair_similarity(z_1, z_2, counterparts[0].unsqueeze(1))[:, 0]
    torch.testing.assert_close(found, rank_loss(near, pair_similarity(z_1, z_2, negatives), 0.6))


def test_a_chain_charges_nothing_for_a_step_that_stays_or_leads_back():
    """Nodes 0, 1, 2 of three: a neighbour that is the node, a walk back, a neighbour twice."""
    ranking = Ranking(1.0, 1.0, 1.0, 1.0, 1.0, chain=True)
    nodes = torch.arange(3)
    neighbor, further = torch.tensor([0, 5, 6]), torch.tensor([7, 1, 6])
    levels = levels_at(0.0, 0.0, 0.0, -2.0)
    # The node over its neighbour at 1 and 2, the neighbour over the further node at 0.
    expected = 2 / 3 + 1 / 3
    assert float(ranking.loss(levels, [nodes, neighbor, further])) == pytest.approx(expected)
