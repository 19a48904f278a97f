import math

import pytest
import torch
from torch import nn

from graphrank.augment import clean_view
from graphrank.methods.sig_vae import SIGVAE
from graphrank.nn.dropout import coin_flips
from tests.methods.training_steps import gradients_are_right
from tests.nn.reference import dense_normalized, make_graph, to_dense

SMALL = {"noise_channels": 4, "hidden_channels": 5, "channels": 3, "draws": 2, "mixture": 3}
DECODERS = ["inner", "bernoulli-poisson"]


def build(decoder="inner", epoch=60, density=1.0, **settings):
    torch.manual_seed(1)
    method = SIGVAE(**{**SMALL, "decoder": decoder, **settings})
    net = method.build(6).double()
    # Weights that let the deviations differ from one.
    nn.init.normal_(net.to_log_variance, std=0.5)
    method.after_step(net, epoch)
    _, _, _, graph = make_graph(9, seed=8, density=density)
    return method, net, graph


def plain_loss(method, net, graph):
    """The authors' formula node by node, with dense matrices and plain exponentials."""
    nodes, draws = graph.num_nodes, method.draws + method.mixture
    matrix = to_dense(graph.adjacency.pattern, graph.adjacency.weight)
    spread = dense_normalized(matrix)
    hidden = (spread @ graph.features.to_dense() @ net.weight).clamp_min(0)
    log_variance = spread @ hidden @ net.to_log_variance
    noise = coin_flips((nodes, draws, method.noise_channels), hidden)
    scale = math.sqrt((method.noise_channels + method.hidden_channels) / (6 + 5))
    means = []
    for draw in range(draws):
        around = (spread @ (scale * noise[:, draw] @ net.noise_weight)).clamp_min(0)
        means.append(spread @ (hidden + around) @ net.to_mean)
    std = (0.5 * log_variance).exp()
    eps = torch.randn(nodes, method.draws, method.channels, dtype=torch.double)
    there, edges = matrix != 0, int((matrix != 0).sum()) - nodes
    loss = torch.zeros((), dtype=torch.double)
    for draw in range(method.draws):
        z = means[draw] + std * eps[:, draw]
        if method.decoder == "inner":
            chance = torch.sigmoid(z @ z.T)
        else:
            chance = 1 - torch.exp(-torch.exp(z * torch.sigmoid(net.rate_logit) @ z.T))
        link = -(chance[there].log().sum() / edges)
        gap = -((1 - chance[~there]).log().sum() / (nodes**2 - edges))
        loss = loss + 0.5 * (link + gap) / method.draws
        for node in range(nodes):
            kernels = [
                torch.exp(-0.5 * ((z[node] - mean[node]) / std[node]).square().sum())
                for mean in [means[draw], *means[method.draws :]]
            ]
            density = torch.stack(kernels).mean().log() - 0.5 * log_variance[node].sum()
            prior = -0.5 * z[node].square().sum()
            weight = float(net.warm_up.weight) / (nodes * nodes * method.draws)
            loss = loss + weight * (density - prior)
    return loss


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("density", [1.0, 0.05], ids=["dense", "sparse"])
def test_training_step_equals_the_plain_dense_computation(decoder, density):
    method, net, graph = build(decoder, density=density)
    torch.manual_seed(3)
    found = method.training_step(net, graph)
    found.backward()
    gradients = {name: p.grad.clone() for name, p in net.named_parameters()}
    net.zero_grad()
    torch.manual_seed(3)
    expected = plain_loss(method, net, graph)
    expected.backward()
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(gradients, {n: p.grad for n, p in net.named_parameters()})


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("reconstruction", ["dense", "sampled"])
def test_gradcheck_of_the_whole_training_loss(decoder, reconstruction):
    method, net, graph = build(decoder, reconstruction=reconstruction)
    assert gradients_are_right(method, net, graph, fast=True)


def test_noise_moves_the_means_of_the_neighbours_too():
    _, net, graph = build()
    view = clean_view(graph)
    torch.manual_seed(0)
    means = net.means(view, net.hidden(view), 3)
    assert not torch.allclose(means[:, 0], means[:, 1])
    nn.init.zeros_(net.noise_weight)
    still = net.means(view, net.hidden(view), 3)
    torch.testing.assert_close(still[:, 0], still[:, 2])


def test_the_deviation_does_not_depend_on_the_noise():
    _, net, graph = build()
    view = clean_view(graph)
    found = net.log_std(view, net.hidden(view))
    nn.init.normal_(net.noise_weight)
    assert torch.equal(net.log_std(view, net.hidden(view)), found)


@pytest.mark.parametrize("decoder", DECODERS)
def test_the_embedding_is_the_mean_over_draws_as_the_decoder_weighs_it(decoder):
    method, net, graph = build(decoder, draws=4000)
    view = clean_view(graph)
    torch.manual_seed(1)
    means = net.means(view, net.hidden(view), 4000)
    torch.manual_seed(2)
    found = method.encode(net, graph)
    weight = 1.0 if net.rate_logit is None else torch.sigmoid(net.rate_logit).sqrt()
    # Two sets of draws agree to what so many draws leave of their noise.
    noise = 5 * float(means.std(dim=1).detach().max()) * (2 / 4000) ** 0.5
    torch.testing.assert_close(found, means.mean(dim=1) * weight, atol=noise, rtol=0)


def test_the_same_embedding_every_time(toy):
    model = SIGVAE(**SMALL, epochs=2).fit(toy)
    assert torch.equal(model.transform(toy), model.embedding_)


def test_only_the_poisson_decoder_has_rates(toy):
    for decoder in DECODERS:
        names = dict(SIGVAE(**SMALL, decoder=decoder).build(4).named_parameters())
        assert ("rate_logit" in names) == (decoder == "bernoulli-poisson")
    model = SIGVAE(**SMALL, decoder="bernoulli-poisson", epochs=30, learning_rate=0.05).fit(toy)
    assert math.isfinite(model.history_.loss[-1])
    assert model.history_.loss[-1] < model.history_.loss[0]


def test_the_divergence_gains_weight_with_the_epochs():
    method, net, _ = build(epoch=0)
    seen = []
    for epoch in (0, 148, 298, 999):
        method.after_step(net, epoch)
        seen.append(round(float(net.warm_up.weight), 6))
    assert seen == [round(2 / 300, 6), 0.5, 1.0, 1.0]


def test_links_are_told_apart(toy):
    model = SIGVAE(**{**SMALL, "channels": 4}, epochs=150, learning_rate=0.02).fit(toy)
    products = model.embedding_ @ model.embedding_.T
    linked = torch.zeros_like(products, dtype=torch.bool)
    linked[toy.edge_index[0], toy.edge_index[1]] = True
    others = ~linked & ~torch.eye(toy.num_nodes, dtype=torch.bool)
    ranks = (products[linked][:, None] > products[others][None, :]).float().mean()
    assert float(ranks) > 0.8
