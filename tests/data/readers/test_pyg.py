import logging

import pytest
import torch
from torch_geometric.data import Data

from graphrank.data import load, node_ids
from graphrank.errors import DataError


def test_normalised_into_a_new_object(triangle):
    triangle.edge_index = torch.tensor([[2, 0, 0, 1, 1], [0, 1, 1, 1, 2]])
    before = triangle.clone()
    graph = load(triangle)
    assert graph is not triangle
    assert graph.edge_index.tolist() == [[0, 0, 1, 1, 2, 2], [1, 2, 0, 2, 0, 1]]
    assert graph.load_report.duplicates_merged == 1
    assert graph.load_report.self_loops_removed == 1
    assert set(triangle.keys()) == set(before.keys())
    for key, value in before.to_dict().items():
        assert torch.equal(triangle[key], value)


def test_loading_again_changes_nothing(triangle):
    once = load(triangle)
    twice = load(once)
    assert set(once.keys()) == set(twice.keys())
    assert torch.equal(once.edge_index, twice.edge_index)
    assert torch.equal(once.x, twice.x)


def test_structural_features_stay_structural():
    graph = load(load("karate"))
    assert graph.feature_source == "structural"
    assert graph.feature_names[0] == "log_degree"


def test_no_edges_and_one_node():
    empty = torch.empty(2, 0, dtype=torch.long)
    for nodes in (1, 5):
        graph = load(Data(edge_index=empty, num_nodes=nodes))
        assert graph.num_edges == 0
        assert graph.x.shape == (nodes, 28)
        assert graph.load_report.components == nodes
        assert torch.isfinite(graph.x).all()


@pytest.mark.parametrize("key", ["edge_weight", "edge_attr"])
def test_weights(triangle, key):
    triangle[key] = torch.tensor([[1.0], [2.0], [3.0]])
    assert load(triangle, directed=True).edge_weight.tolist() == [1, 2, 3]


def test_vector_attributes_of_edges_are_left_behind(triangle):
    triangle.edge_attr = torch.ones(3, 2)
    assert "edge_weight" not in load(triangle)


def test_sparse_features_stay_sparse(triangle):
    dense = triangle.x
    for x in (dense.to_sparse_csr(), dense.to_sparse_coo(), dense.to_sparse_csc()):
        triangle.x = x
        graph = load(triangle)
        assert graph.x.layout == torch.sparse_csr
        assert torch.equal(graph.x.to_dense(), dense)
        assert graph.num_nodes == 4


@pytest.mark.parametrize("ids", [["a", "b", "c", "d"], torch.tensor([5, 6, 7, 8]), range(4)])
def test_ids(triangle, ids):
    triangle.node_id = ids
    assert node_ids(load(triangle)) == list(ids.tolist() if torch.is_tensor(ids) else ids)


def test_masks(triangle):
    triangle.train_mask = torch.tensor([True, False, False, False])
    triangle.val_mask = torch.ones(4, 10, dtype=torch.bool)
    graph = load(triangle)
    assert graph.train_mask.tolist() == [True, False, False, False]
    assert "val_mask" not in graph


@pytest.mark.parametrize("y", [torch.rand(4), torch.ones(4, 3, dtype=torch.long)])
def test_unusable_labels_are_left_out(triangle, y, caplog):
    triangle.y = y
    with caplog.at_level(logging.WARNING, logger="graphrank"):
        assert load(triangle).get("y") is None
    assert "left out" in caplog.text


def test_column_labels(triangle):
    triangle.y = torch.tensor([[0], [1], [2], [1]])
    assert load(triangle).y.tolist() == [0, 1, 2, 1]


@pytest.mark.parametrize(
    ("edge_index", "message"),
    [
        (None, "has no edge_index"),
        (torch.ones(3, 2, dtype=torch.long), "has no edge_index"),
        (torch.rand(2, 3), "must be whole numbers"),
        (torch.tensor([[0], [9]]), r"edge to node 9, outside 0\.\.3"),
    ],
)
def test_bad_edges(triangle, edge_index, message):
    triangle.edge_index = edge_index
    with pytest.raises(DataError, match=message):
        load(triangle)


def test_gradients_and_doubles_are_no_obstacle(triangle):
    triangle.x = triangle.x.double().requires_grad_()
    graph = load(triangle)
    assert graph.x.dtype == torch.float32
    assert not graph.x.requires_grad


def test_whole_numbers_of_edges_are_kinds_and_no_weights(caplog):
    ends = torch.tensor([[0, 1, 2], [1, 2, 0]])
    kinds = Data(edge_index=ends, num_nodes=3, edge_attr=torch.tensor([0, 1, 2]))
    assert load(kinds).num_edges == 6 and "edge_weight" not in load(kinds)
    assert "taken as kinds of edges and left out" in caplog.text
    kinds.edge_attr = torch.tensor([[0.5], [1.0], [2.0]])
    assert sorted(load(kinds).edge_weight.tolist()) == [0.5, 0.5, 1, 1, 2, 2]
