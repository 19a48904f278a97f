import math
from itertools import pairwise

import pytest
import torch
from torch_geometric.nn import GATConv

from graphrank.augment import clean_view
from graphrank.methods.graphmae import GraphMAE
from graphrank.nn.masking import draw_node_mask
from tests.nn.reference import make_graph

PLAIN = {"channels": 8, "heads": 2, "dropout": 0.0, "attention_dropout": 0.0}


def build(method, num_features, seed=0):
    """A module in double precision, with nothing at zero that would hide an error."""
    torch.manual_seed(seed)
    module = method.build(num_features).double()
    for name, parameter in module.named_parameters():
        if "bias" in name or name == "token":
            torch.nn.init.normal_(parameter)
    return module


def pyg_layer(layer, x, edge_index):
    """PyG's attention with our weights, so that gradients reach them."""
    twin = GATConv(x.size(1), layer.channels, heads=layer.heads).double()
    names = {"lin.weight": layer.weight.T, "bias": layer.bias}
    names |= {"att_src": layer.to_source[None], "att_dst": layer.to_target[None]}
    return torch.func.functional_call(twin, names, (x, edge_index))


def by_the_paper(method, module, x, edge_index, mask):
    """Dense features, every row decoded, the error of one hidden node at a time."""
    seen = x.clone()
    tokens = len(mask.hidden) - len(mask.source)
    seen[mask.hidden[:tokens]] = module.token
    seen[mask.hidden[tokens:]] = x[mask.source]
    for layer, act in zip(module.encoder.layers, module.encoder.acts, strict=True):
        seen = act(pyg_layer(layer, seen, edge_index))
    code = module.to_decoder(seen)
    code = torch.stack([0 * row if i in mask.hidden else row for i, row in enumerate(code)])
    decoded = pyg_layer(module.decoder, code, edge_index)
    errors = []
    for node in mask.hidden.tolist():
        # A node without features has no direction to guess: no guess is better than another.
        unit = x[node] / x[node].norm() if x[node].any() else x[node]
        errors.append((1 - torch.dot(decoded[node], unit) / decoded[node].norm()) ** method.alpha)
    return sum(errors) / len(errors)


