import torch

from graphrank.augment.views import clean_view
from graphrank.methods.gcn import GCN
from tests.nn.reference import dense_adjacency, dense_normalized, make_graph


def test_two_convolutions_as_the_paper_writes_them():
    edges, weight, x, graph = make_graph(8, seed=2, weighted=True)
    network = GCN(channels=5).network(6, 3).double().eval()
    for bias in network.biases:
        torch.nn.init.normal_(bias)
    (w_1, w_2), (b_1, b_2) = network.weights, network.biases
    matrix = dense_normalized(dense_adjacency(edges, 8, weight))
    expected = matrix @ torch.relu(matrix @ x @ w_1 + b_1) @ w_2 + b_2
    torch.testing.assert_close(network(clean_view(graph)), expected)


def test_the_authors_settings():
    model = GCN()
    assert (model.channels, model.dropout, model.epochs) == (16, 0.5, 200)
    assert (model.learning_rate, model.weight_decay) == (0.01, 5e-4)


def test_the_penalty_is_on_the_first_layer():
    model = GCN()
    network = model.network(6, 3)
    penalized = {id(each) for each in model.penalized(network)}
    assert penalized == {id(network.weights[0]), id(network.biases[0])}
