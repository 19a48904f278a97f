import pytest
import torch
from torch import nn

from graphrank.methods.graphmae_graph import GraphMAEGraph
from graphrank.nn.masking import draw_node_mask
from tests.methods.graph_batches import batch_normed, double_batch, pooled, summed
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.training_steps import fit_quietly, gradients_are_right

PLAIN = {"channels": 6, "num_layers": 2, "dropout": 0.0}
POOLED = {"sum": torch.sum, "mean": torch.mean, "max": torch.amax}


def build(features=4, **settings):
    torch.manual_seed(1)
    method = GraphMAEGraph(**{**PLAIN, **settings})
    net = method.build(features).double()
    nn.init.normal_(net.token)
    return method, net


def finished(parts, rows):
    """Norm, activation and linear maps, as they come."""
    for part in parts:
        if isinstance(part, nn.BatchNorm1d):
            rows = batch_normed(rows, part)
        elif isinstance(part, nn.PReLU):
            rows = torch.where(rows > 0, rows, part.weight * rows)
        elif isinstance(part, nn.Linear):
            rows = rows @ part.weight.T + (0 if part.bias is None else part.bias)
        else:
            rows = part(rows)
    return rows


def gin(layer, graphs, rows, own):
    bias = 0 if layer.bias is None else layer.bias
    return finished(layer.rest, summed(graphs, rows, own) @ layer.weight + bias)


def by_the_paper(method, net, graphs, x, mask):
    """Dense features, every row decoded, the error of one hidden node at a time."""
    own = 2.0 if method.self_loops else 1.0
    seen, tokens = x.clone(), len(mask.hidden) - len(mask.source)
    seen[mask.hidden[:tokens]] = net.token
    seen[mask.hidden[tokens:]] = x[mask.source]
    for layer in net.encoder.layers:
        seen = gin(layer, graphs, seen, own)
    code = seen @ net.to_decoder.weight.T
    code = torch.stack([0 * row if i in mask.hidden else row for i, row in enumerate(code)])
    decoded = net.to_features(gin(net.decoder, graphs, code, own))
    errors = []
    for node in mask.hidden.tolist():
        unit = x[node] / x[node].norm() if x[node].any() else x[node]
        errors.append((1 - torch.dot(decoded[node], unit) / decoded[node].norm()) ** method.alpha)
    return sum(errors) / len(errors)


@pytest.mark.parametrize("features", [4, 14], ids=["narrow", "wide"])
@pytest.mark.parametrize("density", [1.0, 0.05], ids=["dense", "sparse"])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"norm": "layer", "act": "relu", "alpha": 1.0, "replace_rate": 0.0},
        {"num_layers": 1, "alpha": 3.0, "mask_rate": 0.3, "self_loops": False},
        {"num_layers": 3, "mask_rate": 0.5, "replace_rate": 1.0},
    ],
)
def test_loss_equals_the_paper_written_out(features, density, settings):
    graphs, x, batch = double_batch(features=features, density=density)
    method, net = build(features, **settings)
    torch.manual_seed(7)
    mask = draw_node_mask(graphs.num_nodes, method.mask_rate, method.replace_rate)
    torch.manual_seed(7)
    found = method.graph_loss(net, batch)
    torch.testing.assert_close(found, by_the_paper(method, net, graphs, x, mask))


def test_gradcheck():
    _, _, batch = double_batch()
    method, net = build(channels=3, num_layers=1, mask_rate=0.5)
    assert gradients_are_right(method, net, batch, fast=True)


@pytest.mark.parametrize("pooling", POOLED)
def test_embeds_clean_graphs_by_their_last_layer(pooling):
    graphs, x, batch = double_batch()
    method, net = build(pooling=pooling, dropout=0.5, norm="layer")
    net.eval()
    for layer in net.encoder.layers:
        x = gin(layer, graphs, x, 2.0)
    found = method.encode_graphs(net, batch)
    torch.testing.assert_close(found, pooled(graphs, x, POOLED[pooling]))


def test_dropout_has_a_part_in_training_alone():
    _, _, batch = double_batch()
    losses = []
    for dropout in (0.0, 0.5):
        method, net = build(dropout=dropout)
        torch.manual_seed(2)
        losses.append(float(method.graph_loss(net, batch)))
    assert losses[0] != pytest.approx(losses[1])


@pytest.mark.parametrize(("schedule", "shares"), [("none", [1, 1, 1]), ("cosine", [1, 0.5, 0])])
def test_the_learning_rate_stays_or_falls_along_half_a_cosine(schedule, shares):
    method = GraphMAEGraph(epochs=10, learning_rate=0.2, schedule=schedule)
    found = [method.learning_rate_at(epoch) for epoch in (0, 5, 10)]
    assert found == pytest.approx([0.2 * share for share in shares])


def test_it_learns_to_rebuild_labels_that_neighbours_share():
    """In every graph all nodes have one label: what is hidden can be read off any neighbour."""
    graphs = toy_graphs(24, labels=3)
    graphs.node_label[:] = graphs.batch % 3
    settings = {**PLAIN, "epochs": 60, "learning_rate": 0.01, "mask_rate": 0.5, "replace_rate": 0.0}
    losses = fit_quietly(GraphMAEGraph(**settings), graphs).history_.loss
    assert losses[-1] < 0.3 * losses[0]
