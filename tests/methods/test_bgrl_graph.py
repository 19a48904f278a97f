import warnings

import pytest
import torch
from torch import nn

import graphrank.methods.bgrl_graph as source
from graphrank.methods.bgrl_graph import BGRLGraph
from graphrank.training.collapse import CollapseWarning
from tests.methods.graph_batches import batch_normed, double_batch, pooled
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.training_steps import fit_quietly, gradients_are_right, record_views
from tests.nn.reference import dense_normalized
from tests.nn.test_bootstrap import by_loops
from tests.nn.test_encoders import dense_view

SMALL = {"channels": 6, "num_layers": 2, "predictor_channels": 5, "epochs": 3, "batch_graphs": 5}
STILL = {f"{name}_{number}": 0.0 for name in ("edge_drop", "feature_mask") for number in (1, 2)}


def build(features=4, **settings):
    torch.manual_seed(1)
    method = BGRLGraph(**{**SMALL, **settings})
    return method, method.build(features).double()


def dense_network(encoder, graphs, x, matrix, kind):
    """Layers with the batch's own statistics, pooled graph by graph."""
    rows = []
    for layer in encoder.encoder.layers:
        spread = dense_normalized(matrix) if kind == "gcn" else matrix
        x = spread.double() @ x @ layer.weight
        for part in layer.rest:
            if isinstance(part, nn.BatchNorm1d):
                x = batch_normed(x, part)
            elif isinstance(part, nn.Linear):
                x = x @ part.weight.T
            else:
                x = torch.where(x > 0, x, part.weight * x)
        rows.append(pooled(graphs, x))
    return torch.cat(rows, dim=1)


@pytest.mark.parametrize("kind", ["gin", "gcn"])
@pytest.mark.parametrize("density", [1.0, 0.05], ids=["dense", "sparse"])
def test_loss_equals_the_plain_dense_computation(kind, density, monkeypatch):
    views = record_views(monkeypatch, source)
    graphs, _, batch = double_batch(density=density)
    method, net = build(encoder=kind)
    loss = float(method.graph_loss(net, batch))
    first, second = (dense_view(batch, view) for view in views)
    expected = 0.0
    for seen, hidden in ((first, second), (second, first)):
        prediction = net.predictor(dense_network(net.online, graphs, *seen, kind))
        expected += by_loops(prediction, dense_network(net.target, graphs, *hidden, kind))
    assert loss == pytest.approx(expected, rel=1e-4)  # degrees are in single precision


def test_gradcheck():
    _, _, batch = double_batch((3, 2, 4))
    method, net = build(channels=3, num_layers=1, predictor_channels=3)
    assert gradients_are_right(method, net, batch, fast=True)


def test_each_view_has_its_own_rates(monkeypatch):
    views = record_views(monkeypatch, source)
    method, net = build(**{**STILL, "edge_drop_2": 0.5, "feature_mask_2": 0.5})
    method.graph_loss(net, double_batch()[2])
    first, second = views
    assert first.edge_kept is None and first.column_kept is None
    assert second.edge_kept is not None and second.column_kept is not None


def test_the_target_starts_elsewhere_is_not_optimised_and_follows():
    method, net = build(target_decay=0.5)
    online, target = (part.encoder.layers[0].weight for part in (net.online, net.target))
    assert not torch.equal(online, target)
    trained = {id(p) for group in method.optimizer(net).param_groups for p in group["params"]}
    assert trained.isdisjoint(id(p) for p in net.target.parameters())
    before = target.clone()
    method.after_step(net, 0)
    torch.testing.assert_close(target, (before + online.detach()) / 2)


def test_only_the_online_encoder_embeds():
    graphs = toy_graphs(features=4)
    model = fit_quietly(BGRLGraph(**SMALL), graphs)
    assert model.embedding_.shape == (12, 12)
    for part in (model.module_.target, model.module_.predictor):
        for parameter in part.parameters():
            nn.init.zeros_(parameter)
    assert torch.equal(model.transform(graphs), model.embedding_)


def test_the_loss_falls_and_nothing_collapses():
    with warnings.catch_warnings():
        warnings.simplefilter("error", CollapseWarning)
        settings = {**SMALL, "epochs": 60, "learning_rate": 0.01}
        losses = BGRLGraph(**settings).fit(toy_graphs(features=6)).history_.loss
    assert sum(losses[-5:]) < 0.7 * sum(losses[:5])


EFFECTS = {
    "encoder": "gcn", "pooling": "mean", "predictor_channels": 6, "edge_drop_1": 0.9,
    "edge_drop_2": 0.0, "feature_mask_1": 0.9, "feature_mask_2": 0.9, "target_decay": 0.0,
}  # fmt: skip


@pytest.mark.parametrize("option", EFFECTS)
def test_every_option_has_an_effect(option):
    graphs = toy_graphs(features=4)
    base = fit_quietly(BGRLGraph(**SMALL), graphs).embedding_
    changed = fit_quietly(BGRLGraph(**{**SMALL, option: EFFECTS[option]}), graphs).embedding_
    assert not torch.allclose(base, changed)
