import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from graphrank.nn.bootstrap import bootstrap_loss, cosine_decay, follow


def draw(nodes, channels, seed):
    random = torch.Generator().manual_seed(seed)
    return torch.randn(2, nodes, channels, generator=random, dtype=torch.double)


def by_loops(prediction, target):
    """One minus the cosine, one node at a time."""
    gaps = []
    for p, t in zip(prediction.tolist(), target.tolist(), strict=True):
        product = sum(a * b for a, b in zip(p, t, strict=True))
        gaps.append(1 - product / math.hypot(*p) / math.hypot(*t))
    return sum(gaps) / len(gaps)


@given(st.integers(1, 8), st.integers(1, 5), st.integers(0, 999))
def test_equals_loops_over_nodes(nodes, channels, seed):
    prediction, target = draw(nodes, channels, seed)
    loss = float(bootstrap_loss(prediction, target))
    assert loss == pytest.approx(by_loops(prediction, target), abs=1e-12)
    assert -1e-12 <= loss <= 2 + 1e-12


@given(st.floats(0.01, 100), st.integers(0, 999))
def test_only_directions_count(scale, seed):
    prediction, target = draw(6, 3, seed)
    lengths = torch.linspace(0.5, 2, 6, dtype=torch.double).unsqueeze(1)
    loss = bootstrap_loss(prediction, target)
    torch.testing.assert_close(bootstrap_loss(lengths * prediction, scale * target), loss)
    torch.testing.assert_close(bootstrap_loss(prediction.flip(0), target.flip(0)), loss)
    torch.testing.assert_close(bootstrap_loss(target, prediction), loss)
    assert float(bootstrap_loss(scale * target, target)) == pytest.approx(0)
    assert float(bootstrap_loss(-scale * target, target)) == pytest.approx(2)


def test_gradcheck_and_no_gradient_for_the_target():
    prediction, target = draw(5, 3, 0).requires_grad_()
    assert torch.autograd.gradcheck(lambda p: bootstrap_loss(p, target), prediction)
    prediction, target = (part.detach().requires_grad_() for part in draw(5, 3, 0))
    bootstrap_loss(prediction, target).backward()
    assert target.grad is None and prediction.grad.abs().max() > 0


def test_nodes_at_zero_are_survived():
    prediction, target = torch.zeros(3, 4, requires_grad=True), torch.zeros(3, 4)
    loss = bootstrap_loss(prediction, target)
    loss.backward()
    assert loss.item() == 1.0 and torch.isfinite(prediction.grad).all()


def networks():
    torch.manual_seed(0)
    return (nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.PReLU()) for _ in range(2))


@given(st.floats(0, 1))
def test_the_target_follows_in_every_parameter_and_in_no_buffer(decay):
    target, online = networks()
    online(torch.randn(5, 3))
    before = {name: value.clone() for name, value in target.named_parameters()}
    leading = {name: value.clone() for name, value in online.named_parameters()}
    follow(target, online, decay)
    for name, value in target.named_parameters():
        expected = decay * before[name] + (1 - decay) * leading[name]
        torch.testing.assert_close(value, expected)
    assert target[1].running_mean.eq(0).all() and online[1].running_mean.ne(0).all()
    for name, value in online.named_parameters():
        assert torch.equal(value, leading[name])


def test_following_closes_the_gap_geometrically():
    target, online = networks()
    gap = (target[0].weight - online[0].weight).detach().clone()
    for _ in range(10):
        follow(target, online, 0.9)
    torch.testing.assert_close(target[0].weight - online[0].weight, 0.9**10 * gap)


@pytest.mark.parametrize(
    ("epoch", "warmup", "expected"),
    [(0, 0, 1.0), (50, 0, 0.5), (100, 0, 0.0), (0, 20, 0.0), (5, 20, 0.25), (20, 20, 1.0),
     (60, 20, 0.5), (40, 20, 0.5 + math.sqrt(0.125)), (100, 20, 0.0)],
)  # fmt: skip
def test_the_schedule_at_known_epochs(epoch, warmup, expected):
    assert cosine_decay(epoch, 100, warmup) == pytest.approx(expected, abs=1e-12)


@given(st.integers(1, 60), st.integers(0, 40))
def test_the_schedule_rises_then_falls(more, warmup):
    epochs = warmup + more
    values = [cosine_decay(epoch, epochs, warmup) for epoch in range(epochs + 1)]
    assert values[: warmup + 1] == sorted(values[: warmup + 1])
    assert values[warmup:] == sorted(values[warmup:], reverse=True)
    assert max(values) == values[warmup] == 1.0 and values[-1] == pytest.approx(0.0)
