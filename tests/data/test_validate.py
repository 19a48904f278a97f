import logging

import numpy as np
import pytest
from scipy import sparse

from graphrank.data.raw import RawGraph
from graphrank.data.validate import check_features, check_graph, check_unique
from graphrank.errors import DataError


def graph(**options):
    settings = {"row": np.array([0]), "col": np.array([1]), "num_nodes": 2, "name": "toy"}
    return RawGraph(**(settings | options))


X = np.array([[0.0, 1.0], [1.0, 0.0]], dtype=np.float32)
GOOD = {"x": X, "y": np.array([0, 1]), "node_id": ["a", "b"], "weight": np.array([2.0])}
BAD = [
    ({"num_nodes": 0}, "empty graph"),
    ({"row": np.array([0, 1])}, "one end only"),
    ({"col": np.array([2])}, r"edge to node 2, outside 0\.\.1"),
    ({"row": np.array([-1])}, "edge to node -1"),
    ({"weight": np.ones(3)}, "one number for each edge"),
    ({"weight": np.array([np.nan])}, "infinite edge weights"),
    ({"weight": np.array([-1.0])}, "negative edge weights"),
    ({"x": X[:1]}, "2 nodes but 1 rows of features"),
    ({"y": np.array([1])}, "1 labels"),
    ({"node_id": ["a"]}, "1 node ids"),
    ({"masks": {"val_mask": np.ones(3, dtype=bool)}}, "3 val_mask"),
    ({"node_id": ["a", "a"]}, "'a' twice"),
    ({"x": np.ones((2, 3), dtype=np.float32)}, "constant features carry no information"),
    ({"x": sparse.csr_array((2, 3), dtype=np.float32)}, "constant features carry no information"),
    ({"x": np.ones((2, 0), dtype=np.float32)}, "no feature columns"),
]


def test_a_good_graph_passes():
    check_graph(graph(**GOOD))
    check_graph(graph(row=np.empty(0, dtype=int), col=np.empty(0, dtype=int)))


@pytest.mark.parametrize(("change", "message"), BAD)
def test_bad_graphs_are_refused(change, message):
    with pytest.raises(DataError, match=message):
        check_graph(graph(**(GOOD | change)))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_the_bad_column_is_named(value, kind):
    x = X.copy()
    x[1, 1] = value
    with pytest.raises(DataError, match="column 'age'"):
        check_features(kind(x), "toy", ["size", "age"])
    with pytest.raises(DataError, match="column 1"):
        check_features(kind(x), "toy")


def test_one_node_may_have_any_features():
    check_features(np.ones((1, 2), dtype=np.float32), "toy")


@pytest.mark.parametrize(("constant", "level"), [(1, logging.INFO), (3, logging.WARNING)])
def test_constant_columns_are_logged(caplog, constant, level):
    x = np.concatenate([X, np.ones((2, constant), dtype=np.float32)], axis=1)
    with caplog.at_level(logging.INFO, logger="graphrank"):
        check_features(x, "toy")
    assert caplog.records[0].levelno == level
    assert f"{constant} of {constant + 2} features are constant" in caplog.text


def test_ids_twice():
    check_unique([1, 2], "here")
    with pytest.raises(DataError, match="here has node id 2 twice"):
        check_unique([1, 2, 2], "here")
