import logging

import networkx as nx
import pytest

from graphrank.data import load, node_ids
from graphrank.data.readers.nx import is_networkx
from graphrank.errors import DataError


def test_nodes_in_order_with_attributes(caplog):
    graph = nx.Graph(name="club")
    graph.add_node("b", age=1, rich=True, club="x", label="red")
    graph.add_node("a", age=2, rich=False, club="y", label="blue", extra=1)
    graph.add_edge("a", "b")
    with caplog.at_level(logging.INFO, logger="graphrank"):
        data = load(graph)
    assert node_ids(data) == ["b", "a"]
    assert data.x.tolist() == [[1, 1], [2, 0]]
    assert data.feature_names == ["age", "rich"]
    assert data.y.tolist() == [1, 0]
    assert data.class_names == ["blue", "red"]
    assert data.name == "club"
    assert "left out, not numeric or not on all: club, extra" in caplog.text


def test_weights_and_parallel_edges():
    graph = nx.MultiGraph()
    graph.add_edge(0, 1, weight=2)
    graph.add_edge(0, 1)
    assert load(graph).edge_weight.tolist() == [3, 3]


@pytest.mark.parametrize(("directed", "edges"), [(True, [[0], [1]]), (False, [[0, 1], [1, 0]])])
def test_directions(directed, edges):
    assert load(nx.DiGraph([(0, 1)]), directed=directed).edge_index.tolist() == edges
    assert load(nx.Graph([(0, 1)]), directed=True).edge_index.tolist() == [[0, 1], [1, 0]]


def test_ids_of_any_kind():
    assert node_ids(load(nx.path_graph(3))) == [0, 1, 2]
    assert node_ids(load(nx.grid_2d_graph(1, 2))) == ["(0, 0)", "(0, 1)"]
    assert node_ids(load(nx.Graph([(1, "a")]))) == ["1", "a"]
    with pytest.raises(DataError, match="'1' twice"):
        load(nx.Graph([(1, "1")]))


def test_no_nodes_and_no_edges():
    with pytest.raises(DataError, match="empty graph"):
        load(nx.Graph())
    assert load(nx.empty_graph(3)).num_edges == 0


def test_bad_weights():
    with pytest.raises(DataError, match="weights that are no numbers"):
        load(nx.Graph([(0, 1, {"weight": "heavy"})]))


def test_recognised_without_import():
    class Own(nx.DiGraph):
        pass

    assert is_networkx(Own())
    assert not is_networkx(object())


def test_labels_of_some_nodes():
    graph = nx.path_graph(4)
    graph.nodes[1]["label"] = "a"
    graph.nodes[2]["label"] = "b"
    graph.nodes[3]["label"] = None
    assert load(graph).y.tolist() == [-1, 0, 1, -1]


def test_attributes_of_a_set_by_name_and_not_by_place():
    first, second, third = (nx.path_graph(2) for _ in range(3))
    for node in (0, 1):
        first.nodes[node].update(age=node, pay=9 - node)
        second.nodes[node].update(pay=5, age=3 + node)
        third.nodes[node].update(pay=5, size=1)
    assert load([first, second]).x.tolist() == [[0, 9], [1, 8], [3, 5], [4, 5]]
    with pytest.raises(DataError, match="do not have the same node attributes"):
        load([first, third])
