import gzip
import json

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank import GraphRank
from graphrank.data import ColumnNames, load
from graphrank.data.readers.node_marks import read_json_features, read_long_table
from graphrank.errors import DataError

USUAL = ColumnNames()


@pytest.fixture
def edges(tmp_path):
    path = tmp_path / "e.csv"
    path.write_text("source,target\n7,8\n8,9\n")
    return path


@pytest.fixture
def written(tmp_path):
    def write(content):
        path = tmp_path / "f.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write


def test_lists_of_what_each_node_has(edges, written):
    graph = load(edges, features=written({"9": [10, 2], "7": [2], "8": []}))
    assert graph.node_id == [9, 7, 8]
    assert graph.feature_names == ["feature=2", "feature=10"]
    assert graph.x.layout == torch.sparse_csr
    assert graph.x.to_dense().tolist() == [[1, 1], [1, 0], [0, 0]]
    assert graph.edge_index.tolist() == [[0, 1, 2, 2], [2, 2, 0, 1]]


def test_words_and_what_is_said_twice(written):
    table = read_json_features(written({"a": ["red", "blue", "red"], "b": ["blue"]}))
    assert table.feature_names == ["feature=blue", "feature=red"]
    assert table.x.toarray().tolist() == [[1, 2], [1, 0]]


def test_values_by_name(written):
    table = read_json_features(written({"a": {"age": 3, "size": 0.5}, "b": {"size": 2}}))
    assert table.feature_names == ["feature=age", "feature=size"]
    assert table.x.toarray().tolist() == [[3, 0.5], [0, 2]]


def test_lists_with_a_fraction_are_values(edges, written):
    graph = load(edges, features=written({"7": [1, 2], "8": [0.5, 4], "9": [0, 0]}))
    assert graph.x.tolist() == [[1, 2], [0.5, 4], [0, 0]]
    with pytest.raises(DataError, match="not equally long"):
        load(edges, features=written({"7": [1.5], "8": [1, 2], "9": [1, 2]}))


def test_nodes_that_are_not_mentioned_have_nothing(edges, written, caplog):
    caplog.set_level("INFO")
    graph = load(edges, features=written({"8": ["red"], "5": ["blue"]}))
    assert graph.node_id == [8, 5, 7, 9]
    assert graph.x.to_dense().tolist() == [[0, 1], [1, 0], [0, 0], [0, 0]]
    assert "f.json does not mention 2 nodes, which have no features" in caplog.text
    with pytest.raises(DataError, match=r"not in f\.json, such as 9"):
        load(edges, features=written({"7": [0.5], "8": [1.5]}))


def test_compressed(tmp_path, edges):
    path = tmp_path / "f.json.gz"
    path.write_bytes(gzip.compress(json.dumps({"7": [1], "8": [2], "9": [1]}).encode()))
    assert load(edges, features=path).x.to_dense().tolist() == [[1, 0], [0, 1], [1, 0]]


@pytest.mark.parametrize(
    "content", ["[1, 2", "[1, 2]", "{}", {"a": 3}, {"a": [1], "b": {"c": 1}}, {"a": [[1]]},
                {"a": {"b": "c"}}, {"a": [None]}],
)  # fmt: skip
def test_other_json_is_refused_with_what_is_wanted(written, content):
    with pytest.raises(DataError, match=r"red.*round") as caught:
        read_json_features(written(content))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("head", ["node_id,feature_id", "user,tag", "id,word"])
def test_a_row_for_each_feature_of_a_node(tmp_path, edges, head):
    path = tmp_path / "f.csv"
    path.write_text(f"{head}\n7,10\n8,2\n7,2\n")
    graph = load(edges, features=path)
    mark = head.split(",")[1]
    assert graph.feature_names == [f"{mark}=2", f"{mark}=10"]
    assert graph.node_id == [7, 8, 9]
    assert graph.x.to_dense().tolist() == [[1, 1], [1, 0], [0, 0]]


def test_rows_with_values(tmp_path):
    frame = pd.DataFrame({"id": ["a", "a", "b"], "term": ["x", "y", "x"], "count": [2, 0, 1.5]})
    assert read_long_table(frame, USUAL).x.toarray().tolist() == [[2, 0], [1.5, 0]]
    path = tmp_path / "f.csv"
    path.write_text("id,term,count\na,x,1\na,y,\n")
    with pytest.raises(DataError, match=r"'count' of f\.csv has no number in row 2"):
        read_long_table(path, USUAL)
    path.write_text("id,term\na,x\na,\n")
    with pytest.raises(DataError, match=r"'term' of f\.csv has no id in row 2"):
        read_long_table(path, USUAL)


def test_a_table_with_a_row_for_each_node_stays_what_it_is(edges):
    one_each = pd.DataFrame({"id": [7, 8, 9], "feature": [0.5, 1.5, 3.0]})
    assert read_long_table(one_each, USUAL) is None
    assert load(edges, features=one_each).x.flatten().tolist() == [0.5, 1.5, 3]
    wide = pd.DataFrame({"id": [7, 8, 9], "feature": [1, 2, 3], "age": [1, 2, 4]})
    assert read_long_table(wide, USUAL) is None
    other = pd.DataFrame({"who": [7, 7], "tag": [1, 2]})
    assert read_long_table(other, ColumnNames(id="tag")) is None


def test_a_model_knows_its_features_by_name(edges, written):
    model = GraphRank(seed=0, epochs=1).fit(
        load(edges, features=written({"7": [1, 2], "8": [2, 3], "9": [1, 3]}))
    )
    new = load(edges, features=written({"7": [2, 99], "8": [2], "9": [3]}))
    same = load(edges, features=written({"7": [2], "8": [2], "9": [3]}))
    assert torch.equal(model.transform(new), model.transform(same))


@given(
    st.dictionaries(
        st.integers(0, 30), st.lists(st.integers(0, 9), unique=True), min_size=1, max_size=12
    )
)
def test_both_forms_tell_the_same(tmp_path_factory, has):
    path = tmp_path_factory.mktemp("marks") / "f.json"
    path.write_text(json.dumps({str(node): marks for node, marks in has.items()}))
    table = read_json_features(path)
    rows = [(node, mark) for node, marks in has.items() for mark in marks]
    seen = sorted({mark for _, mark in rows})
    assert table.feature_names == [f"feature={mark}" for mark in seen]
    for node, row in zip(table.ids, table.x.toarray(), strict=True):
        assert [seen[at] for at in np.flatnonzero(row)] == sorted(has[int(node)])
    if len({node for node, _ in rows}) < len(rows):
        long = read_long_table(pd.DataFrame(rows, columns=["id", "feature"]), USUAL)
        kept = [node for node in table.ids if has[int(node)]]
        assert long.ids == kept
        assert (long.x.toarray() == table.x.toarray()[[table.ids.index(n) for n in kept]]).all()
