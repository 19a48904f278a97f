import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.pooling import POOLINGS, pool_layers

NO_EDGES = torch.empty(2, 0, dtype=torch.long)


def batch_of(sizes):
    ptr = torch.tensor([0, *sizes]).cumsum(0)
    return GraphBatch.of(torch.ones(int(ptr[-1]), 1), NO_EDGES, ptr)


def slowly(hidden, sizes, kind):
    """Graph by graph, node by node."""
    rows, start = [], 0
    for size in sizes:
        nodes = [hidden[node] for node in range(start, start + size)]
        start += size
        row = torch.zeros(hidden.size(1), dtype=hidden.dtype)
        if nodes and kind == "max":
            row = nodes[0]
            for node in nodes[1:]:
                row = torch.maximum(row, node)
        elif nodes:
            for node in nodes:
                row = row + node
            row = row / size if kind == "mean" else row
        rows.append(row)
    return torch.stack(rows)


@pytest.mark.parametrize("kind", POOLINGS)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=5), st.integers(0, 100))
def test_against_loops(kind, sizes, seed):
    random = torch.Generator().manual_seed(seed)
    hidden = torch.randn(sum(sizes), 3, generator=random, dtype=torch.double)
    found = POOLINGS[kind](hidden, batch_of(sizes))
    torch.testing.assert_close(found, slowly(hidden, sizes, kind))


@pytest.mark.parametrize("kind", POOLINGS)
def test_gradients(kind):
    hidden = torch.randn(6, 2, dtype=torch.double, requires_grad=True)
    batch = batch_of([2, 0, 3, 1])
    assert torch.autograd.gradcheck(lambda h: POOLINGS[kind](h, batch), hidden)


def test_nodes_that_share_the_maximum_share_its_gradient():
    hidden = torch.tensor([[1.0], [1.0], [0.0], [-2.0]], requires_grad=True)
    POOLINGS["max"](hidden, batch_of([3, 1])).sum().backward()
    assert hidden.grad.flatten().tolist() == [0.5, 0.5, 0.0, 1.0]


@pytest.mark.parametrize("kind", POOLINGS)
def test_the_same_bits_every_time(kind, two_threads):
    hidden = torch.randn(3000, 65, requires_grad=True)
    batch = batch_of([1000, 1, 1999])
    weight = torch.randn(3, 65)
    found = []
    for _ in range(3):
        pooled = POOLINGS[kind](hidden, batch)
        (gradient,) = torch.autograd.grad((pooled * weight).sum(), hidden)
        found.append((pooled.detach(), gradient))
    for pooled, gradient in found[1:]:
        assert torch.equal(pooled, found[0][0]) and torch.equal(gradient, found[0][1])


def test_layers_stand_side_by_side():
    layers = [torch.ones(3, 2), torch.full((3, 1), 2.0)]
    assert pool_layers(layers, batch_of([1, 2]), "sum").tolist() == [[1, 1, 2], [2, 2, 4]]
