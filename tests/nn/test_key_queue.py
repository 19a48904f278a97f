import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.key_queue import KeyQueue, partner_loss


def units(rows, channels, seed=0):
    random = torch.Generator().manual_seed(seed)
    return F.normalize(torch.randn(rows, channels, generator=random, dtype=torch.double), dim=1)


def by_loops(rows, right, others, temperature):
    """Minus the log of the right one's share, one row at a time."""
    losses = []
    for row, own, wrong in zip(rows, right, others, strict=True):
        weights = [math.exp(float(row @ each) / temperature) for each in [own, *wrong]]
        losses.append(-math.log(weights[0] / sum(weights)))
    return sum(losses) / len(losses)


@given(st.integers(1, 7), st.integers(1, 4), st.sampled_from([0.07, 0.5]), st.integers(0, 99))
def test_partners_equal_loops(rows, channels, temperature, seed):
    first, second = units(rows, channels, seed), units(rows, channels, seed + 1)
    others = [[second[j] for j in range(rows) if j != i] for i in range(rows)]
    expected = by_loops(first, second, others, temperature)
    assert float(partner_loss(first, second, temperature)) == pytest.approx(expected, abs=1e-9)
    order = torch.randperm(rows, generator=torch.Generator().manual_seed(seed))
    moved = partner_loss(first[order], second[order], temperature)
    assert float(moved) == pytest.approx(expected, abs=1e-9)


def test_partners_alike_and_others_apart_lose_least():
    apart = torch.eye(4, dtype=torch.double)
    least = math.log(1 + 3 * math.exp(-1 / 0.5))
    assert float(partner_loss(apart, apart, 0.5)) == pytest.approx(least)
    assert partner_loss(apart, apart.roll(1, 0), 0.5) > least


def test_gradcheck():
    first, second = (units(4, 3, seed).requires_grad_() for seed in (0, 1))
    assert torch.autograd.gradcheck(lambda a, b: partner_loss(a, b, 0.3), (first, second))
    queue = KeyQueue(5, 3).double()
    assert torch.autograd.gradcheck(lambda a: queue(a, second.detach(), 0.3), (first,))


@given(st.integers(1, 6), st.integers(1, 5), st.integers(0, 99))
def test_queue_equals_loops(rows, size, seed):
    torch.manual_seed(seed)
    queue, queries, keys = (
        KeyQueue(size, 3).double(),
        units(rows, 3, seed),
        units(rows, 3, seed + 1),
    )
    expected = by_loops(queries, keys, [list(queue.keys)] * rows, 0.2)
    assert float(queue(queries, keys, 0.2)) == pytest.approx(expected, abs=1e-9)


def test_no_gradient_reaches_the_keys_and_later_pushes_do_not_spoil_it():
    queries, keys = units(2, 3).requires_grad_(), units(2, 3, 1).requires_grad_()
    queue = KeyQueue(2, 3).double()
    loss = queue(queries, keys, 0.2)
    (expected,) = torch.autograd.grad(loss, queries, retain_graph=True)
    queue.push(keys.detach())
    (found,) = torch.autograd.grad(loss, queries)
    assert torch.equal(found, expected)
    assert torch.autograd.grad(queue(queries, keys, 0.2), keys, allow_unused=True) == (None,)


@given(st.integers(1, 5), st.lists(st.integers(1, 7), min_size=1, max_size=5))
def test_the_queue_holds_the_last_keys(size, pushed):
    queue, seen = KeyQueue(size, 1), []
    first = queue.keys.flatten().tolist()
    for count in pushed:
        new = torch.arange(len(seen), len(seen) + count).float().unsqueeze(1) + 10
        seen += new.flatten().tolist()
        queue.push(new)
    held = queue.keys.flatten().tolist()
    assert set(seen[-size:]) <= set(held)
    assert len(seen) >= size or set(held) - set(seen) <= set(first)


def test_first_keys_are_about_as_long_as_units():
    torch.manual_seed(0)
    lengths = KeyQueue(2000, 64).keys.norm(dim=1)
    assert float(lengths.mean()) == pytest.approx(1, abs=0.02)
