import numpy as np
import pytest
import torch
from scipy import sparse
from scipy.io import savemat

from graphrank.data import load
from graphrank.errors import DataError

PATH = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=float)


def saved(tmp_path, **variables):
    savemat(tmp_path / "g.mat", variables)
    return tmp_path / "g.mat"


def test_an_attributed_network(tmp_path):
    graph = load(
        saved(
            tmp_path,
            Network=sparse.csc_matrix(PATH),
            Attributes=sparse.csc_matrix(np.eye(3, 40)),
            Label=np.array([[1], [2], [1]]),
        )
    )
    assert sorted(graph.edge_index.T.tolist()) == [[0, 1], [1, 0], [1, 2], [2, 1]]
    assert graph.x.layout == torch.sparse_csr and torch.equal(graph.x.to_dense(), torch.eye(3, 40))
    assert graph.y.tolist() == [0, 1, 0] and graph.class_names == ["1", "2"]


def test_a_network_for_fraud_with_a_row_of_classes(tmp_path):
    graph = load(saved(tmp_path, homo=PATH, features=np.eye(3), label=np.array([[0.0, 1.0, 0.0]])))
    assert graph.num_edges == 4 and graph.y.tolist() == [0, 1, 0]


def test_classes_go_before_anomalies(tmp_path):
    anomalies, classes = np.array([[0], [0], [1]]), np.array([[0], [1], [2]])
    graph = load(saved(tmp_path, Network=PATH, Label=anomalies, Class=classes))
    assert graph.y.tolist() == [0, 1, 2]
    assert graph.feature_source == "structural"


def test_features_under_another_name_are_told_of(tmp_path, caplog):
    assert load(saved(tmp_path, network=PATH, feature=np.eye(3, 5))).x.shape == (3, 5)
    graph = load(saved(tmp_path, network=PATH, words=np.eye(3, 5), other=np.eye(2)))
    assert graph.feature_source == "structural"
    assert "g.mat: words is not read; if it holds the features, call it attributes" in caplog.text


def test_marks_of_one_class_are_labels_and_marks_of_several_are_left_out(tmp_path, caplog):
    marks = np.array([[1, 0], [0, 1], [1, 0]])
    graph = load(saved(tmp_path, network=PATH, group=sparse.csc_matrix(marks)))
    assert graph.y.tolist() == [0, 1, 0]
    marks[0] = 1
    assert load(saved(tmp_path, network=PATH, group=marks)).y is None
    assert "several labels" in caplog.text


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(DataError, match=r"g.mat has no adjacency matrix but b, c; call it network"):
        load(saved(tmp_path, b=PATH, C=PATH))
    with pytest.raises(DataError, match="must be square"):
        load(saved(tmp_path, network=PATH[:2]))
    (tmp_path / "g.mat").write_bytes(b"no archive at all, but long enough to have a header" * 9)
    with pytest.raises(DataError, match="no MATLAB file"):
        load(tmp_path / "g.mat")
    (tmp_path / "g.mat").write_bytes(
        b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM" + b"\0" * 512
    )
    with pytest.raises(DataError, match="save it with -v7"):
        load(tmp_path / "g.mat")
    (tmp_path / "g.mat").write_bytes(b"")
    with pytest.raises(DataError, match="no MATLAB file"):
        load(tmp_path / "g.mat")


def test_an_adjacency_that_is_no_matrix(tmp_path):
    savemat(tmp_path / "g.mat", {"Network": {"a": 1}})
    with pytest.raises(DataError, match="adjacency that is no matrix of numbers"):
        load(tmp_path / "g.mat")
