import math

import pytest
import torch
from torch import nn

from graphrank.methods.mvgrl_graph import MVGRLGraph
from graphrank.nn.diffusion import Diffusion
from graphrank.nn.graph_diffusion import DiffusedBatch
from tests.methods.graph_batches import double_batch, pooled
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.training_steps import fit_quietly, gradients_are_right
from tests.nn.reference import dense_adjacency, dense_normalized
from tests.nn.test_diffusion import reference

SMALL = {"channels": 6, "num_layers": 2, "epochs": 3, "batch_graphs": 5}


def build(features=4, **settings):
    torch.manual_seed(1)
    method = MVGRLGraph(**{**SMALL, "join_degrees": False, **settings})
    net = method.build(features).double()
    for name, value in net.named_parameters():
        if name.endswith("bias"):
            nn.init.normal_(value, std=0.1)
    return method, net


def diffused(batch, method):
    settings = Diffusion(method.diffusion, method.teleport, method.heat_time)
    return DiffusedBatch.diffused(batch, settings)


def dense_layers(encoder, matrix, x):
    """PReLU(M H W + b), layer by layer."""
    outputs = []
    for layer in encoder.layers:
        x = matrix @ x @ layer.weight + layer.bias
        x = torch.where(x > 0, x, layer.rest[-1].weight * x)
        outputs.append(x)
    return outputs


def both_sides(net, graphs, x, kind):
    """Layers over the edges and over the diffusion, by dense matrices of all graphs."""
    edges = dense_normalized(dense_adjacency(graphs.edge_index, graphs.num_nodes))
    blocks = [reference(kind, graph.edge_index, graph.num_nodes) for graph in graphs]
    spread = torch.block_diag(*blocks)
    return dense_layers(net.over_edges, edges, x), dense_layers(net.over_diffusion, spread, x)


def head_of_graphs(net, graphs, layers):
    return net.graph_head(torch.cat([pooled(graphs, hidden) for hidden in layers], dim=1))


def jensen_shannon(nodes, graphs, whose):
    """Cross-entropy of own and other pairs, pair by pair, each kind with half the weight."""
    own, others = [], []
    for node, of_node in zip(nodes, whose, strict=True):
        for number, graph in enumerate(graphs):
            sure = 1 / (1 + math.exp(-float(node @ graph)))
            if number == of_node:
                own.append(-math.log(sure))
            else:
                others.append(-math.log(1 - sure))
    return (sum(own) / len(own) + sum(others) / len(others)) / 2


@pytest.mark.parametrize("kind", ["ppr", "heat"])
@pytest.mark.parametrize("density", [1.0, 0.05], ids=["dense", "sparse"])
def test_loss_equals_loops_over_pairs(kind, density):
    graphs, x, batch = double_batch(density=density)
    method, net = build(diffusion=kind)
    near, far = both_sides(net, graphs, x, kind)
    whose = graphs.batch.tolist()
    near_graphs, far_graphs = (head_of_graphs(net, graphs, side) for side in (near, far))
    expected = jensen_shannon(net.node_head(near[-1]), far_graphs, whose)
    expected += jensen_shannon(net.node_head(far[-1]), near_graphs, whose)
    assert float(method.graph_loss(net, diffused(batch, method))) == pytest.approx(expected)


def test_the_embedding_is_the_sum_of_both_graph_heads():
    graphs, x, batch = double_batch()
    method, net = build()
    near, far = both_sides(net, graphs, x, "ppr")
    expected = head_of_graphs(net, graphs, near) + head_of_graphs(net, graphs, far)
    torch.testing.assert_close(method.encode_graphs(net, diffused(batch, method)), expected)


def test_gradcheck():
    _, _, batch = double_batch((3, 2, 4))
    method, net = build(channels=3, num_layers=1)
    assert gradients_are_right(method, net, diffused(batch, method), fast=True)


def test_a_graph_alone_has_nothing_to_be_told_from():
    _, _, batch = double_batch((5,))
    method, net = build()
    assert float(method.graph_loss(net, diffused(batch, method))) == 0


def test_it_learns_to_tell_graphs_apart():
    graphs = toy_graphs(12, features=6)
    settings = {**SMALL, "channels": 16, "epochs": 60, "learning_rate": 0.005, "stop": "none"}
    losses = fit_quietly(MVGRLGraph(**settings), graphs).history_.loss
    assert losses[-1] < 0.8 * 2 * math.log(2)


@pytest.mark.parametrize(
    ("option", "value"),
    [("join_degrees", False), ("diffusion", "heat"), ("teleport", 0.6), ("dense_limit", 0)],
)
def test_options_of_the_views_have_an_effect(option, value):
    graphs, settings = toy_graphs(features=3), {**SMALL, "top_k": 2}
    base = fit_quietly(MVGRLGraph(**settings), graphs).embedding_
    changed = fit_quietly(MVGRLGraph(**{**settings, option: value}), graphs).embedding_
    assert not torch.allclose(base, changed)


def test_all_entries_kept_sparsely_give_the_dense_embedding():
    graphs = toy_graphs()
    dense = fit_quietly(MVGRLGraph(**SMALL), graphs).embedding_
    sparse = fit_quietly(MVGRLGraph(**SMALL, dense_limit=0), graphs).embedding_
    torch.testing.assert_close(sparse, dense, rtol=1e-3, atol=1e-3)
