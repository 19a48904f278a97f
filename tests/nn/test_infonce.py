"""GRACE's loss against loops over pairs, in every way of holding similarities in memory."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn import infonce
from graphrank.nn.infonce import info_nce, recommended_block

nodes_and_seed = (st.integers(1, 9), st.integers(0, 1000))


def draw(nodes, seed, width=4):
    random = torch.Generator().manual_seed(seed)
    z = torch.randn(2, nodes, width, generator=random, dtype=torch.double)
    return z[0], z[1]


def by_loops(z_1, z_2, temperature, classes=None):
    """The paper's equation, one pair at a time, differentiable."""

    def kernel(a, b):
        return (a @ b / (a.norm() * b.norm()) / temperature).exp()

    def is_negative(i, k):
        return i != k if classes is None else int(classes[i]) != int(classes[k])

    losses = []
    for here, there in ((z_1, z_2), (z_2, z_1)):
        for i in range(here.size(0)):
            positive = kernel(here[i], there[i])
            below = positive
            for k in range(here.size(0)):
                if is_negative(i, k):
                    below = below + kernel(here[i], there[k]) + kernel(here[i], here[k])
            losses.append(-(positive / below).log())
    return torch.stack(losses).mean()


def loss_and_gradients(function, z_1, z_2):
    z_1, z_2 = z_1.clone().requires_grad_(), z_2.clone().requires_grad_()
    loss = function(z_1, z_2)
    loss.backward()
    return loss.detach(), z_1.grad, z_2.grad


@pytest.mark.parametrize("with_classes", [False, True])
@pytest.mark.parametrize("nodes", [1, 2, 7, 12])
@pytest.mark.parametrize("block", [0, 1, 2, 5, 7, 24, 1000])
def test_loss_and_gradients_equal_loops_over_pairs(nodes, block, with_classes):
    z_1, z_2 = draw(nodes, seed=nodes)
    classes = torch.arange(nodes) % 3 if with_classes else None
    expected = loss_and_gradients(lambda a, b: by_loops(a, b, 0.4, classes), z_1, z_2)
    found = loss_and_gradients(lambda a, b: info_nce(a, b, 0.4, block, classes), z_1, z_2)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-12)


@given(*nodes_and_seed, st.floats(0.05, 3))
def test_any_temperature(nodes, seed, temperature):
    z_1, z_2 = draw(nodes, seed)
    expected = float(by_loops(z_1, z_2, temperature))
    assert float(info_nce(z_1, z_2, temperature)) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_large_graphs_are_blocked_by_themselves(monkeypatch):
    """What is kept for small graphs is computed again for large ones, with the same result."""
    z_1, z_2 = draw(9, seed=0)
    computed = []
    exponentials = infonce._exponentials
    monkeypatch.setattr(
        infonce, "_exponentials", lambda *words: (computed.append(1), exponentials(*words))[1]
    )
    monkeypatch.setattr(infonce, "_TILE", 4)
    kept = loss_and_gradients(lambda a, b: info_nce(a, b, 0.5), z_1, z_2)
    tiles = 5 * 6 // 2  # on and above the diagonal of 18 rows in blocks of 4
    assert len(computed) == tiles
    monkeypatch.setattr(infonce, "KEPT_NODES", 8)
    again = loss_and_gradients(lambda a, b: info_nce(a, b, 0.5), z_1, z_2)
    assert len(computed) == 3 * tiles
    assert all(torch.equal(a, b) for a, b in zip(kept, again, strict=True))
    assert (recommended_block(8), recommended_block(9)) == (0, 4)


@pytest.mark.parametrize("block", [10, 64])
def test_tiles_are_small_and_not_kept(block, monkeypatch):
    """Neither pass makes a tensor of nodes x nodes, and none of the tiles waits for the second."""
    nodes, width, tiles = 150, 5, []
    exponentials = infonce._exponentials
    monkeypatch.setattr(
        infonce, "_exponentials", lambda *words: (tiles.append(exponentials(*words)), tiles[-1])[1]
    )
    z_1, z_2 = (z.requires_grad_() for z in draw(nodes, 0, width))
    saved = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: (saved.append(t.numel()), t)[1],
                                                  lambda t: t):  # fmt: skip
        loss = info_nce(z_1, z_2, 0.5, block=block)
    loss.backward()
    assert max(tile.numel() for tile in tiles) == block**2
    assert max(saved) <= 2 * nodes * width
    assert sum(saved) <= 20 * 2 * nodes * width


