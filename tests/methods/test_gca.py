"""GCA: GRACE in all but the rates of its views."""

import networkx as nx
import pytest
import torch

from graphrank.augment.adaptive import adaptive_corruption
from graphrank.methods.gca import GCA
from graphrank.methods.grace import Grace
from graphrank.nn.graph_input import GraphInput

SMALL = {"channels": 8, "projector": 5, "epochs": 3}


@pytest.mark.parametrize("centrality", ["degree", "pagerank", "eigenvector"])
def test_views_are_corrupted_by_centrality(toy, centrality):
    graph = GraphInput.from_data(toy)
    method = GCA(centrality=centrality, edge_drop_2=0.35, feature_mask_2=0.15)
    found = method.corruption(graph, 2)
    expected = adaptive_corruption(graph, centrality, 0.35, 0.15)
    assert torch.equal(found.edge_drop, expected.edge_drop)
    assert torch.equal(found.feature_mask, expected.feature_mask)
    assert not found.pairwise
    assert not torch.equal(found.edge_drop, method.corruption(graph, 1).edge_drop)


def test_centralities_give_other_embeddings(toy):
    kinds = ("degree", "pagerank", "eigenvector")
    found = [GCA(**SMALL, centrality=kind).fit(toy).embedding_ for kind in kinds]
    found.append(Grace(**SMALL).fit(toy).embedding_)
    for place, one in enumerate(found):
        assert all(not torch.allclose(one, other) for other in found[:place])


def test_it_starts_where_grace_starts(toy):
    settings = {**SMALL, "epochs": 0}
    assert torch.equal(GCA(**settings).fit(toy).embedding_, Grace(**settings).fit(toy).embedding_)


def test_edges_into_the_hub_are_never_dropped():
    star = nx.star_graph(9)
    nx.set_node_attributes(star, {node: [1.0, float(node)] for node in star}, "x")
    method = GCA(**SMALL, edge_drop_1=0.5)
    graph = method._prepare(star)
    target, source = graph.adjacency.pattern.row, graph.adjacency.pattern.column
    rate = method.corruption(graph, 1).edge_drop
    assert bool((rate[target == 0] == 0).all())
    leaves = rate[(source == 0) & (target != 0)]
    # Half of all edges lead to leaves, each twice as often dropped as on average, up to the cap.
    assert leaves.tolist() == pytest.approx([0.7] * 9)
