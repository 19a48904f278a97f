import numpy as np
import pytest
import torch
from scipy import sparse

from graphrank.data import load
from graphrank.data.readers.npz import read_shchur
from graphrank.errors import DataError


def test_shchur_layout(tmp_path, shchur_arrays):
    np.savez(tmp_path / "g.npz", **shchur_arrays)
    graph = load(tmp_path / "g.npz")
    assert graph.x.layout == torch.sparse_csr
    assert graph.x.to_dense().tolist() == [[2, 0], [0, 1], [0, 0]]
    assert graph.y.tolist() == [0, 1, 1]
    assert graph.num_edges == 6
    assert graph.load_report.self_loops_removed == 1


def test_published_graphs_have_binary_features_and_no_weights(tmp_path, shchur_arrays):
    shchur_arrays["adj_data"] *= 3
    np.savez(tmp_path / "g.npz", **shchur_arrays)
    raw = read_shchur(tmp_path / "g.npz", "Photo")
    assert raw.x.toarray().tolist() == [[1, 0], [0, 1], [0, 0]]
    assert raw.weight is None
    assert raw.name == "Photo"


def test_dense_attributes_and_text_labels(tmp_path, shchur_arrays):
    arrays = {k: v for k, v in shchur_arrays.items() if not k.startswith("attr")}
    arrays |= {"attr_matrix": np.eye(3), "labels": np.array(["b", "a", "b"])}
    np.savez(tmp_path / "g.npz", **arrays)
    graph = load(tmp_path / "g.npz")
    assert torch.equal(graph.x, torch.eye(3))
    assert graph.class_names == ["a", "b"]


def test_scipy_matrix(tmp_path):
    for kind in (sparse.csr_matrix, sparse.coo_array):
        sparse.save_npz(tmp_path / "g.npz", kind(np.array([[0, 2.0], [0, 0]])))
        graph = load(tmp_path / "g.npz")
        assert graph.edge_weight.tolist() == [2, 2]
        assert graph.feature_source == "structural"


def test_plain_arrays(tmp_path):
    np.savez(
        tmp_path / "g.npz",
        edge_index=np.array([[0, 1], [1, 2]], dtype=np.int32),
        x=np.eye(4),
        y=np.array([0, 1, 0, 1]),
        edge_weight=np.array([2.0, 3.0]),
    )
    graph = load(tmp_path / "g.npz")
    assert graph.num_nodes == 4
    assert graph.edge_weight.tolist() == [2, 2, 3, 3]
    assert graph.y.tolist() == [0, 1, 0, 1]
    np.savez(tmp_path / "g.npz", edge_index=np.array([[0, 1], [1, 2]]))
    assert load(tmp_path / "g.npz").num_nodes == 3


def test_edges_as_rows(tmp_path):
    arrays = {"edges": np.array([[0, 1], [1, 2]]), "node_labels": np.array([1, 0, 1, 1])}
    np.savez(tmp_path / "g.npz", node_features=np.eye(4), train_masks=np.ones((9, 4)), **arrays)
    graph = load(tmp_path / "g.npz")
    assert graph.num_nodes == 4 and graph.y.tolist() == [1, 0, 1, 1]
    assert sorted(graph.edge_index.T.tolist()) == [[0, 1], [1, 0], [1, 2], [2, 1]]
    assert torch.equal(graph.x, torch.eye(4))
    np.savez(tmp_path / "g.npz", edges=arrays["edges"].T.repeat(2, axis=1))
    with pytest.raises(DataError, match=r"whole numbers of shape \[edges, 2\]"):
        load(tmp_path / "g.npz")


def test_whole_adjacency_matrix(tmp_path):
    np.savez(
        tmp_path / "g.npz",
        adj=np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]),
        node_attr=np.eye(3),
        node_label=np.array([[1, 0], [0, 1], [0, 1]]),
    )
    graph = load(tmp_path / "g.npz")
    assert sorted(graph.edge_index.T.tolist()) == [[0, 1], [1, 0], [1, 2], [2, 1]]
    assert torch.equal(graph.x, torch.eye(3))
    assert graph.y.tolist() == [0, 1, 1]
    for bad in (np.ones(3), np.array([["a", "b"], ["c", "d"]])):
        np.savez(tmp_path / "g.npz", adj=bad)
        with pytest.raises(DataError, match="must be one of numbers"):
            load(tmp_path / "g.npz")


@pytest.mark.parametrize("name", ["x", "features", "node_attr", "attr_matrix", "node_features"])
def test_features_by_any_usual_name(tmp_path, name):
    edges = np.array([[0, 1], [1, 2]])
    np.savez(tmp_path / "g.npz", edge_index=edges, **{name: np.eye(5)})
    assert torch.equal(load(tmp_path / "g.npz").x, torch.eye(5))


def test_a_table_of_another_name_is_told_of(tmp_path, caplog):
    arrays = {"edge_index": np.array([[0, 1], [1, 2]]), "words": np.eye(3), "y": np.arange(3)}
    np.savez(tmp_path / "g.npz", note=np.array([{}], dtype=object), **arrays)
    graph = load(tmp_path / "g.npz")
    assert graph.feature_source == "structural"
    assert "g.npz: words is not read; if it holds the features, call it attributes" in caplog.text


@pytest.mark.parametrize("edges", [np.zeros((3, 2), dtype=int), np.zeros((2, 1)), np.zeros(2, int)])
def test_bad_edge_index(tmp_path, edges):
    np.savez(tmp_path / "g.npz", edge_index=edges)
    with pytest.raises(DataError, match=r"whole numbers of shape \[2, edges\]"):
        load(tmp_path / "g.npz")


def test_objects_are_not_unpickled(tmp_path):
    for name in ("edge_index", "adj_matrix"):
        np.savez(tmp_path / "g.npz", **{name: np.array([[{}], [{}]], dtype=object)})
        with pytest.raises(DataError, match="cannot be read as arrays"):
            load(tmp_path / "g.npz")


def test_damaged_and_unknown(tmp_path, shchur_arrays):
    path = tmp_path / "g.npz"
    path.write_bytes(b"PK\x03\x04 no archive")
    with pytest.raises(DataError, match="cannot be read as arrays"):
        load(path)
    np.savez(path, b=1)
    with pytest.raises(DataError, match="nor edge_index, but b; save edge_index"):
        load(path)
    shchur_arrays["adj_indices"][0] = 99
    np.savez(path, **shchur_arrays)
    with pytest.raises(DataError, match="damaged"):
        load(path)
    del shchur_arrays["adj_shape"]
    np.savez(path, **shchur_arrays)
    with pytest.raises(DataError, match="cannot be read"):
        load(path)
