import logging

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import graphrank.nn.reconstruction as module
from graphrank.nn.drawn_columns import DrawnColumns
from graphrank.nn.reconstruction import (
    EntryCost,
    entry_products,
    exact_cost,
    folded,
    form_of,
    log_form,
    sampled_cost,
)
from tests.nn.reference import masks, pattern_of, places

# A cost whose two kinds have nothing in common, so that none can stand for the other.
COST = EntryCost(
    lambda numbers: torch.nn.functional.softplus(0.3 * numbers),
    lambda numbers, values: values * (numbers - values).square(),
)
SEED = st.integers(0, 1000)


def factors(shape, seed=0, width=3):
    random = torch.Generator().manual_seed(seed)
    return [torch.randn(size, width, generator=random, dtype=torch.double) for size in shape]


def values_of(pattern, seed=0):
    random = torch.Generator().manual_seed(seed)
    return 0.5 + torch.rand(pattern.num_entries, generator=random, dtype=torch.double)


def by_loops(left, right, pattern, values, cost):
    """One entry at a time."""
    there = dict(zip(places(pattern), values, strict=True))
    total = left.new_zeros(())
    for i in range(left.size(0)):
        for j in range(right.size(0)):
            number = (left[i] * right[j]).sum()
            value = there.get((i, j))
            total = total + (cost.absent(number) if value is None else cost.present(number, value))
    return total


def symmetric_values(filled):
    """Values of a pattern that are the same for an entry and its mirror image."""
    return torch.tensor(
        [1.0 + 0.1 * min(place) + 0.01 * max(place) for place in places(pattern_of(filled))],
        dtype=torch.double,
    )


@pytest.fixture(params=[1, 5, 1 << 20], ids=["rows", "blocks", "whole"])
def block(request, monkeypatch):
    """One row at a time, blocks of a few rows with a rest, and all at once."""
    monkeypatch.setattr(module, "_NUMBERS_AT_ONCE", request.param * 3)


@given(masks(), SEED)
def test_exact_cost_equals_loops_over_entries(block, filled, seed):
    pattern, (left, right) = pattern_of(filled), factors(filled.shape, seed)
    values = values_of(pattern, seed)
    expected = by_loops(left, right, pattern, values, COST)
    torch.testing.assert_close(exact_cost(left, right, pattern, values, COST), expected)


@given(masks(square=True), SEED)
def test_a_product_with_itself_equals_loops_over_ordered_pairs(block, filled, seed):
    """Directed or not: what is met once and counted twice is what loops would meet twice."""
    pattern, (z,) = pattern_of(filled), factors(filled.shape[:1], seed)
    ones = torch.ones(pattern.num_entries, dtype=torch.double)
    expected = by_loops(z, z, pattern, ones, COST)
    torch.testing.assert_close(exact_cost(z, None, folded(pattern), ones, COST), expected)


@given(masks(square=True), SEED)
def test_gradients_equal_those_of_loops(block, filled, seed):
    pattern = pattern_of(filled)
    left, right = (factor.requires_grad_() for factor in factors(filled.shape, seed))
    values = values_of(pattern, seed)
    found = torch.autograd.grad(2 * exact_cost(left, right, pattern, values, COST), (left, right))
    expected = torch.autograd.grad(2 * by_loops(left, right, pattern, values, COST), (left, right))
    torch.testing.assert_close(found, expected)
    ones = torch.ones_like(values)
    found = torch.autograd.grad(exact_cost(left, None, folded(pattern), ones, COST), left)
    expected = torch.autograd.grad(by_loops(left, left, pattern, ones, COST), left)
    torch.testing.assert_close(found, expected)


def test_gradcheck_of_both_forms():
    filled = torch.tensor([[1, 0, 1], [0, 0, 0], [0, 1, 1], [1, 0, 0]]).bool()
    pattern = pattern_of(filled)
    left, right = (factor.requires_grad_() for factor in factors(filled.shape))
    values = values_of(pattern)
    drawn = DrawnColumns.of(pattern, torch.tensor([[0, 1], [2, 2], [1, 0], [1, 2]]))
    rest = (pattern, values, COST)
    assert torch.autograd.gradcheck(lambda a, b: exact_cost(a, b, *rest), (left, right))
    assert torch.autograd.gradcheck(lambda a, b: sampled_cost(a, b, *rest, drawn), (left, right))
    assert torch.autograd.gradcheck(lambda a, b: entry_products(pattern, a, b), (left, right))


