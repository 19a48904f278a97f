import warnings
from itertools import pairwise

import pytest
import torch
from torch import nn

import graphrank.methods.bgrl as source
from graphrank.methods.bgrl import BGRL
from graphrank.methods.registry import load_model
from graphrank.training.collapse import CollapseWarning
from tests.methods.training_steps import fit_quietly, gradients_are_right, record_views
from tests.nn.reference import dense_normalized, make_graph
from tests.nn.test_bootstrap import by_loops
from tests.nn.test_encoders import dense_view

SMALL = {"hidden_channels": 12, "channels": 8, "predictor_channels": 10, "epochs": 3}


def fit(data, **settings):
    return fit_quietly(BGRL(**{**SMALL, **settings}), data)


@pytest.fixture
def views(monkeypatch):
    """The views that a training step draws."""
    return record_views(monkeypatch, source)


def build(density=1.0, **settings):
    torch.manual_seed(1)
    method = BGRL(**{**SMALL, **settings})
    _, _, _, graph = make_graph(10, seed=8, density=density)
    return method, method.build(6).double(), graph


def dense_network(encoder, x, matrix):
    """Two layers PReLU(BN(A H W)) with the batch's own statistics; the first layer's means too."""
    propagation, means = dense_normalized(matrix), []
    for weight, norm, act in zip(encoder.weights, encoder.norms, encoder.acts, strict=True):
        h = propagation @ x @ weight
        means.append(h.mean(dim=0))
        h = (h - h.mean(dim=0)) / (h.var(dim=0, correction=0) + norm.eps).sqrt()
        h = h * norm.weight + norm.bias
        x = torch.where(h > 0, h, act.weight * h)
    return x, means


@pytest.mark.parametrize("density", [1.0, 0.05], ids=["dense", "sparse"])
def test_training_step_equals_the_plain_dense_computation(density, views):
    method, net, graph = build(density)
    for name, parameter in net.named_parameters():
        if "norms" in name:
            nn.init.normal_(parameter)
    loss = method.training_step(net, graph)
    first, second = (dense_view(graph, view) for view in views)
    expected = 0.0
    for seen, hidden in ((first, second), (second, first)):
        prediction = net.predictor(dense_network(net.online, *seen)[0])
        expected += by_loops(prediction, dense_network(net.target, *hidden)[0])
    assert float(loss) == pytest.approx(expected)


def test_gradcheck_of_the_whole_training_loss():
    """Central differences under fixed draws, in every parameter that is trained."""
    method, net, graph = build(hidden_channels=4, channels=3, predictor_channels=4)
    assert gradients_are_right(method, net, graph)


def test_running_statistics_are_almost_those_of_the_last_view(views):
    """The online network sees view 1 and then view 2, the target the other way round."""
    method, net, graph = build()
    method.training_step(net, graph)
    first, second = (dense_view(graph, view) for view in views)
    for network, order in ((net.online, (first, second)), (net.target, (second, first))):
        running = torch.zeros(12, dtype=torch.double)
        for view in order:
            running = 0.01 * running + 0.99 * dense_network(network, *view)[1][0]
        torch.testing.assert_close(network.norms[0].running_mean, running)


def test_each_view_has_its_own_rates_and_each_direction_of_an_edge_is_drawn_for_itself(views):
    rates = {"edge_drop_1": 0.0, "feature_mask_1": 0.0, "edge_drop_2": 0.5, "feature_mask_2": 0.5}
    method, net, graph = build(**rates)
    method.training_step(net, graph)
    first, second = views
    assert first.edge_kept is None and first.column_kept is None and first.symmetric
    assert second.edge_kept is not None and second.column_kept is not None
    assert not second.symmetric


def test_the_target_starts_elsewhere_and_is_never_optimised(toy, tmp_path):
    method, net, graph = build()
    assert not torch.equal(net.online.weights[0], net.target.weights[0])
    in_optimiser = {id(p) for group in method.optimizer(net).param_groups for p in group["params"]}
    assert in_optimiser.isdisjoint(id(p) for p in net.target.parameters())
    for name, parameter in [*net.online.named_parameters(), *net.predictor.named_parameters()]:
        assert (id(parameter) in in_optimiser) == ("biases" not in name)
    method.training_step(net, graph).backward()
    assert all(p.grad is None for p in net.target.parameters())
    fit(toy).save(tmp_path / "model")
    read = load_model(tmp_path / "model").module_
    assert not any(p.requires_grad for p in read.target.parameters())


