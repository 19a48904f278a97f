import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.similarity import pair_similarity
from graphrank.nn.similarity_in_blocks import similarity_in_blocks


def draw(nodes, others, pairs, columns, seed):
    """What makes both sides, a weight matrix, and pairs."""
    random = torch.Generator().manual_seed(seed)
    left = torch.randn(nodes, 3, generator=random, dtype=torch.double)
    right = torch.randn(others, 3, generator=random, dtype=torch.double)
    weight = torch.randn(3, columns, generator=random, dtype=torch.double)
    index = torch.randint(others, (nodes, pairs), generator=random)
    return lambda some: (torch.tanh(left @ some), right @ some), weight, index


@pytest.mark.parametrize("kind", ["dot", "cosine"])
@given(
    nodes=st.integers(1, 7),
    others=st.integers(1, 7),
    pairs=st.integers(1, 4),
    columns=st.integers(1, 6),
    block=st.integers(1, 7),
    seed=st.integers(0, 1000),
)
def test_values_and_gradients_are_those_of_whole_rows(
    kind, nodes, others, pairs, columns, block, seed
):
    sides, weight, index = draw(nodes, others, pairs, columns, seed)
    upstream = torch.randn(nodes, pairs, dtype=torch.double)
    found = []
    for similarity in (
        lambda leaf: pair_similarity(*sides(leaf), index, kind),
        lambda leaf: similarity_in_blocks(leaf, sides, index, others, kind, block),
    ):
        leaf = weight.clone().requires_grad_()
        out = similarity(leaf)
        (out * upstream).sum().backward()
        found.append((out.detach(), leaf.grad))
    torch.testing.assert_close(*found)


@pytest.mark.parametrize("kind", ["dot", "cosine"])
def test_gradcheck(kind):
    sides, weight, index = draw(5, 4, 2, 3, seed=1)
    assert torch.autograd.gradcheck(
        lambda leaf: similarity_in_blocks(leaf, sides, index, 4, kind, block=2),
        weight.requires_grad_(),
    )


def test_no_more_columns_than_a_block_are_made_at_a_time():
    sides, weight, index = draw(5, 4, 2, 6, seed=2)
    made = []

    def counted(some):
        made.append(some.size(1))
        return sides(some)

    leaf = weight.requires_grad_()
    similarity_in_blocks(leaf, counted, index, 4, "cosine", block=4).sum().backward()
    assert made == [4, 2, 4, 2]


def test_a_row_of_zeros_has_cosine_zero_and_no_gradient():
    weight = torch.ones(2, 2, dtype=torch.double, requires_grad=True)
    features = torch.tensor([[0.0, 0.0], [1.0, 2.0]], dtype=torch.double)
    index = torch.tensor([[0, 1], [0, 1]])
    out = similarity_in_blocks(
        weight, lambda some: (features @ some, features @ some), index, 2, "cosine", block=1
    )
    out.sum().backward()
    assert out.tolist() == [[0, 0], [0, pytest.approx(1)]]
    assert torch.isfinite(weight.grad).all()
