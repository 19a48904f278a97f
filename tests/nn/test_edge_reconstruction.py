import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.edge_reconstruction import (
    bernoulli,
    bernoulli_poisson,
    class_weights,
    link_cost,
    mean_link_cost,
)
from tests.nn.reference import make_graph, to_dense

SEED = st.integers(0, 500)
NO_EDGES = torch.empty(2, 0, dtype=torch.long)


def embedding(nodes, seed=0, width=3):
    random = torch.Generator().manual_seed(seed)
    return torch.randn(nodes, width, generator=random, dtype=torch.double)


def chance(number, decoder):
    if decoder == "inner":
        return 1 / (1 + math.exp(-number))
    return 1 - math.exp(-math.exp(number))


def by_loops(adjacency, z, decoder, num_edges=None):
    """The likelihood as authors write it: a weight on the links, the mean of all, its norm."""
    nodes, matrix = z.size(0), to_dense(adjacency.pattern, adjacency.weight)
    edges = int((matrix != 0).sum()) - nodes if num_edges is None else num_edges
    link_weight = (nodes**2 - edges) / edges
    total = 0.0
    for i in range(nodes):
        for j in range(nodes):
            p = chance(float(z[i] @ z[j]), decoder)
            total -= link_weight * math.log(p) if matrix[i, j] else math.log(1 - p)
    return nodes**2 / (2 * (nodes**2 - edges)) * total / nodes**2


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("decoder", ["inner", "bernoulli-poisson"])
@given(seed=SEED)
def test_equals_loops_over_pairs(directed, decoder, seed):
    _, _, _, graph = make_graph(8, seed=seed, directed=directed, weighted=True, share=0.4)
    z = 0.4 * embedding(8, seed)  # chances that differ from one in plain arithmetic
    found = link_cost(graph.adjacency, z, "dense", decoder=decoder)
    assert float(found) == pytest.approx(by_loops(graph.adjacency, z, decoder), rel=1e-6)


def test_another_number_of_edges_moves_the_balance_and_nothing_else():
    _, _, _, graph = make_graph(8, seed=3, share=0.4)
    z = embedding(8)
    found = float(link_cost(graph.adjacency, z, "dense", num_edges=5))
    assert found == pytest.approx(by_loops(graph.adjacency, z, "inner", 5), rel=1e-9)
    assert found != pytest.approx(float(link_cost(graph.adjacency, z, "dense")))


@pytest.mark.parametrize("decoder", ["inner", "bernoulli-poisson"])
def test_a_sample_has_the_exact_cost_for_its_mean(decoder):
    _, _, _, graph = make_graph(12, seed=1)
    z = 0.7 * embedding(12)
    torch.manual_seed(2)
    drawn = torch.stack(
        [link_cost(graph.adjacency, z, "sampled", decoder=decoder) for _ in range(1000)]
    )
    exact = link_cost(graph.adjacency, z, "dense", decoder=decoder)
    assert abs(float(drawn.mean() - exact)) < 4 * float(drawn.std()) / 1000**0.5
    assert 0 < float(drawn.std()) < float(exact)


@pytest.mark.parametrize("form", ["dense", "sampled"])
def test_the_mean_of_several_embeddings(form):
    """One sample serves them all; its mean over draws is the exact cost all the same."""
    _, _, _, graph = make_graph(12, seed=1)
    several = [0.7 * embedding(12, seed) for seed in range(3)]
    exact = torch.stack([link_cost(graph.adjacency, z, "dense") for z in several]).mean()
    torch.manual_seed(2)
    drawn = torch.stack([mean_link_cost(graph.adjacency, several, form) for _ in range(1000)])
    assert abs(float(drawn.mean() - exact)) <= 4 * float(drawn.std()) / 1000**0.5 + 1e-9


def test_both_classes_have_half_of_the_weight():
    there, not_there = class_weights(30, 400)
    assert 30 * there == pytest.approx(0.5) and 370 * not_there == pytest.approx(0.5)
    assert class_weights(0, 9) == (0.5, 0.5 / 9)
    assert class_weights(9, 9) == (0.5 / 9, 0.5)


