import numpy as np
import pytest
import torch
from scipy import sparse
from scipy.io import mmwrite

from graphrank.data import load
from graphrank.errors import DataError


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.coo_array, sparse.lil_array])
def test_adjacency(kind):
    matrix = kind(np.array([[0, 1, 0], [0, 0, 0], [0, 0, 5]]))
    graph = load(matrix, features=np.eye(3))
    assert graph.edge_index.tolist() == [[0, 1], [1, 0]]
    assert "edge_weight" not in graph
    assert graph.load_report.self_loops_removed == 1
    assert graph.load_report.isolated == 1
    assert torch.equal(graph.x, torch.eye(3))


def test_weights_and_booleans():
    matrix = sparse.csr_array(np.array([[0, 2.5], [0, 0]]))
    assert load(matrix).edge_weight.tolist() == [2.5, 2.5]
    assert "edge_weight" not in load(sparse.csr_array(matrix > 0))


def test_the_matrix_is_not_changed():
    matrix = sparse.csr_matrix(np.array([[1.0, 2.0], [0, 0]]))
    before = matrix.copy()
    load(matrix)
    assert (matrix != before).nnz == 0


def test_not_square():
    with pytest.raises(DataError, match="must be square"):
        load(sparse.csr_array((2, 3)))


def test_matrix_market(tmp_path):
    path = tmp_path / "g.mtx"
    path.write_text(
        "%%MatrixMarket matrix coordinate pattern symmetric\n% a comment\n3 3 2\n2 1\n3 2\n"
    )
    assert sorted(load(path).edge_index.T.tolist()) == [[0, 1], [1, 0], [1, 2], [2, 1]]
    mmwrite(path, sparse.coo_array(np.array([[0, 2.5], [0, 0]])))
    assert load(path).edge_weight.tolist() == [2.5, 2.5]
    for text, match in (
        ("3 3 2", "is no Matrix Market file"),
        ("%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 2\n", "must be square"),
    ):
        path.write_text(text)
        with pytest.raises(DataError, match=match):
            load(path)
