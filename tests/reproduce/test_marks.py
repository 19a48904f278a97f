"""Marks: the difference to a printed figure against its standard error."""

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrank.reproduce.marks import SIGNS, mark
from graphrank.reproduce.published import Printed

VALUES = st.lists(st.floats(0, 100), min_size=2, max_size=6)


@given(VALUES, st.floats(0, 100), st.floats(0, 5))
def test_against_the_formula(values, value, std):
    found = mark(values, Printed(value, std), 5)
    squares = [(each - statistics.fmean(values)) ** 2 for each in values]
    ours = sum(squares) / (len(values) - 1) / len(values)
    error = math.sqrt(ours + std**2 / 5)
    assert found.error == pytest.approx(error, abs=1e-9)
    assert found.difference == pytest.approx(sum(values) / len(values) - value)
    if abs(abs(found.difference) - 2 * error) > 1e-6:
        within = abs(found.difference) < 2 * error
        expected = "within" if within else "above" if found.difference > 0 else "below"
        assert found.verdict == expected


def test_one_seed_tells_nothing():
    found = mark([90.0], Printed(80.0, 0.1), 5)
    assert (found.verdict, found.error, found.difference) == ("open", None, 10.0)


def test_another_protocol_is_always_told():
    found = mark([90.0, 90.1], Printed(80.0), 5, other_protocol=True)
    assert found.sign == "◇▲"
    assert found.words == "published under another protocol; above"


def test_marks_differ_in_shape_not_in_colour_alone():
    assert len(set(SIGNS.values())) == len(SIGNS)
