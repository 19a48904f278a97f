import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrank.training.stopping import on_plateau


@pytest.mark.parametrize(
    ("loss", "patience", "stops"),
    [
        ([], 1, False),
        ([1.0], 1, False),
        ([1.0, 1.0], 1, True),
        ([1.0, 0.9], 1, False),
        ([1.0, 0.9995], 1, True),  # a gain of less than a thousandth is none
        ([1.0, 0.998], 1, False),
        ([1.0, 2.0], 1, True),
        ([5.0, 1.0, 1.0], 2, False),  # too short to judge
        ([5.0, 1.0, 1.0, 1.0], 2, False),
        ([9.0, 5.0, 1.0, 1.0, 1.0], 2, False),
        ([9.0, 1.0, 1.0, 1.0, 1.0], 2, True),
        ([0.0] * 6, 3, True),
    ],
)
def test_known_cases(loss, patience, stops):
    assert on_plateau(loss, patience) is stops


@given(st.integers(1, 10), st.integers(0, 30))
def test_a_falling_loss_never_stops(patience, more):
    assert not on_plateau([0.9**i for i in range(2 * patience + more)], patience)


@given(st.integers(1, 10), st.floats(0.01, 100))
def test_only_the_last_two_stretches_count(patience, start):
    assert on_plateau([start * 1000] * 5 + [start] * (2 * patience), patience)
