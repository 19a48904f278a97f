import logging

import pytest
import torch
import torch.nn.functional as F

from graphrank.methods.seegera import SeeGera
from graphrank.nn.adjacency import Adjacency
from graphrank.nn.dropout import coin_flips
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.graph_input import GraphInput
from tests.methods.training_steps import gradients_are_right
from tests.nn.reference import dense_normalized, make_graph, to_dense
from tests.nn.test_encoders import dense_view
from tests.nn.test_masked_networks import by_layers

SMALL = {"hidden_channels": 5, "channels": 4, "noise_channels": 2}
VARIANTS = {
    "cora": {},
    "shallow": {"encoder_layers": 1, "decoder_layers": 1, "attribute_loss": "mse"},
    "perceptron": {"encoder": "mlp", "decoder_layers": 3, "attribute_loss": "mse"},
    "more means": {"mixture": 3},
    "no masks": {"edge_mask": 0.0, "attribute_mask": 0.0},
}


def build(density=0.4, **settings):
    torch.manual_seed(1)
    method = SeeGera(**{**SMALL, "dropout": 0.0, **settings})
    net = method.build(6).double()
    method.after_step(net, 70)
    _, _, x, graph = make_graph(10, seed=8)
    torch.manual_seed(5)
    x = x.abs() * (torch.rand_like(x) < density)
    x[0] = 0.0  # a node without attributes
    x[:, 0] = 0.0  # an attribute of no node
    return method, net, GraphInput(FeatureMatrix(x), graph.adjacency)


@pytest.fixture
def hidden(monkeypatch):
    """What a step hides, drawn before the step: its other draws follow a seed of their own."""

    def hide(method, graph):
        torch.manual_seed(9)
        view = method._masked(graph)
        monkeypatch.setattr(SeeGera, "_masked", lambda *_: view)
        return view

    return hide


def plain_loss(method, net, graph, view):
    """The authors' objective with dense matrices, in the order of the random draws."""
    x, matrix = dense_view(view.graph, view)
    nodes, features = x.shape
    spread = dense_normalized(matrix)
    noises = [coin_flips((nodes, 2), x) for _ in range(1 + method.mixture)]
    means = [by_layers(net.node_mean, x, matrix, noise) for noise in noises]
    log_variance = by_layers(net.node_log_variance, x, matrix, x[:, :0])
    z = means[0] + (0.5 * log_variance).exp() * torch.randn_like(means[0])
    by_attribute = F.normalize(x.T, p=1, dim=1)
    other_means = [net.attribute_mean(by_attribute @ mean) for mean in means]
    other_log_variance = net.attribute_log_variance(by_attribute @ log_variance)
    w = other_means[0] + (0.5 * other_log_variance).exp() * torch.randn_like(other_means[0])

    target = (to_dense(graph.adjacency.pattern, graph.adjacency.weight) != 0).double()
    edges = int((matrix != 0).sum()) - nodes
    loss = balanced(z @ z.T, target, edges)

    decoded = torch.cat([z, F.normalize(x, p=1, dim=1) @ w], dim=1)
    for number, weight in enumerate(net.decoder.weights):
        decoded = spread @ decoded @ weight
        if number < method.decoder_layers - 1 or method.decoder_layers == 1:
            decoded = decoded.clamp_min(0)
    filled = int((x != 0).sum())
    if method.attribute_loss == "mse":
        norm = x.numel() / (2 * (x.numel() - filled))
        loss = loss + norm * (decoded - x).square().mean()
    else:
        loss = loss + balanced(decoded, (x != 0).double(), filled)

    densities = []
    for sample, centres, log_var in (
        (z, means, log_variance),
        (w, other_means, other_log_variance),
    ):
        loss = loss + float(net.warm_up.weight) / len(sample) * (
            0.5 * sample.square().sum(dim=1).mean()
        )
        kernels = [
            torch.exp(-0.5 * ((sample - mean).square() / log_var.exp()).sum(dim=1))
            for mean in centres
        ]
        densities.append(torch.stack(kernels).mean(dim=0).log() - 0.5 * log_var.sum(dim=1))
    density = torch.cat(densities).mean()
    return loss + float(net.warm_up.weight) / (nodes + features) * density


def balanced(logits, target, present):
    """The loss of auto-encoders as it is commonly written."""
    entries = target.numel()
    ratio = torch.tensor((entries - present) / present, dtype=torch.double)
    mean = F.binary_cross_entropy_with_logits(logits, target, pos_weight=ratio)
    return entries / (2 * (entries - present)) * mean


