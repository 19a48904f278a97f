"""Centralities against networkx, weights against the paper's formula, views by their rates."""

import gc
import math
import weakref

import networkx as nx
import pytest
import torch

from graphrank.augment import Corruption, adaptive, clean_view, corrupt
from graphrank.augment.adaptive import (
    CAP,
    CENTRALITIES,
    adaptive_corruption,
    column_weight,
    drop_weights,
    edge_weight,
)
from graphrank.nn.adjacency import Adjacency
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.graph_input import GraphInput
from tests.nn.reference import make_graph, places, to_dense

EVERY = sorted(CENTRALITIES)
GRAPHS = {
    "karate": nx.karate_club_graph(),  # weighted
    "star": nx.star_graph(6),
    "bipartite": nx.complete_bipartite_graph(3, 5),
    "lollipop": nx.lollipop_graph(5, 4),
    "random": nx.gnp_random_graph(30, 0.1, seed=1),
    "faint": nx.from_edgelist([(a, b, {"weight": 1e-4 * b}) for a, b in [(0, 1), (1, 2), (0, 2)]]),
    "cycle with a chord": nx.DiGraph([(0, 1), (1, 2), (2, 3), (3, 0), (1, 3)]),
    "dead end": nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3)]),
}  # fmt: skip


def adjacency_of(graph):
    both = graph if graph.is_directed() else graph.to_directed()
    edges = [(a, b, data.get("weight", 1.0)) for a, b, data in both.edges(data=True)]
    ends = torch.tensor([(a, b) for a, b, _ in edges]).T
    weight = torch.tensor([weight for *_, weight in edges], dtype=torch.double)
    return Adjacency(ends, graph.number_of_nodes(), weight)


def as_tensor(by_node):
    return torch.tensor([by_node[node] for node in sorted(by_node)], dtype=torch.double)


@pytest.mark.parametrize("name", GRAPHS)
def test_degree_equals_networkx(name):
    graph = GRAPHS[name]
    into = graph.in_degree if graph.is_directed() else graph.degree
    expected = as_tensor(dict(into(weight="weight")))
    torch.testing.assert_close(adaptive.degree(adjacency_of(graph)), expected)


@pytest.mark.parametrize("name", GRAPHS)
def test_pagerank_equals_networkx(name):
    expected = as_tensor(nx.pagerank(GRAPHS[name], alpha=0.85, tol=1e-14, max_iter=1000))
    found = adaptive.pagerank(adjacency_of(GRAPHS[name]))
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", [name for name in GRAPHS if name not in ("random", "dead end")])
def test_eigenvector_equals_networkx(name):
    """Where it is unique and nowhere zero: one component, from each node to each other."""
    graph = GRAPHS[name]
    expected = as_tensor(nx.eigenvector_centrality_numpy(graph, weight="weight"))
    found = adaptive.eigenvector(adjacency_of(graph))
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-6)


def test_eigenvector_of_several_components_lives_on_the_densest():
    graph = nx.disjoint_union(nx.complete_graph(5), nx.path_graph(4))
    found = adaptive.eigenvector(adjacency_of(graph))
    torch.testing.assert_close(found[:5], torch.full((5,), 5**-0.5, dtype=torch.double))
    assert torch.equal(found[5:], torch.full((4,), 1e-8, dtype=torch.double))


@pytest.mark.parametrize("name", EVERY)
def test_without_edges_all_nodes_are_alike(name):
    lonely = Adjacency(torch.empty(2, 0, dtype=torch.long), 4)
    found = CENTRALITIES[name](lonely)
    assert torch.isfinite(found).all()
    torch.testing.assert_close(found, found[:1].expand(4))


def by_formula(centralities):
    """The paper's normalisation, number by number."""
    score = [math.log(c) for c in centralities]
    top, mean = max(score), sum(score) / len(score)
    return [(top - s) / (top - mean) for s in score]


@pytest.mark.parametrize("name", EVERY)
def test_an_edge_weighs_by_the_node_that_it_leads_to(name):
    _, _, _, graph = make_graph(12, seed=3, share=0.4)
    adjacency = graph.adjacency
    centrality = CENTRALITIES[name](adjacency)
    found = edge_weight(adjacency, centrality)
    ends = places(adjacency.pattern)
    edges = [place for place, (target, source) in enumerate(ends) if target != source]
    expected = by_formula([float(centrality[ends[place][0]]) for place in edges])
    assert found[edges].tolist() == pytest.approx(expected)
    assert float(found[edges].mean()) == pytest.approx(1.0)
    assert float(found.sum()) == pytest.approx(len(edges))  # self-loops have none
    assert float(found[edges].min()) == 0.0


