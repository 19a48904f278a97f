import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrank.training.stopping import is_best, is_best_validation, no_better, on_plateau


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


@pytest.mark.parametrize(
    ("loss", "patience", "stops"),
    [
        ([], 1, False),
        ([1.0], 1, False),
        ([1.0, 1.0], 1, True),  # as small is not smaller
        ([1.0, 0.9999], 1, False),  # a gain counts however small it is
        ([1.0, 2.0], 2, False),
        ([1.0, 2.0, 3.0], 2, True),
        ([3.0, 1.0, 2.0], 2, False),
        ([3.0, 1.0, 2.0, 1.5], 2, True),
        ([3.0, 1.0, 2.0, 0.5], 2, False),
    ],
)
def test_no_better(loss, patience, stops):
    assert no_better(loss, patience) is stops


losses = st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.4]), min_size=1, max_size=12)


@given(losses, st.integers(1, 4))
def test_no_better_counts_epochs_since_the_first_least(loss, patience):
    """The rule as a counter that every new least loss sets back to zero."""
    least, waited, stopped = float("inf"), 0, False
    for value in loss:
        waited = 0 if value < least else waited + 1
        least = min(least, value)
        stopped = waited >= patience
    assert no_better(loss, patience) is stopped


@given(losses)
def test_is_best_marks_every_new_least(loss):
    for end in range(1, len(loss) + 1):
        assert is_best(loss[:end]) is all(loss[end - 1] < value for value in loss[: end - 1])


figures = st.tuples(st.sampled_from([0.1, 0.2, 0.3]), st.sampled_from([0.5, 0.75, 1.0]))


@given(st.lists(figures, min_size=1, max_size=12))
def test_the_best_validation_epoch_is_the_first_by_accuracy_then_by_loss(history):
    loss, accuracy = map(list, zip(*history, strict=True))
    ranks = [(-a, of) for of, a in history]
    assert is_best_validation(loss, accuracy) is all(ranks[-1] < other for other in ranks[:-1])
