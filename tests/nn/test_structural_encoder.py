import pytest
import torch
from torch_geometric.data import Data

from graphrank.data import pack
from graphrank.nn.spectral_positions import spectral_positions
from graphrank.nn.structural_encoder import StructuralEncoder, most_connected
from tests.nn.test_graph_batch import batch_of, random_set

SHAPE = {"channels": 5, "positions": 3, "degree_channels": 2, "most_degree": 2, "dropout": 0.5}


def build(num_layers=2):
    torch.manual_seed(0)
    return StructuralEncoder(num_layers=num_layers, **SHAPE)


def test_equals_the_layers_written_out():
    graphs = random_set((5, 3), seed=4)
    batch, encoder = batch_of(graphs), build().eval()
    marks = torch.arange(8.0)
    rows = []
    place = spectral_positions(batch, 3)
    for node in range(8):
        degree = min(2, int((graphs.edge_index[1] == node).sum()))
        rows.append(
            torch.cat([place[node], encoder.degrees.weight[degree], marks[node : node + 1]])
        )
    hidden = torch.stack(rows)
    total = 0.0
    for number, readout in enumerate(encoder.readouts):
        if number:
            layer, summed = encoder.gin.layers[number - 1], []
            for node in range(8):
                into = graphs.edge_index[0][graphs.edge_index[1] == node]
                summed.append((hidden[node] + hidden[into].sum(dim=0)) @ layer.weight)
            hidden = layer.rest(torch.stack(summed))
        pooled = torch.stack([hidden[:5].sum(dim=0), hidden[5:].sum(dim=0)])
        total = total + pooled @ readout.weight.T + readout.bias
    expected = total / total.norm(dim=1, keepdim=True)
    torch.testing.assert_close(encoder(batch, marks), expected)


def test_features_are_not_looked_at():
    one, other = (batch_of(random_set((5, 3), seed=4, features=width)) for width in (2, 7))
    marks, encoder = torch.ones(8), build()
    encoder.eval()
    assert torch.equal(encoder(one, marks), encoder(other, marks))


def test_without_dropout_only_the_norms_train():
    batch, encoder, marks = batch_of(random_set((5, 3), seed=4)), build(), torch.ones(8)
    first, second = (encoder.without_dropout(batch, marks) for _ in range(2))
    torch.testing.assert_close(first, second)
    assert encoder.gin.layers[0].rest[0].num_batches_tracked == 2
    assert encoder.dropout.training
    torch.manual_seed(0)
    assert not torch.allclose(encoder(batch, marks), first)


def test_the_mark_is_on_the_most_connected_and_shared_by_equals():
    star = Data(edge_index=torch.tensor([[0, 0, 0], [1, 2, 3]]), num_nodes=4)
    triangle = Data(edge_index=torch.tensor([[0, 1, 2], [1, 2, 0]]), num_nodes=3)
    alone = Data(edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=2)
    marks = most_connected(batch_of(pack([star, triangle, alone])))
    assert marks.tolist() == pytest.approx([1, 0, 0, 0, 1 / 3, 1 / 3, 1 / 3, 0.5, 0.5])
