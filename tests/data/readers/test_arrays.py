import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from graphrank import GraphRank
from graphrank.data import load
from graphrank.errors import DataError

EDGES = [[0, 1, 4], [1, 2, 1]]  # from, to


def edges_of(data):
    return data.edge_index.T.tolist()


@pytest.mark.parametrize(
    "given",
    [np.array(EDGES), np.array(EDGES).T, torch.tensor(EDGES), torch.tensor(EDGES).T,
     list(zip(*EDGES, strict=True)), [list(pair) for pair in zip(*EDGES, strict=True)]],
)  # fmt: skip
def test_edges_in_any_shape(given):
    data = load(given, directed=True)
    if isinstance(given, list):  # nodes by their names, and none that has no edge
        assert list(data.node_id) == [0, 1, 2, 4]
        assert edges_of(data) == [[0, 1], [1, 2], [3, 1]]
    else:
        assert (data.num_nodes, edges_of(data)) == (5, [[0, 1], [1, 2], [4, 1]])


def test_names_of_nodes_in_a_list_of_edges():
    data = load([("bo", "al"), ("al", "cy")])
    assert set(data.node_id) == {"al", "bo", "cy"}
    assert data.num_edges == 4


@given(st.integers(1, 6), st.integers(0, 2**16))
def test_a_matrix_whatever_holds_it(size, seed):
    random = np.random.default_rng(seed)
    dense = random.integers(0, 3, (size, size)) * random.random((size, size))
    wanted = load(sparse.csr_array(dense), directed=True)
    forms = (dense, torch.from_numpy(dense), torch.from_numpy(dense).to_sparse_csr())
    for form in forms:
        data = load(form, directed=True)
        assert torch.equal(data.edge_index, wanted.edge_index)
        weights = data.get("edge_weight"), wanted.get("edge_weight")
        assert weights == (None, None) or torch.equal(*weights)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (np.zeros(3), r"shape \[3\] is no graph; give an adjacency matrix"),
        (np.zeros((2, 5)), r"shape \[2, 5\] and of float64 is no graph"),
        (np.zeros((3, 5), dtype=int), r"shape \[3, 5\] and of int64 is no graph"),
        (np.array([[0, 1], [1, 2]]), "may be a matrix or two edges"),
        (np.array([[0, -1, 2], [1, 2, 0]]), "negative node number; number nodes from 0"),
        (np.zeros((2, 0), dtype=int), "is an empty graph"),
        ([(0, 1, 2)], "must be a list of PyG Data"),
        ([], "."),
    ],
)
def test_what_is_no_graph(given, words):
    with pytest.raises(DataError, match=words):
        load(given)


def test_an_estimator_takes_them():
    embedding = GraphRank(epochs=1, channels=4).fit_transform(torch.tensor(EDGES))
    assert embedding.shape[0] == 5
