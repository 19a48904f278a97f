import json

import pytest

from graphrank.data import load
from graphrank.errors import DataError


@pytest.fixture
def lines(tmp_path):
    def write(*graphs):
        path = tmp_path / "mine.jsonl"
        path.write_text("\n".join(g if isinstance(g, str) else json.dumps(g) for g in graphs))
        return path

    return write


def test_edges_ids_classes_and_labels(lines):
    graphs = load(
        lines(
            {"id": "a", "edges": [["u", "v"], ["v", "w"]], "y": "ring", "node_labels": [1, 2, 1]},
            "",
            {
                "id": 7,
                "edges": [[10, 9]],
                "nodes": [9, 10, 11],
                "y": "path",
                "node_labels": {"9": 2, "10": "x", "11": 1},
            },
        )
    )
    assert graphs.name == "mine" and graphs.graph_id == ["a", "7"]
    assert graphs.ptr.tolist() == [0, 3, 6]
    assert graphs.edge_index.tolist() == [[0, 1, 1, 2, 3, 4], [1, 0, 2, 1, 4, 3]]
    assert graphs.y.tolist() == [1, 0]
    assert list(graphs.label_names) == ["1", "2", "x"]
    assert graphs.node_label.tolist() == [0, 1, 0, 1, 2, 0]


def test_other_usual_names(lines):
    path = lines(
        {"graph_id": "a", "edge_list": [["u", "v"]], "label": "ring", "node_feat": [[1], [2]]},
        {"id": "b", "edges": [["u", "v"]], "target": "path", "node_features": [[3], [4]]},
    )
    graphs = load(path)
    assert graphs.graph_id == ["a", "b"]
    assert graphs.y.tolist() == [1, 0]  # path, ring
    assert graphs.x.tolist() == [[1], [2], [3], [4]]


def test_graphs_as_sets_of_them_are_published(lines, caplog):
    """Numbered nodes in two rows, isolated ones by their number alone, a class in a list."""
    line = {"edge_index": [[2, 1], [1, 2]], "num_nodes": 4, "y": [[1]], "edge_attr": [[5], [5]]}
    more = {"edge_index": [[0], [2]], "node_feat": [[7], [8], [9], [6], [5]], "y": [0], "z": None}
    graphs = load(lines({**line, "node_feat": [[0], [1], [2], [3]]}, more))
    assert graphs.ptr.tolist() == [0, 4, 9]
    assert graphs.edge_index.tolist() == [[1, 2, 4, 6], [2, 1, 6, 4]]
    assert graphs.x.flatten().tolist() == [0, 1, 2, 3, 7, 8, 9, 6, 5]
    assert graphs.y.tolist() == [1, 0]
    assert caplog.messages == ["mine.jsonl: edge_attr of its graphs is not read"]


def test_the_first_of_several_names_counts(lines, caplog):
    graphs = load(lines(*({"edges": [[0, 1]], "y": y, "label": 9} for y in (3, 4))))
    assert graphs.y.tolist() == [3, 4]
    assert caplog.messages == ["mine.jsonl: label of its graphs is not read"]


def test_edges_alone_are_enough(lines):
    graphs = load(lines({"edges": [[0, 1]]}, {"edges": [[0, 1], [1, 1]], "y": 3}))
    assert graphs.graph_id == [0, 1]
    assert graphs.y is None and graphs.node_label is None
    assert graphs.edge_index.size(1) == 4


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2 of mine.jsonl is no JSON"),
        ("[1]", "line 2 of mine.jsonl has no edges"),
        ({"y": 1}, "line 2 of mine.jsonl has no edges"),
        ({"edges": []}, "line 2 of mine.jsonl is an empty graph"),
        ({"edges": [[1, 2, 3]]}, "no pairs of nodes"),
        ({"edges": [[1, None]]}, "no pairs of nodes"),
        ({"edge_index": [[1, 2], [3]]}, "no two lists of node numbers"),
        ({"edge_index": [["a"], ["b"]]}, "no two lists of node numbers"),
        ({"edge_index": [[-1], [0]]}, "no two lists of node numbers"),
        ({"edge_index": [[0], [1]], "x": 3}, "x that are no list and no object"),
        ({"edge_index": [[0], [1]], "num_nodes": "2"}, "num_nodes that is no whole number"),
        ({"edges": [[1, 2]], "y": [0, 1]}, "has a y that is no whole number"),
        ({"edges": [[1, 2]], "y": 0.5}, "has a y that is no whole number"),
        ({"edges": [[1, 2]], "id": [1]}, "has a id that is no whole number"),
        ({"edges": [[1, 2]], "id": "a"}, "two graphs of mine have the same id"),
        ({"edges": [[1, 2]], "node_labels": [1]}, "has 2 nodes but 1 node labels"),
        ({"edges": [[1, 2]], "node_labels": {"1": 1}}, "has no node_labels for node '2'"),
        ({"edges": [[1, 2]], "node_labels": 3}, "no list and no object"),
    ],
)
def test_what_cannot_be_read(lines, line, message):
    with pytest.raises(DataError, match=message):
        load(lines({"edges": [[0, 1]], "id": "a", "node_labels": [0, 1]}, line))


def test_no_graphs(lines):
    with pytest.raises(DataError, match="mine has no graphs"):
        load(lines(""))


def test_features_by_node_or_in_order(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text(
        '{"edges": [["u", "v"]], "x": {"v": [3, 4], "u": [1, 2]}}\n'
        '{"nodes": null, "edges": [["u", "v"]], "x": [[5, 6], [7, 8]]}\n'
    )
    assert load(path).x.tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"edges": [[0, 1]], "x": [[1], [2, 3]]}', "no table of numbers"),
        ('{"edges": [[0, 1]], "x": [["a"], ["b"]]}', "no table of numbers"),
        ('{"edges": [[0, 1]], "x": [[1]]}', "2 nodes but 1 rows in x"),
        ('{"edges": [[0, 1]], "x": {"0": [1]}}', "no x for node '1'"),
        ('{"edges": [[0, 1]], "nodes": 3}', "nodes that are no list"),
    ],
)
def test_bad_features_and_nodes(tmp_path, line, told):
    path = tmp_path / "set.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(DataError, match=f"line 1 of set.jsonl.*{told}"):
        load(path)


def test_another_encoding(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_bytes('{"id": "ä", "edges": [[0, 1]]}'.encode("latin-1"))
    with pytest.raises(DataError, match="no text in UTF-8"):
        load(path)
