import networkx as nx
import pytest
import torch
import torch.nn.functional as F

import graphrank.methods.graph2vec as source
from graphrank.methods.graph2vec import Graph2Vec
from graphrank.methods.graph_level import as_batch
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.training_steps import fit_quietly, gradients_are_right

SMALL = {"channels": 6, "epochs": 3, "batch_graphs": 5, "negatives": 2, "iterations": 2}


def prepared(toys, **settings):
    """A method, its module ready for training, and one training batch."""
    torch.manual_seed(0)
    method = Graph2Vec(**{**SMALL, **settings})
    graph = as_batch(method._prepare(toys))
    module = method.build(graph.num_features)
    method.initialize(module, graph)
    torch.nn.init.normal_(module.words)
    torch.nn.init.normal_(module.graphs)
    return method, module.double(), next(iter(method.batches(graph)))


def test_loss_equals_plain_loops(monkeypatch):
    method, module, batch = prepared(toy_graphs())
    drawn, real = [], source.draw_noise
    monkeypatch.setattr(source, "draw_noise", lambda *args: drawn.append(real(*args)) or drawn[-1])
    loss = method.training_step(module, batch)
    bags = module.texts
    noise = iter(drawn[0])
    expected = total = 0.0
    for graph in batch.chosen.tolist():
        vector = module.graphs[graph].detach()
        for place in range(*bags.pattern.row_pointer[graph : graph + 2].tolist()):
            times = int(bags.count[place])
            true = vector @ module.words.detach()[bags.pattern.column[place]]
            expected -= times * float(F.logsigmoid(true))
            for word in next(noise):
                expected -= times * float(F.logsigmoid(-vector @ module.words.detach()[word]))
            total += times
    sizes = batch.sizes[batch.chosen]
    assert total == 3 * int(sizes.sum())  # each node once in each round
    assert float(loss) == pytest.approx(expected / total)


def test_gradcheck_of_the_loss():
    method, module, batch = prepared(toy_graphs(6), channels=2, iterations=1)
    assert gradients_are_right(method, module, batch, fast=True)


def test_a_step_moves_its_own_graphs_alone():
    method, module, batch = prepared(toy_graphs())
    method.training_step(module, batch).backward()
    moved = module.graphs.grad.abs().sum(dim=1).nonzero().flatten()
    assert moved.tolist() == sorted(batch.chosen.tolist()) and len(moved) == 5


def test_embedding_draws_nothing_and_needs_no_training_graphs():
    toys = toy_graphs()
    model = fit_quietly(Graph2Vec(**SMALL), toys)
    before = model.transform(toys)
    torch.nn.init.normal_(model.module_.graphs)  # the training graphs' own vectors
    model.set_params(seed=5)
    assert torch.equal(model.transform(toys), before)


def test_graphs_with_the_same_colours_share_a_vector():
    """Refinement cannot tell two triangles from a hexagon, nor one hexagon from two."""
    triangles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    graphs = [triangles, nx.cycle_graph(6), nx.path_graph(5), nx.star_graph(4)]
    embedding = fit_quietly(Graph2Vec(**SMALL), graphs).embedding_
    torch.testing.assert_close(embedding[0], embedding[1])
    assert not torch.allclose(embedding[0], embedding[2], atol=0.01)


def test_trained_vectors_tell_rings_from_trees():
    toys = toy_graphs(40)
    model = fit_quietly(Graph2Vec(**{**SMALL, "epochs": 40}), toys)
    others = toy_graphs(20, seed=3)
    seen, unseen = (
        F.normalize(part, dim=1) for part in (model.embedding_, model.transform(others))
    )
    nearest = (unseen @ seen.T).argmax(dim=1)
    right = (toys.y[nearest] == others.y).float().mean()
    assert float(right) >= 0.9
