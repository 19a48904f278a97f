"""GraphCL's loss against loops over pairs."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.nt_xent import nt_xent

graphs_and_seed = (st.integers(2, 9), st.integers(0, 1000))


def draw(graphs, seed, width=4):
    random = torch.Generator().manual_seed(seed)
    return torch.randn(2, graphs, width, generator=random, dtype=torch.double)


def by_loops(anchor, other, temperature):
    """The paper's equation, one pair at a time; the own pair is not in the denominator."""

    def kernel(a, b):
        return (a @ b / (a.norm() * b.norm()) / temperature).exp()

    losses = []
    for i in range(anchor.size(0)):
        below = sum(kernel(anchor[i], other[j]) for j in range(other.size(0)) if j != i)
        losses.append(-(kernel(anchor[i], other[i]) / below).log())
    return torch.stack(losses).mean()


@given(*graphs_and_seed, st.floats(0.05, 3))
def test_it_equals_loops_over_pairs(graphs, seed, temperature):
    anchor, other = draw(graphs, seed)
    expected = float(by_loops(anchor, other, temperature))
    assert float(nt_xent(anchor, other, temperature)) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_gradients():
    anchor, other = (z.requires_grad_() for z in draw(5, seed=1))
    assert torch.autograd.gradcheck(lambda a, b: nt_xent(a, b, 0.2), (anchor, other))


@given(*graphs_and_seed)
def test_neither_the_order_of_graphs_nor_lengths_matter(graphs, seed):
    anchor, other = draw(graphs, seed)
    order = torch.randperm(graphs, generator=torch.Generator().manual_seed(seed))
    length = torch.rand(graphs, 1, dtype=torch.double) + 0.1
    moved = nt_xent(anchor[order] * length, other[order], 0.2)
    torch.testing.assert_close(moved, nt_xent(anchor, other, 0.2))


@given(*graphs_and_seed)
def test_graphs_that_all_look_alike(graphs, seed):
    same = draw(1, seed)[0].expand(graphs, -1)
    assert float(nt_xent(same, same, 0.2)) == pytest.approx(math.log(graphs - 1), abs=1e-9)


@given(*graphs_and_seed)
def test_no_loss_is_below_that_of_opposite_graphs(graphs, seed):
    """All partners at cosine -1 but one's own at 1: only two graphs can stand so."""
    anchor, other = draw(graphs, seed)
    assert float(nt_xent(anchor, other, 0.2)) >= math.log(graphs - 1) - 2 / 0.2
    pair = torch.tensor([[1.0, 0.0], [-1.0, 0.0]])
    assert float(nt_xent(pair, pair, 0.2)) == pytest.approx(-2 / 0.2)


def test_one_graph_loses_nothing_and_pulls_at_nothing():
    alone = torch.randn(1, 4, requires_grad=True)
    loss = nt_xent(alone, alone, 0.2)
    loss.backward()
    assert loss.item() == 0 and alone.grad.eq(0).all()


def test_cold_temperatures_do_not_overflow():
    anchor, other = draw(6, seed=2).float()
    assert torch.isfinite(nt_xent(anchor, other, 1e-3))
