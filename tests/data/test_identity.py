"""Which graph it is, by name and by content."""

import torch

from graphrank.data import load
from graphrank.data.identity import catalog_name, graph_identity
from tests.conftest import toy_graph


def test_the_name_of_a_graph_counts_only_if_it_is_that_graph():
    assert catalog_name(load("karate")) == "karate"
    other = toy_graph()
    assert catalog_name(other) is None
    other.name = "karate"
    assert catalog_name(other) is None


def test_a_dataset_is_its_name_and_an_own_graph_its_content():
    assert graph_identity(load("karate")) == {}
    own, same = toy_graph(), toy_graph()
    same.name = "another name"
    assert graph_identity(own) == graph_identity(same) != {}


def test_edges_features_labels_and_masks_count():
    seen = {graph_identity(toy_graph())["graph"]}
    for change in ("x", "y", "train_mask", "edge_index"):
        graph = toy_graph()
        if change == "edge_index":
            graph.edge_index = graph.edge_index[:, 2:]
        elif change == "train_mask":
            graph.train_mask = torch.ones(graph.num_nodes, dtype=torch.bool)
        else:
            graph[change] = graph[change].clone()
            graph[change][0] += 1
        seen.add(graph_identity(graph)["graph"])
    assert len(seen) == 5
