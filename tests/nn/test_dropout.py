"""Dropout by a byte or two a number: how often, what is left, and what stays as it is."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.dropout import ByteDropout, Dropout, coin_flips, dropped_out, random_bits

STEPS = {Dropout: 65_536, ByteDropout: 256}


@pytest.mark.parametrize("kind", STEPS)
@given(st.floats(0, 0.9), st.integers(0, 9))
def test_takes_its_share_of_every_column_and_keeps_the_mean(kind, share, columns):
    layer, hidden = kind(share), torch.ones(20_000, 8 + columns)
    found = layer(hidden)
    kept = found[found != 0]
    met = round(STEPS[kind] * share) / STEPS[kind]
    torch.testing.assert_close(kept, torch.full_like(kept, 1 / (1 - met)))
    # Of the bytes of a word none is drawn otherwise than the others.
    assert ((found == 0).float().mean(dim=0) - share).abs().max() < 0.02
    assert torch.equal(layer.eval()(hidden), hidden)


@pytest.mark.parametrize("kind", STEPS)
def test_neighbouring_numbers_are_dropped_independently(kind):
    torch.manual_seed(0)
    dropped = (kind(0.5)(torch.ones(400_000)) == 0).double() - 0.5
    for distance in range(1, 9):
        together = 4 * (dropped[distance:] * dropped[:-distance]).mean()
        assert abs(float(together)) < 0.01  # six standard errors


@given(st.lists(st.integers(0, 4), max_size=3), st.integers(0, 50))
def test_the_gradient_is_the_mask(shape, seed):
    numbers = torch.full(shape, 3.0, dtype=torch.double, requires_grad=True)
    torch.manual_seed(seed)
    found = dropped_out(numbers, 0.4)
    (gradient,) = torch.autograd.grad(found.sum(), numbers)
    assert found.shape == numbers.shape and found.dtype == torch.double
    torch.testing.assert_close(found.detach(), 3 * gradient)


def test_the_global_state_decides():
    numbers, found = torch.rand(1000), []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        found.append(dropped_out(numbers, 0.5))
    assert torch.equal(found[0], found[1])
    assert not torch.equal(found[0], found[2])


def test_nothing_is_drawn_where_nothing_is_dropped():
    numbers = torch.rand(5)
    before = torch.get_rng_state()
    assert dropped_out(numbers, 0.0) is numbers
    assert dropped_out(numbers, 0.5, training=False) is numbers
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("kind", STEPS)
def test_a_share_close_to_one_leaves_finite_numbers(kind):
    found = kind(1 - 1e-9)(torch.ones(1 << 20))
    assert bool(found.isfinite().all())
    assert set(found.unique().tolist()) <= {0.0, float(STEPS[kind])}


def test_rows_that_lie_apart_in_memory():
    row = torch.rand(6)
    found = dropped_out(row.expand(500, -1), 0.5)
    assert torch.equal(found[found != 0], (2 * row.expand(500, -1))[found != 0])
    assert found.unique(dim=0).size(0) > 30


def test_coins_are_fair_and_of_the_type_asked_for():
    torch.manual_seed(3)
    coins = coin_flips((50_000, 9), torch.empty(0, dtype=torch.double))
    assert coins.dtype == torch.double and coins.shape == (50_000, 9)
    assert set(coins.unique().tolist()) == {0.0, 1.0}
    assert (coins.mean(dim=0) - 0.5).abs().max() < 0.012  # five standard errors


@pytest.mark.parametrize("kind", [torch.uint8, torch.int16])
def test_all_values_of_a_type_are_as_likely(kind):
    torch.manual_seed(4)
    limits = torch.iinfo(kind)
    bits = random_bits((1000, 999), kind, torch.device("cpu"))
    eighths = (bits.double() - limits.min) * 8 / (limits.max - limits.min + 1)
    counts = torch.bincount(eighths.long().flatten(), minlength=8)
    expected = bits.numel() / 8
    assert (counts - expected).abs().max() < 6 * math.sqrt(expected)
