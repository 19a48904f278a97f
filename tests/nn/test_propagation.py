import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.propagation import Propagation
from graphrank.nn.sparse import SparsePattern
from tests.nn.reference import (
    dense_adjacency,
    dense_normalized,
    make_graph,
    masks,
    pattern_of,
    to_dense,
)


def random_matrix(filled, seed=0):
    """A sparse matrix with these places, and the same as a dense tensor."""
    random = torch.Generator().manual_seed(seed)
    pattern = pattern_of(filled)
    values = torch.rand(pattern.num_entries, generator=random, dtype=torch.double)
    return Propagation(values, pattern), to_dense(pattern, values)


def as_dense(matrix):
    return matrix.values if matrix.pattern is None else to_dense(matrix.pattern, matrix.values)


@pytest.mark.parametrize("directed", [False, True])
def test_of_adjacency(directed):
    edge_index, weight, _, graph = make_graph(directed=directed, weighted=True)
    matrix = Propagation.of_adjacency(graph)
    expected = dense_normalized(dense_adjacency(edge_index, 9, weight))
    torch.testing.assert_close(as_dense(matrix), expected)
    assert matrix.symmetric is not directed


@given(masks(square=True), st.data())
def test_a_block_is_a_square_on_the_diagonal(filled, data):
    nodes = filled.size(0)
    start = data.draw(st.integers(0, nodes - 1))
    size = data.draw(st.integers(1, nodes - start))
    sparse, dense = random_matrix(filled)
    expected = dense[start : start + size, start : start + size]
    block = sparse.block(start, size)
    assert isinstance(block.pattern, SparsePattern) and block.pattern.shape == (size, size)
    assert torch.equal(as_dense(block), expected)
    assert torch.equal(Propagation(dense).block(start, size).values, expected)
    hidden = torch.ones(size, 2, dtype=torch.double)
    torch.testing.assert_close(block(hidden), expected @ hidden)
    torch.testing.assert_close(Propagation(dense).block(start, size)(hidden), expected @ hidden)


def test_a_dense_block_shares_memory():
    whole = torch.eye(6)
    part = Propagation(whole).block(2, 3)
    whole[3, 4] = 7.0
    assert float(part.values[1, 2]) == 7.0


@pytest.mark.parametrize("form", ["sparse", "dense"])
def test_gradcheck(form):
    random = torch.Generator().manual_seed(3)
    sparse, dense = random_matrix(torch.rand(7, 7, generator=random) < 0.5)
    matrix = (sparse if form == "sparse" else Propagation(dense)).block(1, 5)
    hidden = torch.randn(5, 2, generator=random, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(matrix, (hidden,))


def test_blocks_of_a_symmetric_matrix_stay_symmetric():
    _, _, _, graph = make_graph(nodes=12)
    block = Propagation.of_adjacency(graph).block(3, 6)
    assert block.symmetric
    torch.testing.assert_close(as_dense(block), as_dense(block).T)
    hidden = torch.randn(6, 2, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(block, (hidden,))