@pytest.mark.parametrize("density", [0.4, 0.12], ids=["dense", "sparse"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_training_step_equals_the_plain_dense_computation(variant, density, hidden):
    method, net, graph = build(density, **VARIANTS[variant])
    view = hidden(method, graph)
    torch.manual_seed(3)
    found = method.training_step(net, graph)
    found.backward()
    gradients = {name: p.grad.clone() for name, p in net.named_parameters()}
    net.zero_grad()
    torch.manual_seed(3)
    expected = plain_loss(method, net, graph, view)
    expected.backward()
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(gradients, {n: p.grad for n, p in net.named_parameters()})


@pytest.mark.parametrize("reconstruction", ["dense", "sampled"])
@pytest.mark.parametrize("variant", ["cora", "perceptron"])
def test_gradcheck_of_the_whole_training_loss(variant, reconstruction):
    settings = {**VARIANTS[variant], "reconstruction": reconstruction, "dropout": 0.2}
    method, net, graph = build(**settings)
    assert gradients_are_right(method, net, graph, fast=True)


@pytest.mark.parametrize("density", [0.9, 0.05], ids=["dense", "sparse"])
def test_masks_hide_edges_in_pairs_and_single_entries(density):
    _, _, x, graph = make_graph(60, features=50, seed=2, density=density)
    method = SeeGera(**SMALL, edge_mask=0.5, attribute_mask=0.25)
    torch.manual_seed(0)
    view = method._masked(graph)
    masked, matrix = dense_view(view.graph, view)
    assert torch.equal(matrix, matrix.T)
    off = graph.adjacency.pattern.num_entries - 60
    assert int((matrix != 0).sum()) - 60 == pytest.approx(0.5 * off, rel=0.1)
    left = masked != 0
    assert torch.equal(masked[left], x[left])  # what is left keeps its value
    assert int(left.sum()) == pytest.approx(0.75 * int((x != 0).sum()), rel=0.15)
    assert torch.equal(graph.features.to_dense(), x)


def test_hidden_edges_are_to_be_rebuilt_and_hidden_attributes_are_not(monkeypatch):
    import graphrank.methods.seegera as module

    asked = {}
    for name in ("link_cost", "attribute_cost"):
        real = getattr(module, name)

        def spy(*args, name=name, real=real, **kwargs):
            asked[name] = (args, kwargs)
            return real(*args, **kwargs)

        monkeypatch.setattr(module, name, spy)
    method, net, graph = build(edge_mask=0.5, attribute_mask=0.5)
    torch.manual_seed(0)
    method.training_step(net, graph)
    (adjacency, *_), kwargs = asked["link_cost"]
    assert adjacency is graph.adjacency
    assert 0 < kwargs["num_edges"] < graph.adjacency.pattern.num_entries - 10
    (features, *_), _ = asked["attribute_cost"]
    assert features.entries()[0].num_entries < graph.features.entries()[0].num_entries


def test_the_embedding_draws_nothing_and_the_order_of_nodes_does_not_count():
    method, net, graph = build(dropout=0.5)
    net.eval()
    found = method.encode(net, graph)
    torch.manual_seed(77)
    assert torch.equal(method.encode(net, graph), found)
    order = torch.randperm(10, generator=torch.Generator().manual_seed(1))
    pattern = graph.adjacency.pattern
    edges = torch.stack([pattern.column, pattern.row])
    edges = order.argsort()[edges[:, edges[0] != edges[1]]]
    turned = GraphInput(
        FeatureMatrix(graph.features.to_dense()[order]),
        Adjacency(edges, 10, torch.ones(edges.size(1)).double()),
    )
    torch.testing.assert_close(method.encode(net, turned), found[order])


def test_the_preset_for_links_hides_edges_only():
    links = SeeGera.from_preset("links")
    assert links.edge_mask == 0.3 and links.attribute_mask == 0.0 and links.decoder_layers == 3


def test_how_much_is_compared_is_told(toy, caplog):
    with caplog.at_level(logging.INFO, "graphrank"):
        SeeGera(**SMALL, epochs=1).fit(toy)
    told = [r.getMessage() for r in caplog.records if r.getMessage().startswith("SeeGera")]
    assert len(told) == 2 and all("all of them" in message for message in told)


def test_groups_come_apart(toy):
    model = SeeGera(hidden_channels=16, channels=16, epochs=60).fit(toy)
    connected = toy.edge_index.flatten().unique()
    z, y = F.normalize(model.embedding_[connected], dim=1), toy.y[connected]
    same = y[:, None] == y
    cosine = z @ z.T
    assert float(cosine[same].mean()) > float(cosine[~same].mean()) + 0.3
