import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrank.data.labels import encode_labels, known_labels, natural, without_placeholder


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["1", "20", "-3", "0"], [1, 20, -3, 0]),
        (["007", "1"], ["007", "1"]),
        (["-0"], ["-0"]),
        (["1.0"], ["1.0"]),
        (["+1"], ["+1"]),
        (["१"], ["१"]),
        (["1 "], ["1 "]),
        ([], []),
    ],
)
def test_natural(names, expected):
    assert natural(names) == expected


@given(st.lists(st.integers()))
def test_natural_keeps_every_integer(values):
    assert natural([str(value) for value in values]) == values


@pytest.mark.parametrize(
    ("values", "y", "names"),
    [
        (["0", "2", "1"], [0, 2, 1], None),
        (["10", "9", "10"], [1, 0, 1], ["9", "10"]),
        (["cat", "ant"], [1, 0], ["ant", "cat"]),
        (["b", "", "a"], [1, -1, 0], ["a", "b"]),
        (["1", "", "0"], [1, -1, 0], None),
        (["", ""], [-1, -1], None),
    ],
)
def test_encode_labels(values, y, names):
    found, found_names = encode_labels(values)
    assert found.tolist() == y
    assert found_names == names


@given(st.lists(st.text(min_size=1).filter(lambda text: "\0" not in text), min_size=1))
def test_class_names_bring_the_labels_back(values):
    y, names = encode_labels(values)
    assert [names[i] if names else str(i) for i in y] == values


def test_missing_labels_in_their_usual_spellings():
    values = ["a", "", None, float("nan"), np.nan, "NA", "None", pd.NA, "b", 3, 4.0, b"c"]
    known = known_labels(values)
    assert known == ["a", "", "", "", "", "", "", "", "b", "3", "4", "c"]
    assert known_labels(["v1.0", "1.50"]) == ["v1.0", "1.50"]


def test_minus_one_beside_numbers_from_zero_is_no_label(caplog):
    y, names = without_placeholder(*encode_labels(["-1", "1", "0", "-1"]), "g")
    assert y.tolist() == [-1, 1, 0, -1] and names is None
    assert "g: label -1 is taken as no label (2 nodes)" in caplog.text


@pytest.mark.parametrize("values", [["-1", "1"], ["-1", "0"], ["-1", "1", "2"], ["-1", "0", "a"]])
def test_minus_one_may_be_a_class_of_its_own(values, caplog):
    y, names = encode_labels(values)
    assert without_placeholder(y, names, "g") == (y, names)
    assert not caplog.text
