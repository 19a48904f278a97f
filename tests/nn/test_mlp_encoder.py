from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F

from graphrank.augment import Corruption, clean_view, corrupt
from graphrank.nn.mlp_encoder import MLPEncoder
from tests.nn.reference import make_graph
from tests.nn.test_encoders import dense_view


def dense_mlp(encoder, x):
    """relu(norm(H W)) layer by layer, the last one plain."""
    for number, weight in enumerate(encoder.weights):
        x = x @ weight
        if number < len(encoder.weights) - 1:
            norm = encoder.norms[number]
            x = (x - x.mean(dim=0)) / (x.var(dim=0, correction=0) + norm.eps).sqrt()
            x = F.relu(x * norm.weight + norm.bias)
    return x


def build(num_layers, features=6):
    torch.manual_seed(2)
    encoder = MLPEncoder(features, 5, 3, num_layers).double()
    for norm in encoder.norms:
        torch.nn.init.normal_(norm.bias)
    return encoder


@pytest.mark.parametrize("num_layers", [1, 2, 3])
@pytest.mark.parametrize("density", [1.0, 0.05], ids=["dense", "sparse"])
def test_equals_the_plain_dense_computation(num_layers, density):
    _, _, _, graph = make_graph(10, seed=4, density=density)
    encoder = build(num_layers)
    view = corrupt(graph, Corruption(feature_mask=0.3))
    torch.testing.assert_close(encoder(view), dense_mlp(encoder, dense_view(graph, view)[0]))


def test_edges_do_not_count_and_nodes_stand_for_themselves():
    _, _, _, graph = make_graph(8, seed=1)
    encoder = build(2)
    clean = encoder(clean_view(graph))
    assert torch.equal(encoder(corrupt(graph, Corruption(edge_drop=0.9))), clean)
    permuted = encoder(replace(clean_view(graph), node_order=torch.arange(8).flip(0)))
    torch.testing.assert_close(permuted.flip(0), clean)


def test_first_weights_are_those_of_a_linear_layer():
    encoder = MLPEncoder(400, 300, 200)
    for weight, wide in zip(encoder.weights, (400, 300), strict=True):
        bound = wide**-0.5
        assert weight.abs().max() <= bound
        assert weight.std().item() == pytest.approx(bound / 3**0.5, rel=0.02)