def test_the_target_follows_by_the_moving_average_alone(toy, monkeypatch):
    epochs, records = 4, []

    def recorded(self, module, epoch):
        before = module.target.weights[0].clone()
        real(self, module, epoch)
        online = module.online.weights[0].detach().clone()
        records.append((before, online, module.target.weights[0].clone()))

    real = BGRL.after_step
    monkeypatch.setattr(BGRL, "after_step", recorded)
    fit(toy, epochs=epochs, target_decay=0.8, learning_rate=0.05)
    # Half a cosine from 0.8 to 1 over four epochs.
    decays = [0.8, 0.8 + 0.1 * (1 - 0.5**0.5), 0.9, 0.8 + 0.1 * (1 + 0.5**0.5)]
    for (before, online, after), decay in zip(records, decays, strict=True):
        torch.testing.assert_close(after, decay * before + (1 - decay) * online)
    for (*_, after), (before, *_) in pairwise(records):
        assert torch.equal(after, before)


@pytest.mark.parametrize(
    ("epochs", "epoch", "share"),
    [(10_000, 0, 0.0), (10_000, 500, 0.5), (10_000, 1000, 1.0), (10_000, 5500, 0.5),
     (10_000, 10_000, 0.0), (100, 5, 0.5), (100, 10, 1.0), (100, 55, 0.5), (9, 0, 1.0)],
)  # fmt: skip
def test_the_learning_rate_warms_up_and_falls_to_zero(epochs, epoch, share):
    """The warm-up takes 1,000 epochs as the authors have it, and a tenth of a shorter run."""
    method = BGRL(epochs=epochs, learning_rate=0.2)
    assert method.learning_rate_at(epoch) == pytest.approx(0.2 * share, abs=1e-12)


def test_weight_decay_is_decoupled_from_the_gradient():
    method, net, _ = build(learning_rate=0.5, weight_decay=0.1)
    before = net.online.weights[0].detach().clone()
    for parameter in net.parameters():
        parameter.grad = torch.zeros_like(parameter) if parameter.requires_grad else None
    method.optimizer(net).step()
    torch.testing.assert_close(net.online.weights[0].detach(), before * (1 - 0.5 * 0.1))


def test_only_the_online_encoder_embeds_with_its_running_statistics(toy):
    model = fit(toy)
    net = model.module_
    assert model.embedding_.shape == (toy.num_nodes, 8)
    for parameter in [*net.target.parameters(), *net.predictor.parameters()]:
        nn.init.zeros_(parameter)
    assert torch.equal(model.transform(toy), model.embedding_)
    net.online.norms[1].running_mean += 0.5
    assert not torch.allclose(model.transform(toy), model.embedding_)


def test_biases_that_a_norm_takes_out_stay_at_zero(toy):
    online = fit(toy, learning_rate=0.05).module_.online
    assert all(bias.eq(0).all() for bias in online.biases)
    assert all(norm.bias.abs().max() > 0 for norm in online.norms)


def test_the_order_of_nodes_does_not_matter(toy):
    """Without random views training is a function of the graph, whatever its nodes' order."""
    still = {f"{name}_{n}": 0.0 for name in ("edge_drop", "feature_mask") for n in (1, 2)}
    expected = fit(toy, **still).embedding_
    order = torch.randperm(toy.num_nodes, generator=torch.Generator().manual_seed(0))
    toy.x, toy.edge_index = toy.x[order], order.argsort()[toy.edge_index]
    found = fit(toy, **still).embedding_
    torch.testing.assert_close(found, expected[order], rtol=1e-3, atol=1e-3)


def test_the_loss_falls_and_nothing_collapses(toy):
    with warnings.catch_warnings():
        warnings.simplefilter("error", CollapseWarning)
        model = BGRL(**{**SMALL, "epochs": 100, "learning_rate": 0.01}).fit(toy)
    losses = model.history_.loss
    assert sum(losses[-10:]) < 0.7 * sum(losses[:10])


EFFECTS = {
    "hidden_channels": 9,
    "channels": 5,
    "predictor_channels": 6,
    "edge_drop_1": 0.9,
    "edge_drop_2": 0.0,
    "feature_mask_1": 0.8,
    "feature_mask_2": 0.8,
    "target_decay": 0.0,
    "epochs": 5,
    "learning_rate": 0.05,
    "weight_decay": 50.0,
    "scale_features": "standard",
}


@pytest.mark.parametrize("option", EFFECTS)
def test_every_option_has_an_effect(option, toy):
    base = fit(toy).embedding_
    changed = fit(toy, **{option: EFFECTS[option]}).embedding_
    assert base.shape != changed.shape or not torch.allclose(base, changed)


def test_the_warm_up_has_an_effect(toy):
    assert not torch.allclose(
        fit(toy, epochs=20).embedding_, fit(toy, epochs=20, warmup=0).embedding_
    )
