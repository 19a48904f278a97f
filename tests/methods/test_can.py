import logging

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from graphrank.augment import clean_view
from graphrank.methods.can import CAN
from graphrank.methods.registry import load_model
from graphrank.nn.adjacency import Adjacency
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.graph_input import GraphInput
from tests.conftest import toy_graph
from tests.methods.training_steps import gradients_are_right
from tests.nn.reference import dense_normalized, make_graph, to_dense

SMALL = {"hidden_channels": 5, "channels": 3}


def build(density, **settings):
    torch.manual_seed(1)
    method = CAN(**{**SMALL, **settings})
    _, _, x, graph = make_graph(10, seed=8)
    if density < 1:
        torch.manual_seed(5)
        graph = GraphInput(FeatureMatrix(x * (torch.rand_like(x) < density)), graph.adjacency)
    net = method.build(6).double()
    method.initialize(net, graph)
    for name, parameter in net.named_parameters():
        if "bias" in name:
            nn.init.normal_(parameter, std=0.3)
    return method, net, graph


def balanced(logits, target, present):
    """The loss of auto-encoders as it is commonly written."""
    entries = target.numel()
    ratio = torch.tensor((entries - present) / present, dtype=torch.double)
    mean = F.binary_cross_entropy_with_logits(logits, target, pos_weight=ratio)
    return entries / (2 * (entries - present)) * mean


def plain_loss(net, graph, loss):
    """All of it with dense matrices, in the order of the random draws."""
    x, nodes = graph.features.to_dense(), net.nodes
    matrix = to_dense(graph.adjacency.pattern, graph.adjacency.weight)
    propagation = dense_normalized(matrix)
    hidden = (propagation @ x @ nodes.weight).clamp_min(0)
    mean, log_std = (propagation @ hidden @ w for w in (nodes.to_mean, nodes.to_log_std))
    hidden = torch.tanh(x.T @ net.attributes.first.weight.T + net.attributes.first.bias)
    other_mean, other_log_std = net.attributes.to_mean(hidden), net.attributes.to_log_std(hidden)
    z = mean + log_std.exp() * torch.randn_like(mean)
    w = other_mean + other_log_std.exp() * torch.randn_like(other_mean)
    there = (matrix != 0).double()
    total = balanced(z @ z.T, there, int(there.sum()) - len(there))
    if loss == "bce":
        total = total + balanced(z @ w.T, (x != 0).double(), int((x != 0).sum()))
    else:
        norm = max(0.5, x.numel() / max(2 * int((x == 0).sum()), x.numel()))
        total = total + norm * (z @ w.T - x).square().mean()
    for m, s in ((mean, log_std), (other_mean, other_log_std)):
        kl = -0.5 * (1 + 2 * s - m.square() - (2 * s).exp()).sum(dim=1)
        total = total + kl.mean() / len(m)
    return total


@pytest.mark.parametrize(("density", "loss"), [(0.08, "bce"), (0.4, "bce"), (1.0, "mse")])
def test_training_step_equals_the_plain_dense_computation(density, loss):
    method, net, graph = build(density)
    torch.manual_seed(3)
    found = method.training_step(net, graph)
    found.backward()
    gradients = {name: p.grad.clone() for name, p in net.named_parameters()}
    net.zero_grad()
    torch.manual_seed(3)
    expected = plain_loss(net, graph, loss)
    expected.backward()
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(gradients, {n: p.grad for n, p in net.named_parameters()})


@pytest.mark.parametrize("reconstruction", ["dense", "sampled"])
def test_gradcheck_of_the_whole_training_loss(reconstruction):
    method, net, graph = build(0.08, reconstruction=reconstruction)
    assert gradients_are_right(method, net, graph, fast=True)


def test_the_attributes_encoder_has_a_row_for_each_node_and_is_read_back(toy, tmp_path):
    model = CAN(**SMALL, epochs=2).fit(toy)
    assert model.module_.attributes.first.weight.shape == (5, toy.num_nodes)
    model.save(tmp_path / "model")
    read = load_model(tmp_path / "model")
    for name, value in model.module_.state_dict().items():
        assert torch.equal(read.module_.state_dict()[name], value)
    # Nodes are embedded without it: a graph of another size is no matter, and it can be fitted.
    other = toy_graph(seed=3, size=20)
    assert torch.equal(read.transform(other), model.transform(other))
    read.fit(other)
    assert read.module_.attributes.first.weight.shape == (5, other.num_nodes)


def test_the_embedding_is_the_mean_and_draws_nothing():
    method, net, graph = build(0.4)
    mean, _ = net.nodes(clean_view(graph))
    for seed in (0, 1):
        torch.manual_seed(seed)
        assert torch.equal(method.encode(net, graph), mean)


def test_the_order_of_nodes_does_not_count():
    method, net, graph = build(0.4)
    order = torch.randperm(10, generator=torch.Generator().manual_seed(1))
    pattern = graph.adjacency.pattern
    edges = torch.stack([pattern.column, pattern.row])
    edges = order.argsort()[edges[:, edges[0] != edges[1]]]
    turned = GraphInput(
        FeatureMatrix(graph.features.to_dense()[order]),
        Adjacency(edges, 10, torch.ones(edges.size(1)).double()),
    )
    torch.testing.assert_close(method.encode(net, turned), method.encode(net, graph)[order])


def test_words_that_go_with_a_group_come_to_lie_near_its_nodes():
    """What co-embedding is for: nodes and attributes of one group are nearer than of two."""
    random = torch.Generator().manual_seed(0)
    toy = toy_graph(isolated=0)
    group, of_word = toy.y, torch.arange(20) % 2
    share = torch.where(group[:, None] == of_word, 0.5, 0.05)
    toy.x = (torch.rand(share.shape, generator=random) < share).float()
    model = CAN(**SMALL, epochs=150).fit(toy)
    with torch.no_grad():
        words, _ = model.module_.attributes(FeatureMatrix(toy.x))
    affinity = model.embedding_ @ words.T
    same = group[:, None] == of_word
    assert float(affinity[same].mean()) > float(affinity[~same].mean()) + 1


def test_how_much_is_compared_is_told(toy, caplog):
    with caplog.at_level(logging.INFO, "graphrank"):
        CAN(**SMALL, epochs=1, reconstruction="sampled").fit(toy)
    told = [r.getMessage() for r in caplog.records if r.getMessage().startswith("CAN")]
    assert len(told) == 2 and all("random" in message for message in told)
    assert "links" in told[0] and "features" in told[1]


def test_a_sample_learns_what_the_whole_teaches(toy):
    """Both forms end with links that are told apart, on a graph of two groups."""
    same = toy.y[:, None] == toy.y
    for reconstruction in ("dense", "sampled"):
        model = CAN(**SMALL, epochs=100, reconstruction=reconstruction).fit(toy)
        products = model.embedding_ @ model.embedding_.T
        connected = toy.edge_index.flatten().unique()
        products, within = products[connected][:, connected], same[connected][:, connected]
        assert float(products[within].mean()) > 0.1 > 0 > float(products[~within].mean())