@pytest.mark.parametrize("block", [0, 3])
@pytest.mark.parametrize("with_classes", [False, True])
def test_gradcheck(block, with_classes):
    z_1, z_2 = draw(5, seed=3)
    classes = torch.tensor([0, 1, 1, 2, 0]) if with_classes else None
    assert torch.autograd.gradcheck(
        lambda a, b: info_nce(a, b, 0.5, block, classes),
        (z_1.requires_grad_(), z_2.requires_grad_()),
    )


@given(*nodes_and_seed)
def test_symmetric_in_the_views(nodes, seed):
    z_1, z_2 = draw(nodes, seed)
    one, other = float(info_nce(z_1, z_2, 0.4)), float(info_nce(z_2, z_1, 0.4))
    assert one == pytest.approx(other, rel=1e-12)


@given(*nodes_and_seed)
def test_the_order_of_nodes_and_the_length_of_rows_do_not_matter(nodes, seed):
    z_1, z_2 = draw(nodes, seed)
    whole = float(info_nce(z_1, z_2, 0.4))
    order = torch.randperm(nodes, generator=torch.Generator().manual_seed(seed))
    assert float(info_nce(z_1[order], z_2[order], 0.4)) == pytest.approx(whole, rel=1e-12)
    scale = torch.arange(1, nodes + 1).double().unsqueeze(1)
    assert float(info_nce(scale * z_1, 0.1 * z_2, 0.4)) == pytest.approx(whole, rel=1e-10)


@pytest.mark.parametrize("nodes", [1, 2, 10])
def test_a_constant_map_cannot_tell_nodes_apart(nodes):
    z = torch.tensor([1.0, -2.0, 4.0]).double().expand(nodes, 3)
    assert float(info_nce(z, z, 0.3)) == pytest.approx(math.log(2 * nodes - 1), abs=1e-12)


@given(st.integers(2, 6), st.integers(0, 1000))
def test_least_where_nodes_are_spread_evenly_and_views_agree(nodes, seed):
    """The corners of a regular simplex, every cosine of two nodes at -1 / (nodes - 1)."""
    corners = torch.eye(nodes).double() - 1 / nodes
    cosine = -1 / (nodes - 1)
    least = math.log1p(2 * (nodes - 1) * math.exp((cosine - 1) / 0.5))
    assert float(info_nce(corners, corners, 0.5)) == pytest.approx(least, rel=1e-9)
    z_1, z_2 = draw(nodes, seed, width=nodes)
    assert float(info_nce(z_1, z_2, 0.5)) > least
    assert float(info_nce(corners + 0.1 * z_1, corners + 0.1 * z_2, 0.5)) > least


def test_pairs_of_one_class_do_not_repel():
    z_1, z_2 = draw(6, seed=1)
    one_class = info_nce(z_1, z_2, 0.5, classes=torch.zeros(6, dtype=torch.long))
    assert float(one_class) == pytest.approx(0.0, abs=1e-12)
    own_classes = info_nce(z_1, z_2, 0.5, classes=torch.arange(6))
    assert float(own_classes) == pytest.approx(float(info_nce(z_1, z_2, 0.5)), rel=1e-12)
    fewer = info_nce(z_1, z_2, 0.5, classes=torch.tensor([0, 0, 1, 2, 3, 4]))
    assert float(fewer) < float(own_classes)


def test_single_precision_holds_the_smallest_temperature():
    z = torch.eye(50, 60)
    z_1, z_2 = z.clone().requires_grad_(), (-z).requires_grad_()  # the worst that can be
    loss = info_nce(z_1, z_2, 0.02)
    loss.backward()
    assert loss.item() == pytest.approx(50 + math.log(98), rel=1e-5)
    assert torch.isfinite(z_1.grad).all() and torch.isfinite(z_2.grad).all()
