"""Nodes of two kinds: told apart by their column, joined across, kept through features."""

import logging

import numpy as np
import pandas as pd
import pytest
import torch
from scipy import sparse
from scipy.io import mmwrite

from graphrank import load
from graphrank.data import ColumnNames
from graphrank.data.identity import graph_identity
from graphrank.data.kinds import across, alike
from graphrank.errors import DataError

TWO = ColumnNames(bipartite=True)
SHARED = pd.DataFrame({"user": [1, 1, 2, 10], "item": [2, 1, 2, 3]})
APART = pd.DataFrame({"user": ["bo", "al", "bo"], "item": ["x", "x", "y"]})


def named_edges(data):
    ids = data.get("node_id")
    return {(ids[u], ids[v]) for u, v in data.edge_index.T.tolist() if data.node_kind[u] == 0}


def test_an_id_of_both_kinds_is_two_nodes(caplog):
    with caplog.at_level(logging.INFO, "graphrank"):
        data = load(SHARED, columns=TWO)
    assert data.node_id == ["user:1", "user:2", "user:10", "item:1", "item:2", "item:3"]
    assert data.node_kind.tolist() == [0, 0, 0, 1, 1, 1] and data.kind_names == ["user", "item"]
    assert named_edges(data) == {
        (f"user:{u}", f"item:{i}") for u, i in SHARED.itertuples(index=False)
    }
    said = " ".join(caplog.messages)
    assert "2 ids are both 'user' and 'item', so nodes are called user:1 and item:1" in said
    assert "nodes of two kinds: 3 user, 3 item" in said
    assert "is taken as names" not in said and "is not read" not in said


def test_ids_that_differ_stay_as_they_are():
    data = load(APART, columns=TWO)
    assert data.node_id == ["al", "bo", "x", "y"] and data.node_kind.tolist() == [0, 0, 1, 1]
    assert named_edges(data) == {("bo", "x"), ("al", "x"), ("bo", "y")}
    numbers = load(pd.DataFrame({"u": [0, 1], "v": [7, 5]}), columns=TWO)
    assert list(numbers.node_id) == [0, 1, 5, 7]


def test_without_a_word_there_is_one_kind():
    data = load(SHARED)
    assert data.get("node_kind") is None and data.num_nodes == 4
    assert graph_identity(data).keys() == {"graph"}
    assert graph_identity(load(SHARED, columns=TWO))["kinds"] == "user, item"


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, torch.from_numpy])
def test_rows_and_columns_of_a_matrix(form):
    data = load(form(np.array([[1.0, 0, 2], [0, 3, 0]])), columns=TWO)
    assert data.node_id == ["row:0", "row:1", "column:0", "column:1", "column:2"]
    assert named_edges(data) == {
        ("row:0", "column:0"),
        ("row:0", "column:2"),
        ("row:1", "column:1"),
    }
    assert data.edge_weight.sum() == 12


@pytest.mark.parametrize("name", ["m.npz", "m.mtx"])
def test_a_matrix_in_a_file(tmp_path, name):
    matrix = sparse.csr_array(np.array([[1.0, 0, 2], [0, 3, 0]]))
    path = tmp_path / name
    sparse.save_npz(path, matrix) if name == "m.npz" else mmwrite(path, sparse.coo_matrix(matrix))
    assert load(path, columns=TWO).node_id == load(matrix, columns=TWO).node_id
    with pytest.raises(DataError, match="say --bipartite"):
        load(path)


def test_a_list_of_edges():
    data = load([(0, 0), (0, 1)], columns=TWO)
    assert data.node_id == ["source:0", "target:0", "target:1"]


def test_features_keep_the_kinds_and_may_add_nodes_of_none():
    nodes = pd.DataFrame({"id": ["y", "x", "new", "bo", "al"], "f": [1.0, 2, 3, 4, 5]})
    data = load(APART, features=nodes, columns=TWO)
    assert data.node_kind.tolist() == [1, 1, -1, 0, 0]
    assert named_edges(data) == {("bo", "x"), ("al", "x"), ("bo", "y")}
    by_number = load(pd.DataFrame({"u": [0, 1], "v": [3, 4]}), features=np.eye(6), columns=TWO)
    assert by_number.node_kind.tolist() == [0, 0, -1, 1, 1, -1]


@pytest.mark.parametrize("source", ["karate", [load("karate")]])
def test_what_has_no_two_columns(source):
    with pytest.raises(DataError, match="two kinds are read from edge tables"):
        load(source, columns=TWO)


def test_pairs_across():
    kind = torch.tensor([0, 0, 1, -1])
    pairs = torch.cartesian_prod(torch.arange(4), torch.arange(4)).T
    joined = {tuple(pair) for pair in pairs[:, across(kind)(pairs)].T.tolist()}
    same = {(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)}
    assert joined == {tuple(pair) for pair in pairs.T.tolist()} - same
    assert alike(kind, kind).tolist() == [True, True, True, False]
    assert across(None) is None