@given(masks(), SEED)
def test_a_sample_of_every_column_gives_the_exact_cost(filled, seed):
    pattern, (left, right) = pattern_of(filled), factors(filled.shape, seed)
    values = values_of(pattern, seed)
    every = DrawnColumns.of(pattern, torch.arange(filled.size(1)).expand(filled.shape))
    found = sampled_cost(left, right, pattern, values, COST, every)
    torch.testing.assert_close(found, exact_cost(left, right, pattern, values, COST))


@given(masks(), st.integers(1, 3), SEED)
def test_the_mean_over_all_draws_is_the_exact_cost(filled, k, seed):
    """Rows add up, so it is enough that each of them meets every column equally often."""
    pattern, (left, right) = pattern_of(filled), factors(filled.shape, seed)
    values, (rows, columns) = values_of(pattern, seed), filled.shape
    found = [
        sampled_cost(left, right, pattern, values, COST, DrawnColumns.of(pattern, drawn))
        for drawn in (torch.full((rows, k), column) for column in range(columns))
    ]
    expected = exact_cost(left, right, pattern, values, COST)
    torch.testing.assert_close(torch.stack(found).mean(), expected)


def test_the_mean_of_what_is_drawn_comes_near_the_exact_cost():
    torch.manual_seed(0)
    pattern = pattern_of(torch.rand(12, 9) < 0.3)
    left, right = factors((12, 9))
    values = values_of(pattern)
    found = torch.stack(
        [
            sampled_cost(left, right, pattern, values, COST, DrawnColumns.draw(pattern))
            for _ in range(900)
        ]
    )
    error = float(found.mean() - exact_cost(left, right, pattern, values, COST))
    assert float(found.std()) > 0
    assert abs(error) < 4 * float(found.std()) / 30


@given(masks(square=True))
def test_folding_keeps_every_entry(filled):
    pattern = pattern_of(filled)
    expected = sorted(tuple(sorted(place)) for place in places(pattern))
    assert places(folded(pattern)) == expected


@given(masks(), SEED)
def test_products_at_entries(filled, seed):
    pattern, (left, right) = pattern_of(filled), factors(filled.shape, seed)
    expected = [float((left[i] * right[j]).sum()) for i, j in places(pattern)]
    assert entry_products(pattern, left, right).tolist() == pytest.approx(expected)


def test_a_cost_after_a_function():
    changed = COST.after(torch.relu)
    numbers, values = torch.tensor([-2.0, 3.0]), torch.tensor([1.0, 2.0])
    clipped = torch.tensor([0.0, 3.0])
    assert torch.equal(changed.absent(numbers), COST.absent(clipped))
    assert torch.equal(changed.present(numbers, values), COST.present(clipped, values))


def test_auto_goes_by_the_number_of_entries_and_others_by_their_name():
    assert form_of("auto", (5_000, 5_000)) == "dense"
    assert form_of("auto", (5_000, 5_001)) == "sampled"
    assert form_of("dense", (10**6, 10**6)) == "dense"
    assert form_of("sampled", (2, 2)) == "sampled"


def test_the_form_is_told(caplog):
    with caplog.at_level(logging.INFO, "graphrank"):
        log_form("links", "dense", (3, 4))
        log_form("words", "sampled", (7, 9))
    whole, part = (record.getMessage() for record in caplog.records)
    assert whole.startswith("links, 3 x 4 entries") and "all" in whole
    assert part.startswith("words, 7 x 9 entries") and "random" in part


def test_a_sample_needs_nothing_as_large_as_the_product():
    """The product of 200,000 rows with themselves would take 160 GB."""
    nodes = 200_000
    chain = torch.arange(nodes)
    pattern = module.SparsePattern(torch.arange(nodes + 1), chain, (nodes, nodes))
    z = torch.randn(nodes, 2, requires_grad=True)
    cost = sampled_cost(z, z, pattern, torch.ones(nodes), COST, DrawnColumns.draw(pattern))
    cost.backward()
    assert torch.isfinite(cost) and torch.isfinite(z.grad).all()
