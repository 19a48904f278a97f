import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.losses import random_negatives, rank_loss
from graphrank.nn.similarity import pair_similarity


def loss_of(z_1, z_2, negative, margin, kind="dot", positive=None):
    """The rank loss of two views, as methods compute it."""
    if positive is None:
        positive = torch.arange(z_1.size(0))
    near = pair_similarity(z_1, z_2, positive.unsqueeze(1), kind)[:, 0]
    return rank_loss(near, pair_similarity(z_1, z_2, negative, kind), margin)


def by_loops(z_1, z_2, negative, margin):
    """Equation 1 of the paper, one triple at a time."""
    hinges = []
    for v, row in enumerate(negative.tolist()):
        for u in row:
            gain = float((z_1[v] * z_2[v]).sum()) - float((z_1[v] * z_2[u]).sum())
            hinges.append(max(0.0, margin - gain))
    return sum(hinges) / len(hinges)


def draw(nodes, k, seed):
    random = torch.Generator().manual_seed(seed)
    z = torch.randn(2, nodes, 5, generator=random, dtype=torch.double)
    return z[0], z[1], torch.randint(nodes, (nodes, k), generator=random)


@given(st.integers(1, 9), st.integers(1, 4), st.floats(0, 3), st.integers(0, 1000))
def test_equals_loops_over_nodes_and_negatives(nodes, k, margin, seed):
    z_1, z_2, negative = draw(nodes, k, seed)
    expected = by_loops(z_1, z_2, negative, margin)
    assert float(loss_of(z_1, z_2, negative, margin)) == pytest.approx(expected, abs=1e-12)


@given(st.floats(0, 1), st.integers(2, 8))
def test_zero_where_all_are_ranked_with_margin(margin, nodes):
    z = torch.eye(nodes, dtype=torch.double)
    negative = (torch.arange(nodes).unsqueeze(1) + 1) % nodes
    assert float(loss_of(z, z, negative, margin)) == 0.0
    assert float(loss_of(z, z, negative, 1.0 + margin)) == pytest.approx(margin, abs=1e-12)


@given(st.floats(0.01, 100), st.integers(0, 100))
def test_homogeneous_of_degree_two_at_margin_zero(scale, seed):
    z_1, z_2, negative = draw(8, 2, seed)
    whole = float(loss_of(z_1, z_2, negative, 0.0))
    scaled = float(loss_of(scale * z_1, scale * z_2, negative, 0.0))
    assert scaled == pytest.approx(scale**2 * whole, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("kind", ["dot", "cosine"])
@pytest.mark.parametrize("margin", [0.0, 0.5, 1.0])
def test_a_constant_map_costs_exactly_the_margin(kind, margin):
    z = torch.tensor([1.0, -2.0, 4.0]).expand(6, 3)
    assert float(loss_of(z, z, random_negatives(6, 3), margin, kind)) == margin


@pytest.mark.parametrize("kind", ["dot", "cosine"])
def test_gradcheck(kind):
    z_1, z_2, negative = draw(6, 2, 4)
    neighbor = torch.tensor([1, 0, 3, 2, 5, 4])

    def whole(a, b):
        level = loss_of(a, b, negative, 0.5, kind, neighbor)
        return loss_of(a, b, negative, 1.0, kind) + 0.5 * level

    assert torch.autograd.gradcheck(whole, (z_1.requires_grad_(), z_2.requires_grad_()))


def test_a_gain_lowers_the_loss_and_nothing_pulls_beyond_the_margin():
    positive = torch.tensor([0.0, 5.0], requires_grad=True)
    negative = torch.tensor([[0.2], [0.0]], requires_grad=True)
    rank_loss(positive, negative, 1.0).backward()
    assert positive.grad.tolist() == [-0.5, 0.0]
    assert negative.grad.tolist() == [[0.5], [0.0]]


@given(st.integers(2, 12), st.integers(1, 5), st.integers(0, 1000))
def test_negatives_are_never_the_node_itself(nodes, k, seed):
    torch.manual_seed(seed)
    drawn = random_negatives(nodes, k)
    assert drawn.shape == (nodes, k)
    assert int(drawn.min()) >= 0 and int(drawn.max()) < nodes
    assert not (drawn == torch.arange(nodes).unsqueeze(1)).any()


def test_negatives_are_uniform_over_the_others():
    torch.manual_seed(0)
    draws = 20_000
    drawn = random_negatives(5, draws)
    for node in range(5):
        share = torch.bincount(drawn[node], minlength=5) / draws
        expected = torch.full((5,), 0.25)
        expected[node] = 0.0
        assert (share - expected).abs().max() < 5 * (0.25 * 0.75 / draws) ** 0.5


def test_negatives_of_a_single_node():
    assert random_negatives(1, 3).tolist() == [[0, 0, 0]]
    assert random_negatives(0, 2).shape == (0, 2)
