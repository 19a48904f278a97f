import gzip
import logging

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import torch
from scipy import sparse
from torch_geometric.data import Data

from graphrank.data import ColumnNames, LoadReport, load
from graphrank.errors import DataError


def test_contract(write):
    graph = load(write("e.csv", "u,v\nb,a\na,b\na,b\nc,c\nd,a\n"), structural_features=True)
    assert graph.edge_index.dtype == torch.int64
    assert graph.x.dtype == torch.float32
    assert graph.x.size(0) == graph.num_nodes == 4
    assert graph.name == "e"
    assert graph.directed is False
    assert graph.feature_source == "structural"
    assert graph.load_report == LoadReport(
        nodes=4,
        edges=4,
        self_loops_removed=1,
        duplicates_merged=1,
        zero_weights_removed=0,
        isolated=1,
        components=2,
        directed=False,
        symmetrised=True,
        feature_source="structural",
    )


def test_log_is_readable(write, caplog):
    with caplog.at_level(logging.INFO, logger="graphrank"):
        load(write("e.csv", "u,v,w\nb,a,1\na,b,1\nc,c,1\nd,a,1\na,d,0\n"))
    assert caplog.messages == [
        "e: no features given, using 28 structural ones",
        "e: 4 nodes, 4 edge entries, undirected, 2 components; 1 isolated nodes kept;"
        " 1 self-loops removed; 1 edges of weight zero removed; missing opposite directions added",
    ]


def test_directed_components_ignore_directions():
    report = load(nx.DiGraph([(0, 1), (2, 1)]), directed=True).load_report
    assert report.components == 1
    assert report.isolated == 0
    assert "directed" in str(report)


def test_without_structural_features():
    graph = load(nx.path_graph(3), structural_features=False)
    assert graph.x is None
    assert graph.num_nodes == 3
    assert graph.feature_source == "none"


def test_names_win_over_files_of_the_same_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "karate").write_text("0 1\n")
    assert load("karate").num_nodes == 34
    assert load(tmp_path / "karate").num_nodes == 2
    assert load("./karate").num_nodes == 2


def test_files_without_ending(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "friends").write_text("0 1\n")
    assert load("friends").num_nodes == 2


@pytest.mark.parametrize("source", ["gone.csv", "some/folder/gone"])
def test_missing_files(source):
    with pytest.raises(DataError, match="there is no file"):
        load(source)


def test_misspelt_names():
    with pytest.raises(DataError, match="did you mean 'karate'"):
        load("karrate")


def test_unknown_ending(write):
    with pytest.raises(DataError, match=r"ending in '\.docx' cannot be read; known are \.csv"):
        load(write("e.docx", "a,b"))


@pytest.mark.parametrize("source", [42, None, np.eye(3)[0]])
def test_unknown_objects(source):
    with pytest.raises(DataError, match="is no graph"):
        load(source)


def test_one_edge_is_enough(write):
    graph = load(write("e.txt", "0 1\n"))
    assert graph.num_nodes == 2
    assert torch.isfinite(graph.x).all()


def test_a_graph_that_was_loaded_with_its_directions_keeps_them():
    once = load(nx.DiGraph([(0, 1), (2, 1)]), directed=True)
    assert load(once).edge_index.tolist() == once.edge_index.tolist()
    assert load(once).directed is True
    assert load(once, directed=False).num_edges == 4
    assert load(Data(edge_index=torch.tensor([[0], [1]]), num_nodes=2)).num_edges == 2


def test_weights_may_be_left_out():
    frame = pd.DataFrame({"source": [0, 1], "target": [1, 2], "weight": [2.0, -1.0]})
    with pytest.raises(DataError, match=r"negative edge weights; .*--unweighted"):
        load(frame)
    assert "edge_weight" not in load(frame, weighted=False)


