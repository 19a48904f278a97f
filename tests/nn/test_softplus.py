"""Sums of softplus by products of factors."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.softplus import summed_softplus


@given(
    rows=st.integers(0, 200),
    columns=st.integers(1, 5),
    spread=st.sampled_from([0.1, 3.0, 40.0]),
    seed=st.integers(0, 100),
)
def test_it_equals_the_sum_of_single_ones(rows, columns, spread, seed):
    generator = torch.Generator().manual_seed(seed)
    numbers = spread * torch.randn(rows, columns, generator=generator)
    expected = F.softplus(numbers.double(), threshold=100).sum(dim=0)
    torch.testing.assert_close(summed_softplus(numbers).double(), expected, rtol=1e-5, atol=1e-4)


def test_gradients_in_double_precision():
    numbers = torch.randn(130, 3, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(summed_softplus, numbers)


@pytest.mark.parametrize(("number", "sum_of_100"), [(-1e4, 0.0), (1e4, 1e6)])
def test_no_number_is_too_large(number, sum_of_100):
    numbers = torch.full((100, 1), number, requires_grad=True)
    total = summed_softplus(numbers)
    assert total.item() == pytest.approx(sum_of_100)
    (gradient,) = torch.autograd.grad(total.sum(), numbers)
    assert gradient.flatten().tolist() == [float(number > 0)] * 100
