import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.methods.dgi import DGI
from graphrank.nn.adjacency import Adjacency
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.graph_input import GraphInput
from tests.methods.discrimination import decided, embedded, entropies
from tests.methods.training_steps import gradients_are_right
from tests.nn.reference import dense_adjacency, dense_normalized, make_graph


def module_of(method, features, seed=0):
    torch.manual_seed(seed)
    return decided(method.build(features), "encoder")


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("density", [1.0, 0.08])
def test_training_step_equals_the_formula(directed, density):
    edge_index, weight, x, graph = make_graph(directed=directed, density=density, weighted=True)
    method = DGI(channels=4)
    module = module_of(method, 6)
    torch.manual_seed(5)
    order = torch.randperm(9)
    torch.manual_seed(5)
    found = float(method.training_step(module, graph).detach())
    adjacency = dense_normalized(dense_adjacency(edge_index, 9, weight))
    real = embedded(module.encoder, adjacency, x)
    fake = embedded(module.encoder, adjacency, x[order])
    terms = entropies(module.critic, real, fake, real)
    assert found == pytest.approx(sum(terms) / len(terms), rel=1e-9)
    torch.testing.assert_close(method.encode(module, graph).detach(), real)


def test_renamed_nodes_have_renamed_rows():
    edge_index, weight, x, graph = make_graph(weighted=True)
    order = torch.randperm(9, generator=torch.Generator().manual_seed(0))
    renamed = GraphInput(FeatureMatrix(x[order]), Adjacency(order.argsort()[edge_index], 9, weight))
    method = DGI(channels=4)
    module = module_of(method, 6)
    torch.testing.assert_close(method.encode(module, renamed), method.encode(module, graph)[order])


def test_gradcheck():
    _, _, _, graph = make_graph(nodes=6, features=4)
    method = DGI(channels=3)
    assert gradients_are_right(method, module_of(method, 4), graph)


def test_it_learns_to_tell_real_from_shuffled(toy):
    history = DGI(channels=16, epochs=60, learning_rate=0.01).fit(toy).history_
    assert history.loss[0] == pytest.approx(math.log(2), abs=0.02)
    assert min(history.loss) < 0.8 * math.log(2)


@given(st.integers(0, 1000))
def test_equal_features_cannot_be_told_from_shuffled_ones(seed):
    """Whatever the weights: the loss is never below that of an undecided critic."""
    _, _, _, graph = make_graph(nodes=7, seed=seed)
    same = GraphInput(FeatureMatrix(torch.ones(7, 6, dtype=torch.double)), graph.adjacency)
    method = DGI(channels=4)
    module = module_of(method, 6, seed)
    assert float(method.training_step(module, same).detach()) >= math.log(2)


def test_it_stops_when_the_loss_gets_no_better_and_keeps_the_best(toy):
    model = DGI(channels=8, learning_rate=0.05, patience=3, epochs=500).fit(toy)
    loss = model.history_.loss
    assert len(loss) < 500 and model.history_.stopped != "epochs"
    best = loss.index(min(loss)) + 1
    assert best == len(loss) - 3
    again = DGI(channels=8, learning_rate=0.05, epochs=best, stop="none").fit(toy)
    assert torch.equal(again.embedding_, model.embedding_)
