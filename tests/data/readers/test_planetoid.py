import collections
import pickle

import numpy as np
import pytest
import torch
from scipy import sparse

from graphrank.data import load
from graphrank.errors import DataError

CLASSES = np.eye(2, dtype=np.int64)


@pytest.fixture
def toy(tmp_path):
    """Write a graph of 8 nodes: 5 known, test nodes 7 and 5, node 6 missing from test.index."""
    folder = tmp_path / "CiteSeer" / "raw"
    folder.mkdir(parents=True)
    allx = sparse.csr_matrix(np.arange(15.0).reshape(5, 3))
    graph = collections.defaultdict(list, {0: [1, 1, 0], 1: [0], 5: [7], 7: [5], 6: []})
    parts = {
        "x": allx[:2],
        "y": CLASSES[[0, 1]],
        "allx": allx,
        "ally": CLASSES[[0, 1, 0, 1, 0]],
        "tx": sparse.csr_matrix(np.array([[7.0, 7, 7], [5, 5, 5]])),
        "ty": CLASSES[[1, 0]],
        "graph": graph,
    }
    for part, content in parts.items():
        with (folder / f"ind.citeseer.{part}").open("wb") as file:
            pickle.dump(content, file, protocol=4)
    (folder / "ind.citeseer.test.index").write_text("7\n5\n")
    return folder


def test_test_rows_go_where_the_graph_has_them(toy):
    graph = load("citeseer", data_root=toy.parents[1])
    x = graph.x.to_dense()
    assert graph.x.layout == torch.sparse_csr
    assert x[7].tolist() == [7, 7, 7]
    assert x[5].tolist() == [5, 5, 5]
    assert x[6].tolist() == [0, 0, 0]
    assert graph.y.tolist() == [0, 1, 0, 1, 0, 0, 0, 1]
    assert graph.edge_index.tolist() == [[0, 1, 5, 7], [1, 0, 7, 5]]
    assert graph.train_mask.nonzero().flatten().tolist() == [0, 1]
    assert graph.val_mask.nonzero().flatten().tolist() == [2, 3, 4, 5, 6, 7]
    assert graph.test_mask.nonzero().flatten().tolist() == [5, 7]
    assert graph.load_report.self_loops_removed == 1
    assert graph.load_report.duplicates_merged == 1


@pytest.mark.parametrize(
    ("part", "content", "message"),
    [
        ("tx", np.ones(3), r"ind\.citeseer\.tx is damaged"),
        ("graph", [1, 2], r"ind\.citeseer\.graph is damaged"),
        ("ty", np.ones((7, 2)), "do not fit"),
        ("graph", {0: ["a"]}, "do not fit"),
        ("graph", {0: [99]}, "edge to node 99"),
    ],
)
def test_damaged_parts(toy, part, content, message):
    (toy / f"ind.citeseer.{part}").write_bytes(pickle.dumps(content, protocol=4))
    with pytest.raises(DataError, match=message):
        load("citeseer", data_root=toy.parents[1])


@pytest.mark.parametrize("text", ["", "one\n", "0\n1\n"])
def test_damaged_test_index(toy, text):
    (toy / "ind.citeseer.test.index").write_text(text)
    with pytest.raises(DataError, match="do not fit"):
        load("citeseer", data_root=toy.parents[1])
