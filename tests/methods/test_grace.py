"""GRACE: its encoder, its views, its loss, and what it does on graphs of any size."""

import logging

import pytest
import torch
import torch.nn.functional as F

from graphrank.augment import clean_view
from graphrank.errors import ConfigError
from graphrank.methods import grace
from graphrank.methods.grace import Grace
from graphrank.nn.graph_input import GraphInput
from tests.conftest import toy_graph
from tests.nn.reference import dense_adjacency, dense_normalized
from tests.nn.test_infonce import by_loops

SMALL = {"channels": 8, "projector": 5, "epochs": 3}


@pytest.fixture
def graph(toy):
    return GraphInput.from_data(toy)


@pytest.mark.parametrize("act", ["relu", "prelu", "rrelu"])
def test_two_convolutions_with_an_activation_after_both(toy, graph, act):
    torch.manual_seed(0)
    method = Grace(**SMALL, act=act)
    module = method.build(16)
    a = dense_normalized(dense_adjacency(toy.edge_index, toy.num_nodes)).float()
    (w_1, w_2), (b_1, b_2) = module.encoder.weights, module.encoder.biases
    torch.nn.init.normal_(b_1), torch.nn.init.normal_(b_2)
    slope = {"relu": 0.0, "prelu": 0.25, "rrelu": 11 / 48}[act]
    hidden = F.leaky_relu(a @ toy.x @ w_1 + b_1, slope)
    expected = F.leaky_relu(a @ hidden @ w_2 + b_2, slope)
    assert (w_1.size(1), w_2.size(1)) == (16, 8)
    torch.testing.assert_close(method.encode(module, graph), expected)


def test_the_loss_is_of_the_projections_of_two_single_drop_views(graph, monkeypatch):
    views = []
    corrupt = grace.corrupt
    monkeypatch.setattr(
        grace, "corrupt", lambda *words: (views.append(corrupt(*words)), views[-1])[1]
    )
    method = Grace(**SMALL, temperature=0.7)
    torch.manual_seed(0)
    module = method.build(16)
    loss = method.training_step(module, graph)
    assert not views[0].symmetric and not views[1].symmetric
    first, _, last = module.projector
    z_1, z_2 = (
        F.elu(module.encoder(view) @ first.weight.T + first.bias) @ last.weight.T + last.bias
        for view in views
    )
    assert loss.item() == pytest.approx(by_loops(z_1, z_2, 0.7).item(), rel=1e-5)


@pytest.mark.parametrize("projector", [2, 5, 7, 8])
def test_a_narrow_projector_has_the_loss_and_gradient_of_its_wide_outputs(graph, projector):
    torch.manual_seed(0)
    method = Grace(channels=8, projector=projector)
    module = method.build(16)
    other_view = torch.randn(graph.num_nodes, 8)

    def loss_and_gradients(project):
        projections = project(module.encoder(clean_view(graph)), other_view)
        loss = method.contrast(*projections)
        return [loss, *torch.autograd.grad(loss, list(module.parameters()))]

    narrow = loss_and_gradients(module.project)
    wide = loss_and_gradients(lambda *views: [module.projector(view) for view in views])
    assert module.project(other_view)[0].size(1) == min(projector + 1, 8)
    for one, other in zip(narrow, wide, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-6)


def test_each_view_has_its_own_rates(graph):
    method = Grace(edge_drop_1=0.1, edge_drop_2=0.2, feature_mask_1=0.3, feature_mask_2=0.4)
    one, two = method.corruption(graph, 1), method.corruption(graph, 2)
    assert (one.edge_drop, two.edge_drop) == (0.1, 0.2)
    assert (one.feature_mask, two.feature_mask) == (0.3, 0.4)
    assert (one.node_mask, one.pairwise, two.pairwise) == (0.0, False, False)


def test_blocks_change_no_result(toy):
    whole = Grace(**SMALL).fit(toy)
    blocked = Grace(**SMALL, block=10).fit(toy)
    assert blocked.history_.loss == pytest.approx(whole.history_.loss, rel=1e-5)
    torch.testing.assert_close(blocked.embedding_, whole.embedding_, rtol=1e-4, atol=1e-5)


def test_blocking_that_nobody_asked_for_is_said_once(toy, monkeypatch, caplog):
    caplog.set_level(logging.INFO, logger="graphrank")
    Grace(**SMALL).fit(toy)
    assert "blocks" not in caplog.text
    monkeypatch.setattr("graphrank.nn.infonce.KEPT_NODES", 20)
    Grace(**SMALL, block=10).fit(toy)
    assert "blocks" not in caplog.text
    Grace(**SMALL).fit(toy)
    assert caplog.text.count("GRACE compares 26 nodes in blocks of 512 rows") == 1


def test_every_parameter_is_trained_and_the_projector_is_not_in_the_embedding(toy, graph):
    method = Grace(**SMALL, act="prelu")
    torch.manual_seed(0)
    module = method.build(16)
    method.training_step(module, graph).backward()
    assert all(bool((p.grad != 0).any()) for p in module.parameters())
    before = method.encode(module, graph)
    for parameter in module.projector.parameters():
        torch.nn.init.zeros_(parameter)
    assert torch.equal(method.encode(module, graph), before)
    assert torch.equal(before, module.encoder(clean_view(graph)))


def test_training_tells_nodes_from_others():
    """The loss falls well below that of nodes that all look alike, and classes come apart."""
    data = toy_graph(size=30, isolated=0)
    model = Grace(channels=16, epochs=60, learning_rate=5e-3).fit(data)
    assert model.history_.loss[-1] < 0.9 * model.history_.loss[0]
    z = F.normalize(model.embedding_ - model.embedding_.mean(dim=0), dim=1)
    cosine, same = z @ z.T, data.y.unsqueeze(1) == data.y
    assert float(cosine[same].mean()) > 0.3 > float(cosine[~same].mean())


def test_the_temperature_keeps_within_single_precision():
    with pytest.raises(ConfigError, match=r"temperature=0.01 is out of range"):
        Grace(temperature=0.01)
