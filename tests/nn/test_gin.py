import pytest
import torch
from torch import nn

from graphrank.augment.views import Corruption, clean_view, corrupt
from graphrank.nn.encoders import GCNEncoder
from graphrank.nn.gin import GINEncoder, GINLayer
from tests.nn.reference import make_graph, places


def kept_neighbors(view):
    """For every node the weights of its kept neighbours, itself left out."""
    adjacency = view.graph.adjacency
    kept = torch.ones_like(adjacency.weight) if view.edge_kept is None else view.edge_kept
    found = [{} for _ in range(view.graph.num_nodes)]
    for place, (row, column) in enumerate(places(adjacency.pattern)):
        if row != column and kept[place]:
            found[row][column] = float(adjacency.weight[place])
    return found


def slowly(layer, view, hidden):
    """The layer without norm, as its paper writes it: sum first, then the MLP, node by node."""
    eps = 0.0 if layer.eps is None else layer.eps
    rows = []
    for node, neighbors in enumerate(kept_neighbors(view)):
        row = (1 + eps) * hidden[node]
        for neighbor, weight in neighbors.items():
            row = row + weight * hidden[neighbor]
        rows.append(layer.rest(row @ layer.weight + layer.bias))
    return torch.stack(rows)


def double_layer(*args, **options):
    layer = GINLayer(*args, norm="none", **options).double()
    nn.init.normal_(layer.bias)
    if layer.eps is not None:
        nn.init.constant_(layer.eps, 0.3)
    return layer


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("density", [0.05, 1.0])
@pytest.mark.parametrize("train_eps", [False, True])
def test_layer_against_loops(directed, density, train_eps):
    _, _, x, graph = make_graph(directed=directed, weighted=True, density=density)
    layer = double_layer(6, 4, train_eps=train_eps)
    for view in (clean_view(graph), corrupt(graph, Corruption(edge_drop=0.5))):
        torch.testing.assert_close(layer(view, None), slowly(layer, view, x))
        torch.testing.assert_close(layer(view, x), slowly(layer, view, x))


def test_masks_reach_the_first_layer():
    _, _, x, graph = make_graph()
    layer = double_layer(6, 4)
    view = corrupt(graph, Corruption(feature_mask=0.5, node_mask=0.5))
    masked = x * view.column_kept * view.node_kept.unsqueeze(1)
    torch.testing.assert_close(layer(view, None), slowly(layer, view, masked))


def test_every_layer_is_handed_over():
    _, _, _, graph = make_graph()
    encoder = GINEncoder(6, 5, num_layers=3, norm="layer").double()
    view = clean_view(graph)
    first, second, third = encoder(view)
    assert first.shape == second.shape == third.shape == (9, 5)
    torch.testing.assert_close(encoder.layers[1](view, first), second)
    torch.testing.assert_close(encoder.layers[2](view, second), third)


def test_one_linear_map_and_normalised_propagation_are_a_gcn():
    _, _, _, graph = make_graph()
    ours = GINEncoder(6, 4, 2, mlp_layers=1, norm="none", normalized=True).double()
    gcn = GCNEncoder(6, 4, 4, 2, last_act=True).double()
    for place, layer in enumerate(ours.layers):
        gcn.weights[place].data.copy_(layer.weight.data)
        gcn.biases[place].data.copy_(layer.bias.data)
    torch.testing.assert_close(ours(clean_view(graph))[-1], gcn(clean_view(graph)))


@pytest.mark.parametrize("act_first", [False, True])
def test_order_of_norm_and_activation(act_first):
    layer = GINLayer(6, 4, act_first=act_first)
    kinds = [type(part).__name__ for part in layer.rest]
    inner = ["NodeBatchNorm", "ReLU", "Linear"]
    assert kinds[:3] == inner
    assert kinds[3:] == (["ReLU", "NodeBatchNorm"] if act_first else ["NodeBatchNorm", "ReLU"])
    bare = GINLayer(6, 4, inner_norm=False)
    assert [type(part).__name__ for part in bare.rest][:2] == ["ReLU", "Linear"]


def test_permuting_the_nodes_permutes_the_output():
    edge_index, _, x, graph = make_graph()
    order = torch.randperm(9, generator=torch.Generator().manual_seed(0))
    moved_to = order.argsort()
    moved = type(graph)(
        type(graph.features)(x[order]), type(graph.adjacency)(moved_to[edge_index], 9)
    )
    encoder = GINEncoder(6, 4, 2).double()
    for here, there in zip(encoder(clean_view(graph)), encoder(clean_view(moved)), strict=True):
        torch.testing.assert_close(here[order], there)


def test_gradients():
    _, _, _, graph = make_graph(nodes=4, features=3)
    layer = GINLayer(3, 2, act="elu", norm="layer", train_eps=True).double()
    view = corrupt(graph, Corruption(edge_drop=0.3))
    names, values = zip(*layer.named_parameters(), strict=True)

    def run(*parameters):
        return torch.func.functional_call(
            layer, dict(zip(names, parameters, strict=True)), (view, None)
        )

    assert torch.autograd.gradcheck(run, values)


def test_one_node_in_training():
    _, _, _, graph = make_graph(nodes=1)
    assert torch.isfinite(GINEncoder(6, 4).double()(clean_view(graph))[-1]).all()


def test_a_fixed_eps_counts_a_node_more_often():
    _, _, x, graph = make_graph()
    layer, view = GINLayer(6, 4, norm="none", eps=1.5).double(), clean_view(graph)
    torch.testing.assert_close(layer(view, None), slowly(layer, view, x))
    assert not torch.allclose(layer(view, x), slowly(double_layer(6, 4), view, x))
    assert "eps" not in dict(layer.named_parameters())


def test_inputs_stand_in_for_the_features():
    _, _, x, graph = make_graph()
    encoder, view = GINEncoder(6, 4, 2).double().eval(), clean_view(graph)
    for found, expected in zip(encoder(view, x), encoder(view), strict=True):
        torch.testing.assert_close(found, expected)
    assert not torch.allclose(encoder(view, 2 * x)[0], encoder(view)[0])
