import importlib
import json

import networkx as nx
import pytest

from graphrank.data import load, node_ids
from graphrank.errors import DataError


def test_graphml(tmp_path):
    graph = nx.Graph()
    graph.add_node("x", age=3.5, label="p")
    graph.add_node("y", age=1.5, label="q")
    graph.add_edge("x", "y", weight=2.0)
    nx.write_graphml(graph, tmp_path / "g.graphml")
    data = load(tmp_path / "g.graphml")
    assert node_ids(data) == ["x", "y"]
    assert data.x.tolist() == [[3.5], [1.5]]
    assert data.class_names == ["p", "q"]
    assert data.edge_weight.tolist() == [2, 2]
    assert data.name == "g"


def test_damaged_graphml(write):
    with pytest.raises(DataError, match="is no GraphML"):
        load(write("g.graphml", "<graphml"))


def test_without_networkx(write, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(DataError, match=r"install graphrank\[networkx\]"):
        load(write("g.graphml", "<graphml/>"))


def named_graph():
    graph = nx.Graph()
    graph.add_node("x", age=3.5, club="p")
    graph.add_node("y", age=1.5, club="q")
    graph.add_edge("x", "y", weight=2.0)
    return graph


@pytest.mark.parametrize(("ending", "write"), [("gml", nx.write_gml), ("gexf", nx.write_gexf)])
def test_other_files_with_attributes(tmp_path, ending, write):
    write(named_graph(), tmp_path / f"g.{ending}")
    data = load(tmp_path / f"g.{ending}")
    assert node_ids(data) == ["x", "y"]
    assert data.x[:, data.feature_names.index("age")].tolist() == [3.5, 1.5]
    assert data.edge_weight.tolist() == [2, 2]


def test_gml_without_labels_has_ids(write):
    nodes = "node [ id 5 ] node [ id 3 ] edge [ source 3 target 5 ]"
    assert node_ids(load(write("g.gml", f"graph [ {nodes} ]"))) == [5, 3]


@pytest.mark.parametrize("key", ["links", "edges"])
def test_nodes_and_links_as_json(write, key):
    nodes = [{"id": "b", "age": 2, "label": "old"}, {"id": "a", "age": 1, "label": "new"}]
    links = [{"source": "a", "target": "b", "weight": 2}, {"source": "b", "target": "a"}]
    data = load(write("g.json", json.dumps({"nodes": nodes, key: links})))
    assert node_ids(data) == ["b", "a"]
    assert data.x.flatten().tolist() == [2, 1]
    assert data.y.tolist() == [1, 0]
    assert data.edge_weight.tolist() == [3, 3]
    path = write("g.json", json.dumps({"directed": True, "nodes": nodes, key: links[:1]}))
    assert load(path, directed=True).edge_index.tolist() == [[1], [0]]


@pytest.mark.parametrize(
    ("name", "text", "match"),
    [
        ("g.gml", "graph [", "is no GML"),
        ("g.gexf", "<gexf", "is no GEXF"),
        ("g.json", "[1]", "is no JSON of nodes and links .it has no nodes"),
        ("g.json", "{", "is no JSON of nodes and links"),
        ("g.json", '{"nodes": []}', "is no JSON of nodes and links"),
        ("g.json", '{"nodes": [3], "links": []}', "is no JSON of nodes and links"),
        ("g.json", '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}', "link to 2"),
    ],
)
def test_damaged_files(write, name, text, match):
    with pytest.raises(DataError, match=match):
        load(write(name, text))
