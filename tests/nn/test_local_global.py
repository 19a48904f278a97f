"""Nodes against graphs, held against InfoGraph's own form of the loss in loops."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.local_global import local_global_loss

sizes_and_seed = (st.lists(st.integers(1, 4), min_size=2, max_size=5), st.integers(0, 1000))


def draw(sizes, seed, width=3):
    random = torch.Generator().manual_seed(seed)
    nodes = torch.randn(sum(sizes), width, generator=random, dtype=torch.double)
    graphs = torch.randn(len(sizes), width, generator=random, dtype=torch.double)
    return nodes, graphs, torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))


def estimate_by_loops(nodes, graphs, graph_of_node):
    """Jensen-Shannon estimate of the mutual information, pair by pair."""
    real = fake = 0.0
    count = 0
    for node, own in zip(nodes, graph_of_node.tolist(), strict=True):
        for place, graph in enumerate(graphs):
            if place == own:
                real += math.log(2) - F.softplus(-(node @ graph))
            else:
                fake += F.softplus(node @ graph) - math.log(2)
                count += 1
    return real / len(nodes) - fake / count


@given(*sizes_and_seed)
def test_it_is_the_estimate_turned_round(sizes, seed):
    drawn = draw(sizes, seed)
    expected = -float(estimate_by_loops(*drawn))
    found = 2 * float(local_global_loss(*drawn)) - 2 * math.log(2)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_gradients():
    nodes, graphs, own = draw([2, 3, 1], seed=0)
    inputs = nodes.requires_grad_(), graphs.requires_grad_()
    assert torch.autograd.gradcheck(lambda n, g: local_global_loss(n, g, own), inputs)


@given(*sizes_and_seed)
def test_the_order_of_graphs_and_nodes_does_not_matter(sizes, seed):
    nodes, graphs, own = draw(sizes, seed)
    random = torch.Generator().manual_seed(seed)
    turn = torch.randperm(len(sizes), generator=random)
    mix = torch.randperm(len(nodes), generator=random)
    moved = local_global_loss(nodes[mix], graphs[turn], turn.argsort()[own[mix]])
    torch.testing.assert_close(moved, local_global_loss(nodes, graphs, own))


def test_undecided_and_at_its_best():
    own = torch.tensor([0, 0, 1, 2])
    undecided = local_global_loss(torch.zeros(4, 3), torch.randn(3, 3), own)
    assert undecided.item() == pytest.approx(math.log(2))
    told_apart = 2 * torch.eye(3) - 1  # its rows go with themselves alone
    best = local_global_loss(100 * told_apart[own], told_apart, own)
    assert 0 <= best.item() < 1e-6


def test_one_graph_loses_nothing_and_pulls_at_nothing():
    nodes, graph = torch.randn(4, 3, requires_grad=True), torch.randn(1, 3)
    loss = local_global_loss(nodes, graph, torch.zeros(4, dtype=torch.long))
    loss.backward()
    assert loss.item() == 0 and nodes.grad.eq(0).all()
