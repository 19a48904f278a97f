import pytest

from graphrank.data.columns import (
    ColumnNames,
    edge_columns,
    long_columns,
    node_columns,
    usual_ends,
)
from graphrank.errors import DataError


@pytest.mark.parametrize(
    ("names", "given", "expected"),
    [
        (["source", "target"], {}, ("source", "target", None)),
        (["Weight", "Dst", "SRC"], {}, ("SRC", "Dst", "Weight")),
        (["a", "b", "c"], {}, ("a", "b", None)),
        (["a", "b", "w"], {}, ("a", "b", "w")),
        (["a", "b", "c"], {"source": "b", "target": "c"}, ("b", "c", None)),
        (["a", "b", "c"], {"source": "b"}, ("b", "a", None)),
        (["a", "b", "c"], {"weight": "c"}, ("a", "b", "c")),
        (["source", "x", "to"], {}, ("source", "to", None)),
        (["source", "x"], {}, ("source", "x", None)),
        (["x", "source"], {}, ("source", "x", None)),
        (["value", "w"], {}, ("value", "w", None)),
    ],
)
def test_edge_columns(names, given, expected):
    assert edge_columns(names, ColumnNames(**given), "edges.csv") == expected


@pytest.mark.parametrize(
    ("names", "given", "message"),
    [
        (["a"], {}, "needs two columns"),
        ([], {}, "needs two columns"),
        (["a", "b"], {"source": "b", "target": "b"}, "needs two columns"),
        (["sender", "b"], {"source": "sendr"}, "did you mean 'sender'"),
    ],
)
def test_bad_edge_columns(names, given, message):
    with pytest.raises(DataError, match=message):
        edge_columns(names, ColumnNames(**given), "edges.csv")


@pytest.mark.parametrize(
    ("names", "given", "expected"),
    [
        (["id", "a", "label"], {}, ("id", "label", ["a"])),
        (["a", "Node_ID", "Class"], {}, ("Node_ID", "Class", ["a"])),
        (["", "0", "1"], {}, ("", None, ["0", "1"])),
        (["k", "a", "z"], {"id": "k", "label": "z"}, ("k", "z", ["a"])),
        (["id", "a", "b"], {"exclude": ("b",)}, ("id", None, ["a"])),
    ],
)
def test_node_columns(names, given, expected):
    assert node_columns(names, ColumnNames(**given), "nodes.csv") == expected


def test_bad_node_columns():
    with pytest.raises(DataError, match=r"nodes\.csv has no id column"):
        node_columns(["a", "b"], ColumnNames(), "nodes.csv")
    with pytest.raises(DataError, match="no column 'q'"):
        node_columns(["id", "b"], ColumnNames(exclude=("q",)), "nodes.csv")
    assert node_columns(["a", "b"], ColumnNames(), "", first_is_id=True) == ("a", None, ["b"])


def test_usual_ends():
    assert usual_ends(["u", "v"])
    assert not usual_ends(["alice", "bob"])


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("edge_id", "source", "destination"), ("source", "destination", None)),
        (("sender", "receiver", "w"), ("sender", "receiver", "w")),
        (("", "a", "b"), ("a", "b", None)),
        (("Unnamed: 0", "a", "b", "weight"), ("a", "b", "weight")),
        (("source", "friend"), ("source", "friend", None)),
        (("a", "b", "start", "end"), ("a", "b", None)),
        (("w", "v"), ("w", "v", None)),
        (("index", "b"), ("index", "b", None)),
    ],
)
def test_ends_among_other_columns(names, expected):
    assert edge_columns(names, ColumnNames(), "t") == expected


def test_one_end_with_a_usual_name_among_many_is_asked_for():
    with pytest.raises(DataError, match=r"two columns of node ids beside 'source'.*target-column"):
        edge_columns(("when", "source", "friend"), ColumnNames(), "t")


def test_a_table_with_a_row_for_each_feature_is_known_by_its_columns():
    assert long_columns(["user", "tag"], ColumnNames()) == ("user", "tag", None)
    assert long_columns(["value", "node_id", "feature_id"], ColumnNames()) == (
        "node_id", "feature_id", "value",
    )  # fmt: skip
    assert long_columns(["id", "word", "time"], ColumnNames(exclude=("time",))) == (
        "id", "word", None,
    )  # fmt: skip
    for names in (["id", "age"], ["id", "word", "age"], ["word"], ["word", "count"]):
        assert long_columns(names, ColumnNames()) is None
    assert long_columns(["id", "word"], ColumnNames(id="word")) is None
