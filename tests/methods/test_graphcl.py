"""GraphCL: what it draws, what it compares, what is left of it in the embedding."""

import pytest
import torch
from torch import nn

from graphrank.augment.graph_views import AUGMENTATIONS, whole_view
from graphrank.methods import graphcl
from graphrank.methods.graphcl import GraphCL
from tests.methods.recorded_views import record_augmented
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.test_infograph import built, double_batch
from tests.methods.training_steps import fit_quietly, gradients_are_right
from tests.nn.test_nt_xent import by_loops

STRONG = {"node_drop": 0.4, "edge_drop": 0.4, "subgraph": 0.5, "attribute_mask": 0.5}
SMALL = {"channels": 4, "num_layers": 2, "epochs": 3, "batch_graphs": 5, **STRONG}


@pytest.fixture
def drawn(monkeypatch):
    return record_augmented(monkeypatch, graphcl)


def test_the_loss_is_between_graphs_and_one_augmented_view(drawn):
    method, batch = GraphCL(**SMALL, augmentation="random4", temperature=0.3), double_batch()
    net = built(method)
    loss = method.graph_loss(net, batch)
    ((_, view),) = drawn
    z = [net.projector(net.embed(each)) for each in (whole_view(batch), view)]
    torch.testing.assert_close(loss, by_loops(*z, 0.3))


@pytest.mark.parametrize(
    ("pool", "expected"),
    [
        ("random2", {"nodes", "subgraph"}),
        ("random3", {"nodes", "subgraph", "edges"}),
        ("random4", {"nodes", "subgraph", "edges", "attributes"}),
        ("edges", {"edges"}),
        ("attributes", {"attributes"}),
    ],
)
def test_each_graph_draws_from_the_pool_alike(drawn, pool, expected):
    method = GraphCL(**SMALL, augmentation=pool)
    net, batch = built(method), double_batch([2] * 300)
    method.graph_loss(net, batch)
    counts = torch.bincount(drawn[0][0], minlength=5).tolist()
    assert {name for name, count in zip(AUGMENTATIONS, counts, strict=True) if count} == expected
    assert all(count > 0.7 * 300 / len(expected) for count in counts if count)


def test_gradients():
    method = GraphCL(**SMALL, augmentation="random4")
    assert gradients_are_right(method, built(method), double_batch(), fast=True)


def test_every_parameter_is_trained_and_the_projector_is_not_in_the_embedding():
    toys = toy_graphs(features=3)
    model, untrained = (fit_quietly(GraphCL(**{**SMALL, "epochs": n}), toys) for n in (3, 0))
    start = dict(untrained.module_.named_parameters())
    assert not any(torch.equal(p, start[n]) for n, p in model.module_.named_parameters())
    assert model.embedding_.shape == (12, 8)
    for parameter in model.module_.projector.parameters():
        nn.init.zeros_(parameter)
    assert torch.equal(model.transform(toys), model.embedding_)


def test_training_makes_graphs_known_again():
    toys = toy_graphs(20, features=3)
    losses = fit_quietly(GraphCL(channels=16, epochs=40), toys).history_.loss
    assert sum(losses[-5:]) < sum(losses[:5]) - 5


EFFECTS = {
    "channels": 5,
    "num_layers": 3,
    "temperature": 1.0,
    "augmentation": "random2",
    "node_drop": 0.0,
    "edge_drop": 0.9,
    "edge_add": 0.5,
    "subgraph": 0.9,
    "attribute_mask": 0.0,
    "epochs": 5,
    "learning_rate": 0.05,
    "batch_graphs": 3,
}


@pytest.mark.parametrize("option", EFFECTS)
def test_every_option_has_an_effect(option):
    toys = toy_graphs(features=3)
    settings = {**SMALL, "augmentation": "random4"}
    base, changed = (
        fit_quietly(GraphCL(**{**settings, **more}), toys).embedding_
        for more in ({}, {option: EFFECTS[option]})
    )
    assert base.shape != changed.shape or not torch.allclose(base, changed)
