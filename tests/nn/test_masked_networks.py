import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.augment import Corruption, clean_view, corrupt
from graphrank.nn.masked_networks import FeatureDecoder, NodeNetwork
from tests.nn.reference import dense_normalized, make_graph
from tests.nn.test_encoders import dense_view

STRONG = Corruption(edge_drop=0.4)


def network(layers, spreads, noise=2, dropout=0.0):
    torch.manual_seed(1)
    return NodeNetwork(6, noise, 5, 4, layers, dropout, spreads).double()


def by_layers(net, x, matrix, noise):
    """The features and the noise side by side, one dense layer after another."""
    hidden = torch.cat([noise, x], dim=1)
    for number, weight in enumerate(net.weights):
        hidden = hidden @ weight
        last = number == len(net.weights) - 1
        if net.spreads:
            hidden = dense_normalized(matrix) @ hidden
            hidden = hidden if last and len(net.weights) > 1 else hidden.clamp_min(0)
        else:
            hidden = hidden + net.biases[number]
            hidden = hidden if last else torch.tanh(hidden)
    return hidden


@pytest.mark.parametrize("density", [1.0, 0.05], ids=["dense", "sparse"])
@pytest.mark.parametrize("spreads", [True, False], ids=["gcn", "mlp"])
@pytest.mark.parametrize("layers", [1, 2, 3])
def test_equals_dense_layers(layers, spreads, density):
    net = network(layers, spreads)
    _, _, _, graph = make_graph(seed=4, density=density)
    noise = torch.randn(9, 2, dtype=torch.double)
    for view in (clean_view(graph), corrupt(graph, STRONG)):
        expected = by_layers(net, *dense_view(graph, view), noise)
        torch.testing.assert_close(net(view, noise), expected)
    quiet = network(layers, spreads, noise=0)
    expected = by_layers(quiet, *dense_view(graph, clean_view(graph)), noise[:, :0])
    torch.testing.assert_close(quiet(clean_view(graph)), expected)


@pytest.mark.parametrize("spreads", [True, False], ids=["gcn", "mlp"])
def test_noises_share_what_the_features_give(spreads):
    net = network(2, spreads)
    _, _, _, graph = make_graph(seed=4)
    view = corrupt(graph, STRONG)
    noises = list(torch.randn(3, 9, 2, dtype=torch.double))
    found = net.under_each(view, noises)
    for one, noise in zip(found, noises, strict=True):
        torch.testing.assert_close(one, net(view, noise))
    given_features = net.weights[0]
    shared, alone = (
        torch.autograd.grad(sum(each.square().sum() for each in outputs), given_features)[0]
        for outputs in (found, [net(view, noise) for noise in noises])
    )
    torch.testing.assert_close(shared, alone)


def test_every_noise_has_a_dropout_of_its_own():
    net = network(2, True, dropout=0.5)
    _, _, _, graph = make_graph(seed=4)
    same = [torch.zeros(9, 2, dtype=torch.double)] * 2
    one, other = net.under_each(clean_view(graph), same)
    assert not torch.equal(one, other)
    one, other = net.eval().under_each(clean_view(graph), same)
    assert torch.equal(one, other)


@given(st.integers(0, 200))
def test_the_order_of_nodes_does_not_count(seed):
    _, _, x, graph = make_graph(seed=seed)
    order = torch.randperm(9, generator=torch.Generator().manual_seed(seed))
    net = network(2, True)
    found = net(clean_view(graph), x[:, :2])
    matrix = dense_view(graph, clean_view(graph))[1]
    expected = by_layers(net, x[order], matrix[order][:, order], x[order, :2])
    torch.testing.assert_close(found[order], expected)


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_the_product_of_the_factors_is_the_last_convolution(layers):
    torch.manual_seed(2)
    decoder = FeatureDecoder(4, 5, 6, layers, 0.0).double()
    _, _, x, graph = make_graph(seed=4)
    view = corrupt(graph, STRONG)
    propagation, hidden = dense_normalized(dense_view(graph, view)[1]), x[:, :4]
    for number, weight in enumerate(decoder.weights):
        hidden = propagation @ (hidden @ weight)
        if number < layers - 1:
            hidden = hidden.clamp_min(0)
    left, right = decoder(view, x[:, :4])
    torch.testing.assert_close(left @ right.T, hidden)
    assert decoder.is_rectified == (layers == 1)


@pytest.mark.parametrize("spreads", [True, False], ids=["gcn", "mlp"])
def test_gradcheck(spreads):
    net = network(2, spreads)
    _, _, x, graph = make_graph(seed=5, density=0.05)
    names = [name for name, _ in net.named_parameters()]

    def output(*values):
        given = dict(zip(names, values, strict=True))
        return torch.func.functional_call(net, given, (clean_view(graph), x[:, :2]))

    values = tuple(p.detach().requires_grad_() for p in net.parameters())
    assert torch.autograd.gradcheck(output, values)


def test_dropout_before_each_layer_and_in_training_only():
    _, _, x, graph = make_graph(seed=6)
    view = clean_view(graph)
    net, decoder = network(2, True, dropout=0.5), FeatureDecoder(4, 5, 6, 2, 0.5).double()
    calls = (lambda: net(view, x[:, :2]), lambda: decoder(view, x[:, :4])[0])
    for call in calls:
        assert not torch.equal(call(), call())
    net.eval()
    decoder.eval()
    for call in calls:
        assert torch.equal(call(), call())


def test_weights_are_drawn_as_the_authors_draw_them():
    wide = NodeNetwork(500, 5, 300, 200, 2, 0.0, True)
    for weight in wide.weights:
        bound = (6 / sum(weight.shape)) ** 0.5
        assert bound * 0.98 < float(weight.detach().abs().max()) <= bound
    plain = NodeNetwork(500, 5, 300, 200, 2, 0.0, False)
    for weight, bias in zip(plain.weights, plain.biases, strict=True):
        bound = weight.size(0) ** -0.5
        assert (
            bound * 0.9
            < float(bias.detach().abs().max())
            <= float(weight.detach().abs().max()) + 1e-3
        )
        assert float(weight.detach().abs().max()) <= bound
