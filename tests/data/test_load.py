import logging

import networkx as nx
import numpy as np
import pytest
import torch

from graphrank.data import LoadReport, load
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


@pytest.mark.parametrize("source", [42, None, np.eye(2)])
def test_unknown_objects(source):
    with pytest.raises(DataError, match="is no graph"):
        load(source)


def test_one_edge_is_enough(write):
    graph = load(write("e.txt", "0 1\n"))
    assert graph.num_nodes == 2
    assert torch.isfinite(graph.x).all()
