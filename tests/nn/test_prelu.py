"""PReLU against torch's own, value and gradients."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from graphrank.nn.prelu import PReLU


def both(shape, slope, seed=0, dtype=torch.double):
    """Values and gradients of ours and of torch's on the same numbers."""
    random = torch.Generator().manual_seed(seed)
    numbers, pull = (torch.randn(shape, generator=random, dtype=dtype) for _ in range(2))
    found = []
    for kind in (PReLU, nn.PReLU):
        module, x = kind().to(dtype), numbers.clone().requires_grad_()
        nn.init.constant_(module.weight, slope)
        module(x).backward(pull)
        found.append((module(x).detach(), x.grad, module.weight.grad))
    return found


@given(
    st.lists(st.integers(0, 5), max_size=3),
    st.sampled_from([-0.5, 0.0, 0.25, 1.0, 3.0]),
    st.integers(0, 100),
)
def test_equals_torch(shape, slope, seed):
    ours, theirs = both(shape, slope, seed)
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-12, atol=1e-12)


def test_single_precision_keeps_the_shape_of_the_slope():
    ours, theirs = both((50, 7), 0.25, dtype=torch.float)
    for one, other in zip(ours, theirs, strict=True):
        assert one.shape == other.shape and one.dtype == torch.float
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("slope", [0.25, -0.3])
def test_gradcheck(slope):
    module = PReLU().double()
    nn.init.constant_(module.weight, slope)
    numbers = torch.tensor([[-2.0, -0.5, 0.4], [1.0, -0.1, 3.0]], dtype=torch.double)
    assert torch.autograd.gradcheck(
        lambda x, a: torch.func.functional_call(module, {"weight": a}, (x,)),
        (numbers.requires_grad_(), module.weight.detach().requires_grad_()),
    )


def test_rows_that_lie_apart_in_memory():
    whole = torch.randn(4, 6, dtype=torch.double)
    part = whole[:, ::2].requires_grad_()
    module = PReLU().double()
    pull = torch.randn(3, 4, dtype=torch.double).T
    module(part).backward(pull)
    below = part.detach().clamp_max(0)
    assert float(module.weight.grad) == pytest.approx(float((pull * below).sum()))


def test_weights_of_torch_fit():
    theirs = nn.PReLU(init=0.7)
    ours = PReLU()
    ours.load_state_dict(theirs.state_dict())
    assert float(ours.weight.detach()) == pytest.approx(0.7)