@pytest.mark.parametrize("features", [6, 14], ids=["narrow", "wide"])
@pytest.mark.parametrize("density", [1.0, 0.09], ids=["dense", "sparse"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(
    "settings",
    [
        {"alpha": 3.0, "replace_rate": 0.3},
        {"alpha": 1.0, "replace_rate": 0.0, "mask_rate": 0.75},
        {"alpha": 2.0, "num_layers": 1, "heads": 1},
        {"alpha": 2.0, "num_layers": 3, "heads": 4, "mask_rate": 0.3, "replace_rate": 1.0},
    ],
)
def test_loss_and_gradients_equal_the_paper_written_out(features, density, directed, settings):
    method = GraphMAE(**{**PLAIN, **settings})
    edge_index, _, x, graph = make_graph(25, features, 2, directed, density=density, share=0.2)
    assert graph.features.is_sparse == (density < 0.1)
    module = build(method, features)
    torch.manual_seed(7)
    mask = draw_node_mask(25, method.mask_rate, method.replace_rate)
    torch.manual_seed(7)
    found = method.training_step(module, graph)
    expected = by_the_paper(method, module, x, edge_index, mask)
    torch.testing.assert_close(found, expected)
    parameters = tuple(module.parameters())
    torch.testing.assert_close(
        torch.autograd.grad(found, parameters),
        torch.autograd.grad(expected, parameters, materialize_grads=True),
    )


def test_a_hidden_node_is_rebuilt_without_a_look_at_itself():
    """Its own features turn the target of the error, and nothing that is decoded."""
    method = GraphMAE(**PLAIN, mask_rate=0.5, replace_rate=0.0)
    decoded = []
    for scale in (1.0, -1.0):
        _, _, _, graph = make_graph(12, 6, seed=4)
        torch.manual_seed(1)
        graph.features._dense[draw_node_mask(12, 0.5).hidden] *= scale
        module = build(method, 6)
        torch.manual_seed(1)
        # At alpha one the error is linear in the target: turned targets turn it around one.
        decoded.append(method.set_params(alpha=1.0).training_step(module, graph).item())
    assert sum(decoded) == pytest.approx(2.0)
    assert decoded[0] != pytest.approx(1.0)


def test_embeds_the_clean_graph_without_token_or_dropout():
    method = GraphMAE(channels=8, dropout=0.5, attention_dropout=0.5)
    _, _, _, graph = make_graph(12, 6, seed=4)
    module = build(method, 6)
    embedding = method.embed(module, graph)
    with torch.no_grad():
        module.token.add_(5)
        assert torch.equal(method.embed(module, graph), embedding)
        assert torch.equal(module.encoder(clean_view(graph)), embedding)


def test_dropout_reaches_features_token_layers_and_attention():
    """Each draws in training: two steps on the same mask differ with any of them."""
    _, _, _, graph = make_graph(12, 6, seed=4)
    for settings in ({"dropout": 0.5}, {"attention_dropout": 0.5}):
        method = GraphMAE(**{**PLAIN, **settings})
        module = build(method, 6)
        module.train()
        losses = []
        for seed in (0, 1):
            torch.manual_seed(0)
            mask = draw_node_mask(12, method.mask_rate, method.replace_rate)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(
                    "graphrank.methods.graphmae.draw_node_mask", lambda *_, mask=mask: mask
                )
                torch.manual_seed(seed)
                losses.append(method.training_step(module, graph).item())
        assert losses[0] != losses[1]


def test_learning_rate_falls_along_half_a_cosine():
    method = GraphMAE(epochs=100, learning_rate=0.01)
    rates = [method.learning_rate_at(epoch) for epoch in range(100)]
    assert rates[0] == 0.01
    assert rates[50] == pytest.approx(0.005)
    assert all(later < sooner for sooner, later in pairwise(rates))
    assert 0 < rates[-1] < 0.01 * 1e-3


def test_first_weights_are_as_wide_as_the_authors():
    torch.manual_seed(0)
    module = GraphMAE(channels=256, heads=4).build(300)
    first, second = module.encoder.layers
    assert first.weight.std().item() == pytest.approx(2 / math.sqrt(300 + 256), rel=0.02)
    assert second.weight.std().item() == pytest.approx(2 / math.sqrt(512), rel=0.02)
    assert first.to_source.std().item() == pytest.approx(2 / math.sqrt(5 * 64), rel=0.15)
    assert module.decoder.to_source.std().item() == pytest.approx(2 / math.sqrt(2 * 300), rel=0.15)
    assert not module.token.any() and not module.decoder.bias.any()


def frozen_after_one_gradient(rates):
    """How far Adam carries a weight whose first gradient dwarfs all that follow."""
    first, second, way = 0.0, 0.0, 0.0
    for step, rate in enumerate(rates, start=1):
        first = 0.9 * first + (0.1 if step == 1 else 0)
        second = 0.999 * second + (0.001 if step == 1 else 0)
        way += rate * (first / (1 - 0.9**step)) / math.sqrt(second / (1 - 0.999**step))
    return way


def test_hidden_nodes_without_visible_neighbours_fix_the_decoders_bias(toy):
    """They decode to the bias, zero at first: its gradient is such that Adam never forgets it.

    The authors' figures rest on this; see docs/methods/graphmae.md.
    """
    method = GraphMAE(channels=8, epochs=80, mask_rate=0.9, scale_features="none").fit(toy)
    bias = method.module_.decoder.bias
    way = frozen_after_one_gradient([method.learning_rate_at(epoch) for epoch in range(80)])
    torch.testing.assert_close(bias.abs(), torch.full_like(bias, way), rtol=1e-3, atol=0)
    long = frozen_after_one_gradient([1.0] * 1000)
    assert long == pytest.approx(6.0, abs=0.01)


def test_learns_to_rebuild_what_neighbours_share(toy):
    method = GraphMAE(channels=32, epochs=60, learning_rate=5e-3, seed=1).fit(toy)
    losses = method.history_.loss
    assert sum(losses[-10:]) < 0.6 * sum(losses[:10])
