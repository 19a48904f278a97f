import pytest
import torch

import graphrank.methods.graphrank_graph as source
from graphrank import GraphRankGraph
from graphrank.errors import ConfigError
from graphrank.methods.graph_controls import UntrainedGIN
from graphrank.methods.graph_level import as_batch
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.spectral_moments import spectral_moments
from tests.methods.older_models import saved_before
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.training_steps import fit_quietly, gradients_are_right, record_views

BASE = {"channels": 4, "num_layers": 2, "edge_drop_1": 0.2, "edge_drop_2": 0.3}
VARIANTS = {
    "nodes": {},
    "graphs": {"graph_weight": 0.7, "node_weight": 0.0},
    "nodes to graphs": {"node_to_graph_weight": 0.5, "node_weight": 0.0, "negatives": 3},
    "all levels": {"graph_weight": 1.0, "node_weight": 0.3, "node_to_graph_weight": 0.2},
    "no nodes left out": {"node_drop_1": 0.0, "node_drop_2": 0.0, "graph_weight": 1.0},
    "dot": {"similarity": "dot", "standardize": False, "margin": 0.3, "graph_weight": 1.0},
    "sums": {"pooling": "sum", "graph_weight": 1.0, "negatives": 2},
    "projector": {"projector": 5, "graph_weight": 1.0},
    "GCN": {"encoder": "gcn", "graph_weight": 1.0},
}


def toys_in_double():
    toys = toy_graphs(6, features=3)
    return GraphBatch.of(toys.x.double(), toys.edge_index, toys.ptr)


def in_double(method):
    torch.manual_seed(0)
    return method.build(3).double().train()


@pytest.fixture
def drawn(monkeypatch):
    """What a training step draws at random: its views, and the others of each rank level."""
    record = {"views": record_views(monkeypatch, source), "others": []}
    real = source.random_others

    def recorded(*args):
        record["others"].append(real(*args))
        return record["others"][-1]

    monkeypatch.setattr(source, "random_others", recorded)
    return record


def standardized(rows):
    return (rows - rows.mean(dim=0)) / (rows.var(dim=0, correction=0) + 1e-5).sqrt()


def seen(method, net, batch, view):
    """Nodes by their number in the batch, and graphs, of one view."""
    layers = net.encoder(view)
    z = net.projector(torch.cat(layers, dim=1))
    left = view.graph
    total = method.pooling == "sum"
    pooled = []
    for first, last in zip(left.ptr[:-1].tolist(), left.ptr[1:].tolist(), strict=True):
        rows = torch.cat(layers, dim=1)[first:last]
        pooled.append(rows.sum(dim=0) / (1 if total else max(1, last - first)))
    graphs = net.projector(torch.stack(pooled))
    if method.standardize:
        z, graphs = standardized(z), standardized(graphs)
    return z, graphs


def hinge(method, anchor, own, other):
    def similarity(a, b):
        dot = (a * b).sum()
        return dot / (a.norm() * b.norm()) if method.similarity == "cosine" else dot

    return torch.clamp(method.margin - similarity(anchor, own) + similarity(anchor, other), min=0)


def plain_loss(method, net, batch, drawn, kept):
    """Every rank level by loops over nodes, graphs and negatives."""
    (nodes_1, graphs_1), (nodes_2, graphs_2) = (seen(method, net, batch, v) for v in drawn["views"])
    others = iter(drawn["others"])
    loss = torch.zeros((), dtype=torch.double)
    if method.graph_weight:
        draws = next(others)
        terms = [
            hinge(method, graphs_1[g], graphs_2[g], graphs_2[other])
            for g in range(len(graphs_1))
            for other in draws[g].tolist()
        ]
        loss = loss + method.graph_weight * torch.stack(terms).mean()
    place = [{int(node): row for row, node in enumerate(k.nonzero())} for k in kept]
    if method.node_weight:
        draws = next(others)
        both = [node for node in range(batch.num_nodes) if all(node in each for each in place)]
        terms = [
            hinge(method, nodes_1[place[0][node]], nodes_2[place[1][node]], nodes_2[other])
            for row, node in enumerate(both)
            for other in draws[row].tolist()
        ]
        loss = loss + method.node_weight * torch.stack(terms).mean()
    if method.node_to_graph_weight:
        draws = next(others)
        terms = []
        for node, row in place[0].items():
            graph = int((batch.ptr <= node).sum()) - 1
            terms += [
                hinge(method, nodes_1[row], graphs_2[graph], graphs_2[other])
                for other in draws[row].tolist()
            ]
        loss = loss + method.node_to_graph_weight * torch.stack(terms).mean()
    return loss


