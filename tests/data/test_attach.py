import networkx as nx
import numpy as np
import pandas as pd
import pytest
import torch
from scipy import sparse

from graphrank.data import ColumnNames, load, node_ids
from graphrank.errors import DataError

EDGES = "source,target\nb,a\na,c\n"


@pytest.fixture
def edges(write):
    return write("e.csv", EDGES)


def test_nodes_are_those_of_the_table(edges, write):
    nodes = write("n.csv", "id,f,label\nc,1,x\nalone,2,y\na,3,x\nb,4,y\n")
    graph = load(edges, features=nodes)
    assert node_ids(graph) == ["c", "alone", "a", "b"]
    assert graph.x.flatten().tolist() == [1, 2, 3, 4]
    assert graph.edge_index.tolist() == [[0, 2, 2, 3], [2, 0, 3, 2]]
    assert graph.y.tolist() == [0, 1, 0, 1]
    assert graph.class_names == ["x", "y"]
    assert graph.feature_names == ["f"]
    assert graph.load_report.isolated == 1
    assert graph.feature_source == "given"


def test_parquet_and_frame_tables(edges, tmp_path):
    frame = pd.DataFrame({"node": ["a", "b", "c"], "f": [1.0, 2.0, 3.0]})
    frame.to_parquet(tmp_path / "n.parquet")
    for features in (frame, tmp_path / "n.parquet", str(tmp_path / "n.parquet")):
        assert load(edges, features=features).x.flatten().tolist() == [1, 2, 3]


def test_ids_match_across_kinds_of_files(write, tmp_path):
    pd.DataFrame({"id": [2, 1, 0], "f": [1.0, 2.0, 3.0]}).to_parquet(tmp_path / "n.parquet")
    graph = load(write("e.txt", "0 1\n1 2\n"), features=tmp_path / "n.parquet")
    assert node_ids(graph) == [2, 1, 0]
    assert graph.edge_index.tolist() == [[0, 1, 1, 2], [1, 0, 2, 1]]


def test_table_of_labels_only_leaves_features_structural(edges, write):
    graph = load(edges, features=write("n.csv", "id,label\na,1\nb,0\nc,1\n"))
    assert graph.feature_source == "structural"
    assert graph.y.tolist() == [1, 0, 1]


def test_edges_to_unknown_nodes_are_named(write):
    edges = write("e.csv", "source,target\na,b\nb,p\np,q\nq,r\nr,s\n")
    nodes = write("n.csv", "id,f\na,1\nb,2\n")
    with pytest.raises(DataError, match=r"not in n\.csv, such as p, q, r; add them"):
        load(edges, features=nodes)


def test_another_id_column_is_suggested(write):
    edges = write("e.csv", "source,target\n0,1\n")
    nodes = write("n.csv", "id,new_id,f\n70,0,1\n71,1,2\n")
    with pytest.raises(DataError, match="name another id column than 'id' with --id-column"):
        load(edges, features=nodes)
    columns = ColumnNames(id="new_id", exclude=("id",))
    assert load(edges, features=nodes, columns=columns).x.flatten().tolist() == [1, 2]


def test_labels_by_table(edges, write):
    graph = load(edges, labels=write("l.csv", "id,label\nc,red\nb,blue\n"))
    assert graph.y.tolist() == [-1, 0, 1]
    assert graph.class_names == ["blue", "red"]
    with pytest.raises(DataError, match=r"l\.csv has nodes that are not in the graph, such as z"):
        load(edges, labels=write("l.csv", "id,label\nz,1\n"))


@pytest.mark.parametrize("labels", [np.array([2, 0, 1]), torch.tensor([2, 0, 1]), ["2", "0", "1"]])
def test_labels_in_node_order(labels):
    graph = load(nx.path_graph(["p", "q", "r"]), labels=labels)
    assert graph.y.tolist() == [2, 0, 1]


def test_rows_in_the_order_of_integer_ids(write, tmp_path):
    edges = write("e.txt", "3 0\n0 1\n")
    x = np.arange(10.0).reshape(5, 2)
    np.save(tmp_path / "x.npy", x)
    np.savez(tmp_path / "x.npz", x=x, other=1)
    np.savez(tmp_path / "one.npz", x)
    sparse.save_npz(tmp_path / "sparse.npz", sparse.csr_matrix(x))
    for file in ("x.npy", "x.npz", "one.npz"):
        graph = load(edges, features=tmp_path / file)
        assert torch.equal(graph.x, torch.from_numpy(x).float())
        assert node_ids(graph) == [0, 1, 2, 3, 4]
        assert graph.edge_index.tolist() == [[0, 0, 1, 3], [1, 3, 0, 0]]
    found = load(edges, features=tmp_path / "sparse.npz").x
    assert found.layout == torch.sparse_csr
    assert torch.equal(found.to_dense(), torch.from_numpy(x).float())
    assert load(edges, labels=[1, 0, 0, 1, 1]).num_nodes == 5


def test_rows_need_integer_ids(edges, write):
    with pytest.raises(DataError, match=r"need nodes called 0\.\.2"):
        load(edges, features=np.eye(3))
    with pytest.raises(DataError, match=r"need nodes called 0\.\.1"):
        load(write("e.txt", "0 5\n"), features=np.eye(2))


def test_rows_must_be_as_many_as_nodes():
    with pytest.raises(DataError, match="3 nodes but 2 rows of features"):
        load(sparse.csr_array(np.ones((3, 3))), features=np.eye(2))
    with pytest.raises(DataError, match="3 nodes but 1 labels"):
        load(sparse.csr_array(np.ones((3, 3))), labels=[1])


def test_labels_and_masks_follow_the_table(triangle, write):
    triangle.train_mask = torch.tensor([True, False, False, False])
    nodes = write("n.csv", "id,f\n4,9\n3,1\n2,2\n1,3\n0,4\n")
    graph = load(triangle, features=nodes)
    assert graph.y.tolist() == [-1, 1, 0, 1, 0]
    assert graph.train_mask.tolist() == [False] * 4 + [True]
    assert node_ids(graph) == [4, 3, 2, 1, 0]


def test_sparse_features_of_an_object():
    graph = load(nx.path_graph(3), features=sparse.eye_array(3))
    assert graph.x.layout == torch.sparse_csr


@pytest.mark.parametrize("name", ["gone.csv", "gone.npy"])
def test_missing_file(edges, name):
    with pytest.raises(DataError, match=f"no file '{name}'"):
        load(edges, features=name)


def test_bad_arrays(edges, tmp_path):
    np.save(tmp_path / "x.npy", np.array([{}], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "x.npz", a=1, b=2)
    for file in ("x.npy", "x.npz"):
        with pytest.raises(DataError, match="cannot be read as one array"):
            load(edges, features=tmp_path / file)


def test_columns_of_the_node_table(edges, write):
    nodes = write("n.csv", "who,f,kind,note\na,1,x,?\nb,2,y,?\nc,3,x,?\n")
    columns = ColumnNames(id="who", label="kind", exclude=("note",))
    graph = load(edges, features=nodes, columns=columns)
    assert graph.y.tolist() == [0, 1, 0]
    assert graph.feature_names == ["f"]


def test_a_damaged_archive_of_features(tmp_path):
    (tmp_path / "x.npz").write_bytes(b"PK\x03\x04 no archive")
    with pytest.raises(DataError, match=r"x.npz cannot be read as one array"):
        load("karate", features=tmp_path / "x.npz")
