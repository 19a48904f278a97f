import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.similarity import pair_similarity


def by_loops(a, b, index, kind):
    """One pair at a time."""
    out = []
    for i, row in enumerate(index.tolist()):
        for j in row:
            dot = (a[i] * b[j]).sum()
            if kind == "cosine":
                lengths = (a[i] * a[i]).sum().sqrt() * (b[j] * b[j]).sum().sqrt()
                dot = dot / lengths if float(lengths.detach()) > 0 else dot * 0
            out.append(dot)
    return torch.stack(out).view(index.shape)


def draw(nodes, others, pairs, seed):
    random = torch.Generator().manual_seed(seed)
    a = torch.randn(nodes, 4, generator=random, dtype=torch.double)
    b = torch.randn(others, 4, generator=random, dtype=torch.double)
    return a, b, torch.randint(others, (nodes, pairs), generator=random)


@pytest.mark.parametrize("kind", ["dot", "cosine"])
@given(
    nodes=st.integers(1, 7),
    others=st.integers(1, 7),
    pairs=st.integers(1, 4),
    seed=st.integers(0, 1000),
)
def test_values_and_gradients_equal_loops(kind, nodes, others, pairs, seed):
    """Few others and several pairs: the same row is met twice in one row of the index."""
    a, b, index = draw(nodes, others, pairs, seed)
    upstream = torch.randn(nodes, pairs, dtype=torch.double)
    gradients = []
    for similarity in (pair_similarity, by_loops):
        left, right = a.clone().requires_grad_(), b.clone().requires_grad_()
        out = similarity(left, right, index, kind)
        (out * upstream).sum().backward()
        gradients.append((out.detach(), left.grad, right.grad))
    torch.testing.assert_close(*gradients)


@pytest.mark.parametrize("kind", ["dot", "cosine"])
def test_gradcheck(kind):
    a, b, index = draw(5, 3, 3, seed=1)
    inputs = (a.requires_grad_(), b.requires_grad_())
    assert torch.autograd.gradcheck(lambda a, b: pair_similarity(a, b, index, kind), inputs)


def test_both_sides_may_be_the_same_tensor():
    a, _, _ = draw(4, 4, 1, seed=2)
    index = torch.tensor([[0, 1], [1, 1], [3, 2], [0, 0]])
    assert torch.autograd.gradcheck(
        lambda a: pair_similarity(a, a, index, "cosine"), a.requires_grad_()
    )


def test_cosine_ignores_length():
    a, b, index = draw(6, 5, 2, seed=3)
    scale_a, scale_b = torch.rand(6, 1).double() + 0.1, torch.rand(5, 1).double() + 0.1
    torch.testing.assert_close(
        pair_similarity(a * scale_a, b * scale_b, index, "cosine"),
        pair_similarity(a, b, index, "cosine"),
    )


def test_a_row_of_zeros_has_cosine_zero_and_no_gradient():
    a = torch.tensor([[0.0, 0.0], [1.0, 2.0]], requires_grad=True)
    b = torch.tensor([[3.0, 4.0], [0.0, 0.0]], requires_grad=True)
    out = pair_similarity(a, b, torch.tensor([[0, 1], [0, 1]]), "cosine")
    out.sum().backward()
    assert out[0].tolist() == [0, 0] and out[1, 1].item() == 0
    assert a.grad[0].tolist() == [0, 0] and b.grad[1].tolist() == [0, 0]
    assert torch.isfinite(a.grad).all() and torch.isfinite(b.grad).all()


def test_gradient_is_bit_identical_where_many_meet(two_threads):
    random = torch.Generator().manual_seed(0)
    a, b = torch.randn(3000, 32, generator=random), torch.randn(40, 32, generator=random)
    index = torch.randint(40, (3000, 2), generator=random)
    gradients = []
    for _ in range(5):
        leaf = b.clone().requires_grad_()
        pair_similarity(a, leaf, index, "cosine").square().sum().backward()
        gradients.append(leaf.grad)
    assert all(torch.equal(gradients[0], gradient) for gradient in gradients[1:])