@given(SEED)
def test_order_and_rotation_of_the_embedding_do_not_count(seed):
    edge_index, _, _, graph = make_graph(9, seed=seed)
    z = embedding(9, seed)
    order = torch.randperm(9, generator=torch.Generator().manual_seed(seed))
    turned = Adjacency(order.argsort()[edge_index], 9)
    expected = link_cost(graph.adjacency, z, "dense")
    torch.testing.assert_close(link_cost(turned, z[order], "dense"), expected)
    rotation = torch.linalg.qr(embedding(3, seed))[0]
    torch.testing.assert_close(link_cost(graph.adjacency, z @ rotation, "dense"), expected)


def test_never_negative_and_near_zero_where_parts_are_told_apart():
    two_parts = torch.tensor([[0, 1, 2, 3], [1, 0, 3, 2]])
    adjacency = Adjacency(two_parts, 4)
    apart = torch.tensor([[5.0], [5.0], [-5.0], [-5.0]], dtype=torch.double)
    assert 0 <= float(link_cost(adjacency, apart, "dense")) < 1e-9
    assert float(link_cost(adjacency, apart[[0, 2, 1, 3]], "dense")) > 10


@pytest.mark.parametrize("decoder", ["inner", "bernoulli-poisson"])
@pytest.mark.parametrize("form", ["dense", "sampled"])
def test_gradcheck(decoder, form):
    _, _, _, graph = make_graph(7, seed=2)

    def cost(z):
        torch.manual_seed(0)
        return link_cost(graph.adjacency, z, form, decoder=decoder)

    assert torch.autograd.gradcheck(cost, embedding(7).requires_grad_())


@pytest.mark.parametrize("kind", [bernoulli, bernoulli_poisson])
@pytest.mark.parametrize("dtype", [torch.float, torch.double])
def test_extreme_numbers_have_finite_costs_and_gradients(kind, dtype):
    cost = kind(1, 2)
    for number in (-1e4, -100.0, -16.9, -17.1, 4.9, 5.1, 14.9, 15.1, 100.0, 1e4):
        one = torch.tensor([number], dtype=dtype, requires_grad=True)
        for value in (cost.absent(one), cost.present(one, torch.ones_like(one))):
            (slope,) = torch.autograd.grad(value, one)
            assert torch.isfinite(value) and float(value.detach()) >= 0
            assert torch.isfinite(slope)
        # A false link is pulled down from any height, a missing one up from any depth.
        (down,) = torch.autograd.grad(cost.absent(one), one)
        assert float(down) > 0 or number < -50
        (up,) = torch.autograd.grad(cost.present(one, torch.ones_like(one)), one)
        assert float(up) < 0 or number > 4


@given(st.floats(-16.9, 4))
def test_a_poisson_count_is_there_or_not(log_rate):
    number = torch.tensor([log_rate], dtype=torch.double)
    cost = bernoulli_poisson(1, 2)
    absent = 2 * float(cost.absent(number))
    present = 2 * float(cost.present(number, number))
    assert absent == pytest.approx(math.exp(log_rate))
    assert math.exp(-absent) + math.exp(-present) == pytest.approx(1)


def test_the_rate_goes_on_as_its_tangent():
    cost = bernoulli_poisson(1, 2)
    at, beyond = torch.tensor([15.0, 18.0], dtype=torch.double)
    expected = 0.5 * math.exp(15) * (1 + 3)
    assert float(cost.absent(beyond)) == pytest.approx(expected)
    assert float(cost.absent(at)) == pytest.approx(0.5 * math.exp(15))


@pytest.mark.parametrize("form", ["dense", "sampled"])
def test_graphs_without_edges_and_of_one_node(form):
    for nodes in (1, 5):
        z = embedding(nodes).requires_grad_()
        cost = link_cost(Adjacency(NO_EDGES, nodes), z, form)
        cost.backward()
        assert torch.isfinite(cost) and torch.isfinite(z.grad).all()
    # One node is linked to itself alone, and the weight of no edges is that of one.
    z = embedding(1)
    alone = link_cost(Adjacency(NO_EDGES, 1), z, form)
    torch.testing.assert_close(alone, 0.5 * F.softplus(-z.square().sum()))
