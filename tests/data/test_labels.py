import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrank.data.labels import encode_labels, natural


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
