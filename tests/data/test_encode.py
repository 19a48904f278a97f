"""Words and gaps in node tables, against plain loops over their cells."""

import logging
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrank.data.encode import MOST_VALUES, encode, is_absent_mark
from graphrank.errors import DataError

words = st.one_of(st.none(), st.sampled_from(["red", "green", " blue", ""]))
numbers = st.one_of(st.none(), st.integers(-5, 5))


def by_loops(words, numbers):
    """Marks for each word, numbers with gaps filled, marks for gaps: cell by cell."""
    texts = [(word or "").strip() for word in words]
    rows = [[float(text == value) for value in sorted({*texts} - {""})] for text in texts]
    known = [number for number in numbers if number is not None]
    mean = math.fsum(known) / len(known)
    for row, number in zip(rows, numbers, strict=True):
        row.append(mean if number is None else number)
        if len(known) < len(numbers):
            row.append(float(number is None))
    return rows


@given(st.lists(st.tuples(words, numbers), min_size=1, max_size=8))
def test_equals_plain_loops(cells):
    words, numbers = zip(*cells, strict=True)
    frame = pd.DataFrame(
        {"color": pd.Series(words, dtype=object), "size": pd.Series(numbers, dtype="Float64")}
    )
    if not any((word or "").strip() for word in words) or all(n is None for n in numbers):
        with pytest.raises(DataError, match=r"is empty; leave it out with --exclude-column"):
            encode(frame, "n.csv")
        return
    x, names = encode(frame, "n.csv")
    np.testing.assert_allclose(x, by_loops(words, numbers), rtol=1e-6)
    assert x.dtype == np.float32 and len(names) == x.shape[1]
    assert [name for name in names if name.startswith("color=")] == [
        f"color={text}" for text in sorted({(word or "").strip() for word in words} - {""})
    ]


def test_names_and_what_is_said(caplog):
    caplog.set_level(logging.INFO, "graphrank")
    frame = pd.DataFrame(
        {"a": [1.0, None, 5.0, 3.0], "b": ["x", "y", None, "x"], "c": [1, 2, 3, 4]}
    )
    x, names = encode(frame, "n.csv")
    assert names == ["a", "a is missing", "b=x", "b=y", "c"]
    assert x.tolist() == [[1, 0, 1, 0, 1], [3, 1, 0, 1, 2], [5, 0, 0, 0, 3], [3, 0, 1, 0, 4]]
    assert "n.csv: 1 of 4 values of a are missing, filled with the mean" in caplog.text
    assert "n.csv: each of the 2 values of b becomes a feature" in caplog.text
    assert caplog.text.count("if it is the label") == 1  # of b: most of a is there


def test_a_column_that_is_mostly_missing_may_be_the_label(caplog):
    caplog.set_level(logging.INFO, "graphrank")
    encode(pd.DataFrame({"fraud": [1.0, None, None]}), "n.csv")
    assert "if it is the label, name it with --label-column" in caplog.text


def test_booleans_and_infinite_numbers_stay_what_they_are():
    x, names = encode(pd.DataFrame({"a": [True, False], "b": [np.inf, 1.0]}), "n.csv")
    assert names == ["a", "b"] and x.tolist() == [[1, np.inf], [0, 1]]


def test_too_many_words_are_no_categories():
    frame = pd.DataFrame({"who": [f"w{number}" for number in range(MOST_VALUES + 1)]})
    with pytest.raises(
        DataError, match=r"'who' of n\.csv is not numeric and has 101 different values"
    ):
        encode(frame, "n.csv")
    assert encode(frame[:-1], "n.csv")[0].shape == (MOST_VALUES, MOST_VALUES)


def test_rows_of_a_data_frame_may_share_a_name():
    frame = pd.DataFrame({"b": ["x", None, "y"]}, index=[7, 7, 7])
    x, names = encode(frame, "the table")
    assert names == ["b=x", "b=y"] and x.tolist() == [[1, 0], [0, 0], [0, 1]]


def test_times_are_words_too():
    days = pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-01"])
    x, names = encode(pd.DataFrame({"day": days}), "n.parquet")
    assert names == ["day=2024-01-01", "day=2024-01-02"] and x[:, 0].tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("name", "given", "absent"),
    [
        ("b=z", {"b=x"}, True),
        ("b=z", {"b"}, False),
        ("b=z", {"bb=x"}, False),
        ("a is missing", {"a"}, True),
        ("a is missing", {"b"}, False),
        ("a", {"a=x", "a is missing"}, False),
    ],
)
def test_which_columns_another_table_may_lack(name, given, absent):
    assert is_absent_mark(name, given) == absent
