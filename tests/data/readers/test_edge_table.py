import logging

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphrank.data import ColumnNames, load, node_ids
from graphrank.errors import DataError

IDS = st.text(
    alphabet=st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=6
)
QUIET = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def pairs_of(graph):
    ids = node_ids(graph)
    return [(ids[a], ids[b]) for a, b in graph.edge_index.T.tolist()]


def both_ways(pairs):
    return {(a, b) for u, v in pairs for a, b in ((u, v), (v, u)) if a != b}


def save(path, pairs, names):
    pd.DataFrame(pairs, columns=names).to_csv(path, index=False)


@QUIET
@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=1, max_size=40))
def test_integer_edge_lists_equal_a_set_of_pairs(tmp_path, pairs):
    path = tmp_path / "edges.csv"
    save(path, pairs, ["source", "target"])
    expected = both_ways(pairs)
    if not expected:
        with pytest.raises(DataError, match="no edge between two different nodes"):
            load(path)
        return
    graph = load(path, structural_features=False)
    assert set(pairs_of(graph)) == expected
    assert len(pairs_of(graph)) == len(expected)
    assert node_ids(graph) == sorted({node for pair in pairs for node in pair})


@QUIET
@given(st.lists(st.tuples(IDS, IDS).filter(lambda p: p[0] != p[1]), min_size=1, max_size=30))
def test_text_ids_come_back_exactly(tmp_path, pairs):
    path = tmp_path / "edges.parquet"
    pd.DataFrame(pairs, columns=["u", "v"]).to_parquet(path)
    graph = load(path, structural_features=False)
    assert set(pairs_of(graph)) == both_ways(pairs)


@QUIET
@given(st.lists(st.tuples(IDS, IDS).filter(lambda p: p[0] != p[1]), min_size=1, max_size=30))
def test_text_ids_come_back_from_csv(tmp_path, pairs):
    path = tmp_path / "edges.csv"
    save(path, [(f"n{u}", f"n{v}") for u, v in pairs], ["source", "target"])
    graph = load(path, structural_features=False)
    assert set(pairs_of(graph)) == both_ways([(f"n{u}", f"n{v}") for u, v in pairs])


def test_leading_zeros_are_kept(write):
    graph = load(write("e.csv", "source,target\n007,8\n8,9\n"))
    assert node_ids(graph) == ["007", "8", "9"]


def test_typed_text_stays_text(tmp_path):
    frame = pd.DataFrame({"source": ["1", "2"], "target": ["2", "10"]})
    frame.to_parquet(tmp_path / "e.parquet")
    assert node_ids(load(tmp_path / "e.parquet")) == ["1", "10", "2"]
    assert node_ids(load(frame)) == ["1", "10", "2"]
    assert node_ids(load(frame.astype(int))) == [1, 2, 10]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("e.txt", "0 1\n1 2\n"),
        ("e.edges", "# comment\n0\t1\n1\t2\n"),
        ("e.tsv", "0\t1\n1\t2\n"),
        ("e.csv", "0,1\n1,2\n"),
        ("e.csv", "from,to\n0,1\n1,2\n"),
        ("e.edgelist", "0 1\n\n1 2\n"),
        ("edges", "0 1\n1 2\n"),
    ],
)
def test_files_without_names(write, name, text):
    graph = load(str(write(name, text)))
    assert graph.edge_index.tolist() == [[0, 1, 1, 2], [1, 0, 2, 1]]
    assert node_ids(graph) == [0, 1, 2]
    assert graph.name == write(name, text).stem


def test_text_without_names_is_warned_of_and_can_be_said(write, caplog):
    path = write("e.csv", "alice,bob\nbob,carol\n")
    with caplog.at_level(logging.WARNING, logger="graphrank"):
        assert node_ids(load(path)) == ["bob", "carol"]
    assert "the first row is taken as names ('alice', 'bob')" in caplog.text
    assert node_ids(load(path, columns=ColumnNames(header=False))) == ["alice", "bob", "carol"]


def test_weights(write):
    graph = load(write("e.csv", "u,v,w\na,b,1\na,b,2\nb,a,5\nb,c,0.5\n"))
    assert graph.edge_weight.tolist() == [5, 5, 0.5, 0.5]
    assert graph.load_report.duplicates_merged == 1


def test_directed(write):
    path = write("e.csv", "u,v\na,b\nb,c\n")
    graph = load(path, directed=True)
    assert graph.edge_index.tolist() == [[0, 1], [1, 2]]
    assert graph.directed
    assert not graph.load_report.symmetrised


def test_given_columns(write):
    path = write("e.csv", "day,payer,amount,payee\n1,a,3,b\n2,b,4,c\n")
    columns = ColumnNames(source="payer", target="payee", weight="amount")
    graph = load(path, columns=columns)
    assert node_ids(graph) == ["a", "b", "c"]
    assert graph.edge_weight.tolist() == [3, 3, 4, 4]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("source,target\n", "empty graph"),
        ("source,target\na,\n", "column 'target' of e.csv has no id in row 1"),
        ("source,target,w\na,b,heavy\n", "weights that are no numbers"),
        ("source,target,w\na,b,\n", "missing or infinite edge weights"),
        ("source,target,w\na,b,-1\n", "negative"),
        ("source,target\na,a\n", "no edge between two different nodes"),
        ("source\na\n", "needs two columns"),
    ],
)
def test_bad_files(write, text, message):
    with pytest.raises(DataError, match=message):
        load(write("e.csv", text))


def test_an_unnamed_third_column_is_told_of(tmp_path, caplog):
    path = tmp_path / "edges.txt"
    path.write_text("0 1 0.5\n1 2 2\n")
    assert "edge_weight" not in load(path)
    assert "column '2' has no name and is not used" in caplog.text
    caplog.clear()
    weighted = load(path, columns=ColumnNames(weight="2"))
    assert weighted.edge_weight.tolist() == [0.5, 0.5, 2, 2]
    assert "is not used" not in caplog.text


def test_a_named_column_that_may_hold_weights_is_told_of(caplog):
    frame = pd.DataFrame({"user": [0, 1], "item": [1, 2], "rating": [5, 4], "index": [0, 1]})
    with caplog.at_level(logging.INFO, logger="graphrank"):
        load(frame)
    assert "rating is not read; say --weight-column rating if it holds weights" in caplog.text
    caplog.clear()
    with caplog.at_level(logging.INFO, logger="graphrank"):
        weights = load(frame, columns=ColumnNames(weight="rating")).edge_weight
    assert "is not read" not in caplog.text and sorted(weights.tolist()) == [4, 4, 5, 5]


def test_a_guess_of_columns_in_a_data_frame_is_told_of(caplog):
    load(pd.DataFrame({"when": [1, 2], "a": [0, 1], "b": [1, 2]}))
    assert "edges are taken to go from 'when' to 'a'" in caplog.text
    caplog.clear()
    load(pd.DataFrame({"a": [0, 1], "b": [1, 2]}))
    assert "are taken to go" not in caplog.text


def test_two_columns_of_one_name_in_a_data_frame():
    with pytest.raises(DataError, match="the table has two columns of the same name"):
        load(pd.DataFrame([[0, 1, 2]], columns=["source", "target", "target"]))


def test_an_empty_file_is_told_once(tmp_path):
    (tmp_path / "edges.csv").write_text("")
    with pytest.raises(DataError, match=r"^edges.csv is empty; give it at least one row$"):
        load(tmp_path / "edges.csv")
