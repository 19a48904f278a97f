"""InfoGraph: which pairs it compares, and what is left of it in the embedding."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from graphrank.augment.views import clean_view
from graphrank.methods.infograph import InfoGraph
from graphrank.nn.pooling import sum_pool
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.training_steps import fit_quietly, gradients_are_right
from tests.nn.test_graph_batch import batch_of, random_set
from tests.nn.test_local_global import estimate_by_loops

SMALL = {"channels": 4, "num_layers": 2, "epochs": 3, "batch_graphs": 5}


def built(method, features=3):
    torch.manual_seed(0)
    net = method.build(features).double()
    for name, parameter in net.named_parameters():
        if name.endswith("bias"):
            nn.init.normal_(parameter)  # away from the kinks of the activations
    return net


def double_batch(sizes=(3, 5, 2, 4)):
    graphs = random_set(list(sizes), features=3)
    return batch_of(replace(graphs, x=graphs.x.double()))


def test_the_loss_is_the_estimate_between_nodes_and_graphs():
    method, batch = InfoGraph(**SMALL), double_batch()
    net = built(method)
    layers = net.encoder(clean_view(batch))
    assert len(layers) == 2
    nodes = torch.cat(layers, dim=1)
    graphs = torch.stack([nodes[batch.graph_of_node == graph].sum(dim=0) for graph in range(4)])
    estimate = estimate_by_loops(net.node_head(nodes), net.graph_head(graphs), batch.graph_of_node)
    found = 2 * method.graph_loss(net, batch) - 2 * torch.tensor(2.0).double().log()
    torch.testing.assert_close(found, -estimate)


def test_gradients():
    method = InfoGraph(**SMALL)
    assert gradients_are_right(method, built(method), double_batch(), fast=True)


def test_the_heads_are_not_in_the_embedding():
    toys = toy_graphs(features=3)
    model = fit_quietly(InfoGraph(**SMALL, scale_features="none"), toys)
    net, batch = model.module_, batch_of(toys)
    layers = net.encoder(clean_view(batch))
    expected = torch.cat([sum_pool(layer, batch) for layer in layers], dim=1)
    torch.testing.assert_close(model.embedding_, expected.detach())
    for parameter in [*net.node_head.parameters(), *net.graph_head.parameters()]:
        nn.init.zeros_(parameter)
    assert torch.equal(model.transform(toys), model.embedding_)


def test_training_tells_nodes_of_one_graph_from_others():
    torch.manual_seed(0)
    model = InfoGraph(channels=16, num_layers=2, epochs=150, learning_rate=0.01)
    losses = fit_quietly(model, toy_graphs(features=3)).history_.loss
    assert losses[-1] < 0.5 < losses[0]  # undecided is log 2


EFFECTS = {"channels": 5, "num_layers": 3, "epochs": 5, "learning_rate": 0.05, "batch_graphs": 3}


@pytest.mark.parametrize("option", EFFECTS)
def test_every_option_has_an_effect(option):
    toys = toy_graphs(features=3)
    base, changed = (
        fit_quietly(InfoGraph(**{**SMALL, **more}), toys).embedding_
        for more in ({}, {option: EFFECTS[option]})
    )
    assert base.shape != changed.shape or not torch.allclose(base, changed)