@pytest.mark.parametrize("settings", VARIANTS.values(), ids=VARIANTS)
def test_loss_equals_loops(settings, drawn, monkeypatch):
    method = GraphRankGraph(**{**BASE, **settings})
    batch, net = toys_in_double(), in_double(method)
    kept, real = [], GraphBatch.induced

    def recorded(graphs, mask):
        kept.append(mask)
        return real(graphs, mask)

    monkeypatch.setattr(GraphBatch, "induced", recorded)
    torch.manual_seed(1)
    found = method.graph_loss(net, batch)
    kept = kept or [torch.ones(batch.num_nodes, dtype=torch.bool)] * 2
    assert len(drawn["views"]) == 2
    torch.testing.assert_close(found, plain_loss(method, net, batch, drawn, kept))


@pytest.mark.parametrize("name", ["nodes", "all levels", "dot"])
def test_gradients(name):
    method = GraphRankGraph(**{**BASE, **VARIANTS[name]}, act="elu")
    assert gradients_are_right(method, in_double(method), toys_in_double(), fast=True)


def test_a_batch_that_loses_all_its_nodes_still_has_a_gradient():
    method = GraphRankGraph(**BASE, node_drop_1=0.999, node_drop_2=0.999)
    batch, net = toys_in_double(), in_double(method)
    torch.manual_seed(0)
    loss = method.graph_loss(net, batch)
    assert loss == 0
    loss.backward()


def test_no_level_is_an_error():
    with pytest.raises(ConfigError, match="no rank level has a weight"):
        GraphRankGraph(node_weight=0.0).fit(toy_graphs())


def test_the_embedding_is_as_wide_as_its_parts_and_of_length_one():
    toys = toy_graphs()
    small = {"channels": 8, "num_layers": 2, "epochs": 1}
    embedding = fit_quietly(GraphRankGraph(**small, spectrum=5), toys).embedding_
    learnt, spectrum = embedding.split([2 * 2 * 8, 5], dim=1)
    for part in (learnt, spectrum):
        torch.testing.assert_close(part.norm(dim=1), torch.ones(12))
    alone = fit_quietly(GraphRankGraph(**small, spectrum=0), toys).embedding_
    torch.testing.assert_close(alone, learnt)
    plain = GraphRankGraph(**small, pooling="max", scale_readout=False, spectrum=5)
    raw = fit_quietly(plain, toys).embedding_
    assert raw.shape == (12, 16 + 5)
    batch = as_batch(plain._prepare(toys))
    torch.testing.assert_close(raw[:, 16:], spectral_moments(batch, 5))


def test_a_model_from_before_the_spectrum_is_read_as_one_without(tmp_path):
    toys = toy_graphs()
    model = fit_quietly(GraphRankGraph(channels=8, num_layers=2, epochs=1, spectrum=0), toys)
    stored = model.module_.state_dict()
    assert not any(name.startswith("spectrum") for name in stored)  # as in files of that time
    older = saved_before(model, tmp_path / "model", "spectrum")
    assert older.spectrum == 0
    torch.testing.assert_close(older.transform(toys), model.embedding_)


def test_the_untrained_control_has_the_set_s_statistics():
    """Its weights are drawn, its normalisations know the scale of the features."""
    toys = toy_graphs(features=4)
    settings = {"channels": 8, "num_layers": 2, "scale_features": "none"}
    control = fit_quietly(UntrainedGIN(**settings), toys)
    trained = fit_quietly(GraphRankGraph(epochs=0, **settings), toys)
    assert torch.equal(control.embedding_, trained.embedding_)
    norm = control.module_.encoder.layers[0].rest[0]
    mapped = toys.x @ control.module_.encoder.layers[0].weight
    total = mapped.clone().index_add_(0, toys.edge_index[0], mapped[toys.edge_index[1]])
    torch.testing.assert_close(norm.running_mean, total.mean(0), rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(norm.running_var, total.var(0), rtol=1e-4, atol=1e-4)
