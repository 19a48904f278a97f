"""The nearest distribution, by the condition that it alone meets, and by bisection."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.simplex import nearest_on_simplex

points = st.lists(st.floats(-10, 10), min_size=1, max_size=7).map(
    lambda numbers: torch.tensor(numbers, dtype=torch.double)
)


def by_bisection(point):
    """Lower all numbers by the same amount until what is left above zero adds up to one."""
    low, high = float(point.min()) - 1, float(point.max())
    for _ in range(100):
        middle = (low + high) / 2
        if float((point - middle).clamp_min(0).sum()) > 1:
            low = middle
        else:
            high = middle
    return (point - low).clamp_min(0)


@given(points)
def test_it_is_a_distribution_and_no_corner_is_in_a_better_direction(point):
    """Projections onto convex sets are those: no way into the set leads nearer to the point."""
    found = nearest_on_simplex(point)
    assert (found >= 0).all() and float(found.sum()) == pytest.approx(1, abs=1e-9)
    corners = torch.eye(point.numel(), dtype=torch.double)
    assert ((corners - found) @ (point - found)).max() < 1e-9


@given(points)
def test_it_equals_bisection(point):
    torch.testing.assert_close(nearest_on_simplex(point), by_bisection(point), rtol=0, atol=1e-9)


@given(points, st.floats(-5, 5))
def test_a_common_shift_changes_nothing(point, shift):
    moved = nearest_on_simplex(point + shift)
    torch.testing.assert_close(moved, nearest_on_simplex(point), rtol=0, atol=1e-9)


@given(points)
def test_distributions_stay(point):
    distribution = point.softmax(dim=0)
    torch.testing.assert_close(nearest_on_simplex(distribution), distribution, rtol=0, atol=1e-9)