@pytest.mark.parametrize("density", [0.05, 0.4])
def test_a_column_weighs_by_the_nodes_that_have_it(density):
    _, _, x, graph = make_graph(40, features=15, seed=2, density=density)
    assert graph.features.is_sparse == (density < 0.1)
    centrality = 1.0 + torch.arange(40).double()
    sums = [sum(float(centrality[i]) for i in range(40) if x[i, j] != 0) for j in range(15)]
    occur = [place for place, total in enumerate(sums) if total > 0]
    found = column_weight(graph.features, centrality)
    expected = by_formula([sums[place] for place in occur])
    assert found[occur].tolist() == pytest.approx(expected)


def test_where_most_entries_are_filled_their_size_counts():
    _, _, x, graph = make_graph(20, features=5, seed=2)
    centrality = 1.0 + torch.arange(20).double()
    sums = [sum(float(centrality[i] * x[i, j].abs()) for i in range(20)) for j in range(5)]
    assert column_weight(graph.features, centrality).tolist() == pytest.approx(by_formula(sums))


def test_what_has_no_centrality_counts_as_the_least_central():
    x = torch.tensor([[1.0, 1, 0, 0, 1], [1.0, 0, 0, 0, 0], [0.0, 0, 0, 1, 0]])
    found = column_weight(FeatureMatrix(x), torch.tensor([2.0, 6.0, 0.0]).double()).tolist()
    first, second, last = by_formula([8.0, 2.0, 2.0])
    # No node has the third column, and the only node of the fourth has no centrality.
    assert found == pytest.approx([first, second, second, second, last])


@pytest.mark.parametrize("name", EVERY)
def test_where_all_are_equally_central_nobody_is_spared(name):
    adjacency = adjacency_of(nx.cycle_graph(8))
    graph = GraphInput(FeatureMatrix(torch.eye(8)), adjacency)
    weights = drop_weights(graph, name)
    assert torch.equal(weights.edge, (~adjacency.is_loop).float())
    assert torch.equal(weights.column, torch.ones(8))


def test_rates_are_weights_times_the_mean_up_to_the_cap():
    _, _, _, graph = make_graph(12, features=20, seed=3, density=0.3)
    weights = drop_weights(graph, "pagerank")
    corruption = adaptive_corruption(graph, "pagerank", 0.5, 0.5)
    assert not corruption.pairwise
    for found, weight, mean in (
        (corruption.edge_drop, weights.edge, 0.5),
        (corruption.feature_mask, weights.column, 0.5),
    ):
        assert float(weight.max()) * mean > CAP == 0.7
        assert found.tolist() == pytest.approx([min(w * mean, 0.7) for w in weight.tolist()])


def test_each_edge_and_column_is_dropped_at_its_own_rate():
    _, _, _, graph = make_graph(8, features=10, seed=3, density=0.3)
    corruption = adaptive_corruption(graph, "degree", 0.4, 0.4)
    assert len(set(corruption.edge_drop.tolist())) > 3
    torch.manual_seed(0)
    views = [corrupt(graph, corruption) for _ in range(2000)]
    for kept, rate in (
        (torch.stack([view.edge_kept for view in views]), corruption.edge_drop),
        (torch.stack([view.column_kept for view in views]), corruption.feature_mask),
    ):
        gone = 1 - kept.float().mean(dim=0)
        slack = 4.5 * (rate * (1 - rate) / len(views)).sqrt() + 1e-12
        assert bool(((gone - rate).abs() <= slack).all())


def test_rates_of_zero_drop_nothing():
    _, _, _, graph = make_graph(8, seed=0)
    view = corrupt(graph, adaptive_corruption(graph, "degree", 0.0, 0.0))
    assert torch.equal(view.edge_value, clean_view(graph).edge_value)
    assert bool((view.column_kept == 1).all())


def test_pairs_share_the_chance_of_one_direction():
    _, _, _, graph = make_graph(10, seed=2)
    rate = torch.rand(graph.adjacency.pattern.num_entries) * 0.9
    torch.manual_seed(1)
    view = corrupt(graph, Corruption(edge_drop=rate))
    matrix = to_dense(graph.adjacency.pattern, view.edge_value)
    assert view.symmetric and torch.equal(matrix, matrix.T)
    assert not view.edge_kept.all()


def test_weights_are_found_once_and_go_with_their_graph(monkeypatch):
    calls = []
    monkeypatch.setitem(
        CENTRALITIES, "degree", lambda adjacency: (calls.append(1), adaptive.degree(adjacency))[1]
    )
    _, _, _, graph = make_graph(8, seed=0)
    _, _, _, other = make_graph(8, seed=1)
    first = drop_weights(graph, "degree")
    assert drop_weights(graph, "degree") is first
    assert drop_weights(other, "degree") is not first
    assert drop_weights(graph, "pagerank") is not first
    assert len(calls) == 2
    gone = weakref.ref(graph)
    del graph
    gc.collect()
    assert gone() is None