@pytest.mark.parametrize("missing", ["NA", "", "nan", "None"])
def test_nodes_without_label_in_every_kind_of_source(tmp_path, missing, caplog):
    caplog.set_level(logging.INFO, logger="graphrank")
    edges = tmp_path / "edges.csv"
    edges.write_text("source,target\n0,1\n1,2\n2,3\n")
    labels = tmp_path / "labels.csv"
    labels.write_text(f"id,label\n0,x\n1,{missing}\n2,y\n3,x\n")
    assert load(edges, labels=labels).y.tolist() == [0, -1, 1, 0]
    assert "edges: 3 of 4 nodes have a label, 2 classes" in caplog.text
    values = np.array(["x", missing, "y", "x"], dtype=object)
    assert load(edges, labels=values).y.tolist() == [0, -1, 1, 0]


def test_numbers_without_label_in_arrays_and_archives(tmp_path):
    edges = np.array([[0, 1, 2], [1, 2, 3]])
    np.savez(tmp_path / "g.npz", edge_index=edges, y=np.array([0, -1, 1, 2]))
    assert load(tmp_path / "g.npz").y.tolist() == [0, -1, 1, 2]
    np.savez(tmp_path / "h.npz", edge_index=edges, y=np.array([0, np.nan, 1, 0]))
    assert load(tmp_path / "h.npz").y.tolist() == [0, -1, 1, 0]
    matrix = sparse.coo_array((np.ones(3), edges), shape=(4, 4))
    assert load(matrix, labels=np.array([5, np.nan, 7, 5])).y.tolist() == [0, -1, 1, 0]
    assert load(matrix, labels=[None, "a", "b", None]).y.tolist() == [-1, 0, 1, -1]


def test_features_and_labels_in_two_tables_with_columns_of_their_own(tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\n0,1\n1,2\n")
    (tmp_path / "nodes.csv").write_text("who,name,age\n0,ann,1\n1,bob,2\n2,cy,3\n")
    (tmp_path / "labels.csv").write_text("id,cls\n0,x\n2,y\n")
    columns = ColumnNames(id="who", label="cls", exclude=("name",))
    data = load(
        tmp_path / "edges.csv",
        features=tmp_path / "nodes.csv",
        labels=tmp_path / "labels.csv",
        columns=columns,
    )
    assert data.x.tolist() == [[1], [2], [3]] and data.y.tolist() == [0, -1, 1]
    with pytest.raises(DataError, match="'clss'"):
        load(
            tmp_path / "edges.csv",
            features=tmp_path / "nodes.csv",
            labels=tmp_path / "labels.csv",
            columns=ColumnNames(id="who", label="clss", exclude=("name",)),
        )


def test_a_label_column_in_the_features_never_becomes_a_feature(tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\n0,1\n1,2\n")
    (tmp_path / "nodes.csv").write_text("id,age,cls\n0,1,5\n1,2,6\n2,3,5\n")
    (tmp_path / "labels.csv").write_text("id,cls\n0,x\n2,y\n")
    data = load(
        tmp_path / "edges.csv",
        features=tmp_path / "nodes.csv",
        labels=tmp_path / "labels.csv",
        columns=ColumnNames(label="cls"),
    )
    assert data.feature_names == ["age"]


def test_compressed_tables(tmp_path):
    with gzip.open(tmp_path / "web.txt.gz", "wt") as file:
        file.write("# From To\n0\t1\n1\t2\n")
    with gzip.open(tmp_path / "nodes.csv.gz", "wt") as file:
        file.write("id,a\n0,1\n1,2\n2,3\n")
    data = load(tmp_path / "web.txt.gz", features=tmp_path / "nodes.csv.gz")
    assert data.num_edges == 4 and data.name == "web" and data.x.tolist() == [[1], [2], [3]]
    (tmp_path / "bad.csv.gz").write_bytes(b"no gzip")
    with pytest.raises(DataError, match=r"bad.csv.gz cannot be read as a table"):
        load(tmp_path / "bad.csv.gz")
    (tmp_path / "x.npz.gz").write_bytes(b"")
    with pytest.raises(DataError, match="only tables can be; unpack it"):
        load(tmp_path / "x.npz.gz")


def test_sets_of_a_file_have_no_directions(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text('{"edges": [[0, 1]]}\n{"edges": [[0, 1], [1, 2]]}\n')
    assert len(load(path)) == 2
    with pytest.raises(DataError, match="leave out --directed"):
        load(path, directed=True)
