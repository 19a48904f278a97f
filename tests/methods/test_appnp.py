import pytest
import torch

from graphrank.augment.views import clean_view
from graphrank.methods import appnp
from graphrank.methods.appnp import APPNP
from tests.nn.reference import dense_adjacency, dense_normalized, make_graph


def scored(x, network):
    """The perceptron alone."""
    return torch.relu(x @ network.hidden) @ network.output


@pytest.mark.parametrize(("teleport", "steps"), [(0.1, 1), (0.1, 3), (0.5, 2)])
def test_power_iteration_as_the_paper_writes_it(teleport, steps):
    edges, weight, x, graph = make_graph(8, seed=2, weighted=True)
    model = APPNP(channels=5, teleport=teleport, steps=steps)
    network = model.network(6, 3).double().eval()
    matrix = dense_normalized(dense_adjacency(edges, 8, weight))
    own = scored(x, network)
    expected = own
    for _ in range(steps):
        expected = (1 - teleport) * matrix @ expected + teleport * own
    torch.testing.assert_close(network(clean_view(graph)), expected)


def test_many_steps_reach_personalised_pagerank():
    edges, weight, x, graph = make_graph(8, seed=2)
    model = APPNP(channels=5, teleport=0.2, steps=200)
    network = model.network(6, 3).double().eval()
    matrix = dense_normalized(dense_adjacency(edges, 8, weight))
    exact = 0.2 * torch.linalg.inv(torch.eye(8) - 0.8 * matrix)
    torch.testing.assert_close(network(clean_view(graph)), exact @ scored(x, network))


@pytest.mark.parametrize("settings", [{"steps": 0}, {"teleport": 1.0}])
def test_without_propagation_it_is_a_perceptron(settings):
    _, _, x, graph = make_graph(8, seed=2)
    model = APPNP(channels=5, **settings)
    network = model.network(6, 3).double().eval()
    torch.testing.assert_close(network(clean_view(graph)), scored(x, network))


def test_edges_are_dropped_in_training_alone(monkeypatch):
    _, _, _, graph = make_graph(12, seed=2)
    rates, real = [], appnp.diffusion
    monkeypatch.setattr(appnp, "diffusion", lambda *a: (rates.append(a[4]), real(*a))[1])
    network, view = APPNP(channels=5, dropout=0.3).network(6, 3).double(), clean_view(graph)
    drawn = [network(view) for _ in range(2)]
    assert not torch.equal(*drawn)
    network.eval()
    assert torch.equal(network(view), network(view))
    assert rates == [0.3, 0.3, 0.0, 0.0]


def test_the_penalty_is_on_the_first_layer():
    model = APPNP()
    network = model.network(6, 3)
    assert [id(each) for each in model.penalized(network)] == [id(network.hidden)]


def test_the_authors_settings():
    model = APPNP()
    assert (model.channels, model.dropout, model.steps, model.teleport) == (64, 0.5, 10, 0.1)
    assert (model.learning_rate, model.weight_decay, model.patience) == (0.01, 5e-3, 100)
