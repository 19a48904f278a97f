import torch
from torch_geometric.data import Data

from graphrank.data import load, node_ids, without_labels


def test_nothing_but_structure_and_features_is_seen(triangle):
    triangle.train_mask = torch.ones(4, dtype=torch.bool)
    triangle.node_id = ["a", "b", "c", "d"]
    graph = load(triangle)
    graph.secret = 1
    seen = without_labels(graph)
    assert set(seen.keys()) == {
        "x",
        "edge_index",
        "node_id",
        "name",
        "directed",
        "feature_source",
        "num_nodes",
    }
    assert seen.x is graph.x
    assert seen.num_nodes == 4
    assert "y" in graph


def test_weights_and_names_are_seen():
    graph = Data(edge_index=torch.tensor([[0], [1]]), edge_weight=torch.tensor([2.0]), num_nodes=3)
    seen = without_labels(load(graph))
    assert seen.edge_weight.tolist() == [2.0, 2.0]
    assert len(seen.feature_names) == seen.x.size(1)
    assert seen.num_nodes == 3


def test_node_ids():
    assert node_ids(Data(num_nodes=2)) == [0, 1]
    assert node_ids(Data(num_nodes=2, node_id=["x", "y"])) == ["x", "y"]


def test_a_set_of_graphs_loses_its_classes_alone():
    pair = torch.tensor([[0, 1], [1, 0]])
    graphs = load([Data(edge_index=pair, y=1, node_label=torch.tensor([0, 1]), num_nodes=2)] * 2)
    seen = without_labels(graphs)
    assert seen.y is None and graphs.y.tolist() == [1, 1]
    assert seen.edge_index is graphs.edge_index and seen.node_label is graphs.node_label
