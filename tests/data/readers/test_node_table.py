import logging

import numpy as np
import pandas as pd
import pytest

from graphrank.data import ColumnNames
from graphrank.data.readers.node_table import read_label_table, read_node_table
from graphrank.errors import DataError

USUAL = ColumnNames()


def test_features_and_labels(write):
    table = read_node_table(write("n.csv", "id,a,b,label\nx,1,2,cat\ny,3,4.5,\n"), USUAL)
    assert table.node_id == ["x", "y"]
    assert table.x.tolist() == [[1, 2], [3, 4.5]]
    assert table.feature_names == ["a", "b"]
    assert table.y.tolist() == [0, -1]
    assert table.class_names == ["cat"]


def test_rows_keep_their_order(write):
    assert read_node_table(write("n.csv", "id,a\n10,1\n9,2\n"), USUAL).node_id == [10, 9]


def test_without_names(write):
    table = read_node_table(write("n.csv", "5,0.5,1\n6,0.25,2\n"), USUAL)
    assert table.node_id == [5, 6]
    assert table.feature_names == ["1", "2"]


def test_index_column_of_pandas(tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2.0]}, index=["p", "q"])
    frame.to_csv(tmp_path / "n.csv")
    assert read_node_table(tmp_path / "n.csv", USUAL).node_id == ["p", "q"]


def test_booleans_and_nullable_numbers_are_numbers():
    frame = pd.DataFrame(
        {"id": [1, 2], "a": [True, False], "b": pd.array([1, None], dtype="Int64")}
    )
    x = read_node_table(frame, USUAL).x
    np.testing.assert_array_equal(x, [[1, 1, 0], [0, 1, 1]])  # a mark for what is missing


def test_labels_only(write):
    table = read_node_table(write("n.csv", "id,label\n1,0\n2,1\n"), USUAL)
    assert table.x is None
    assert table.y.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,a,city\n1,2,\n", r"feature column 'city' of n\.csv is empty"),
        ("id,a\n1,2\n1,3\n", r"n\.csv has node id '1' twice"),
        ("id,a\n1,2\n,3\n", "has no id in row 2"),
        ("a,b\nx,2\n", "no id column"),
    ],
)
def test_bad_tables(write, text, message):
    with pytest.raises(DataError, match=message):
        read_node_table(write("n.csv", text), USUAL)


def test_excluded_column(write):
    path = write("n.csv", "id,a,city\n1,2,Rome\n2,3,Oslo\n")
    assert read_node_table(path, ColumnNames(exclude=("city",))).feature_names == ["a"]


def test_few_features_are_named_so_that_a_label_among_them_is_seen(write, caplog):
    caplog.set_level(logging.INFO, "graphrank")
    read_node_table(write("n.csv", "id,age,fraud,label\n1,2,0,a\n2,3,1,b\n"), USUAL)
    assert "n.csv: features are age, fraud; leave out what is none" in caplog.text
    caplog.clear()
    many = ",".join(f"w{i}" for i in range(13))
    read_node_table(write("n.csv", f"id,{many}\n1{',0' * 13}\n2{',1' * 13}\n"), USUAL)
    read_node_table(write("n.csv", "1,2,0\n2,3,1\n"), USUAL)  # columns without names
    assert "features are" not in caplog.text


@pytest.mark.parametrize("text", ["id,label\n1,b\n2,a\n", "1,b\n2,a\n", "who,kind\n1,b\n2,a\n"])
def test_label_tables(write, text):
    table = read_label_table(write("l.csv", text), USUAL)
    assert table.node_id == [1, 2]
    assert table.y.tolist() == [1, 0]
    assert table.class_names == ["a", "b"]


def test_label_table_without_labels(write):
    with pytest.raises(DataError, match="add the label"):
        read_label_table(write("l.csv", "id\na\n"), USUAL)


def test_a_label_table_with_several_columns_asks_which_it_is(write):
    path = write("l.csv", "id,age,town\na,1,x\nb,2,y\n")
    with pytest.raises(DataError, match=r"2 columns beside the id 'id' \(age, town\).*--label-col"):
        read_label_table(path, USUAL)
    assert read_label_table(path, ColumnNames(label="town")).class_names == ["x", "y"]
    assert read_label_table(write("l.csv", "id,age,label\na,1,x\nb,2,y\n"), USUAL).y.tolist() == [
        0,
        1,
    ]
