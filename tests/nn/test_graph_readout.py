import math

import pytest
import torch

from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_readout import GraphScaling, pooled

PATH = torch.tensor([[0, 1, 2, 3], [1, 0, 3, 2]])


@pytest.fixture
def batch():
    """Graphs of two and three nodes."""
    return GraphBatch.of(torch.ones(5, 1), PATH, torch.tensor([0, 2, 5]))


def test_means_and_logarithms_of_sums_of_every_layer(batch):
    random = torch.Generator().manual_seed(0)
    layers = [torch.randn(5, width, generator=random) for width in (2, 3)]
    rows = []
    for first, last in ((0, 2), (2, 5)):
        means, logs = [], []
        for hidden in layers:
            for column in range(hidden.size(1)):
                total = sum(float(hidden[node, column]) for node in range(first, last))
                means.append(total / (last - first))
                logs.append(math.copysign(math.log(1 + abs(total)), total))
        rows.append(means + logs)
    torch.testing.assert_close(pooled(layers, batch, "mean-sum"), torch.tensor(rows))


@pytest.mark.parametrize("kind", ["sum", "mean", "max"])
def test_other_kinds_are_plain_pooling(batch, kind):
    hidden = torch.arange(10.0).view(5, 2)
    parts = [getattr(part, kind)(dim=0) for part in (hidden[:2], hidden[2:])]
    parts = [part.values if kind == "max" else part for part in parts]
    torch.testing.assert_close(pooled([hidden], batch, kind), torch.stack(parts))


def test_scaled_columns_weigh_alike_and_rows_have_length_one():
    random = torch.Generator().manual_seed(0)
    z = torch.randn(200, 4, generator=random)
    scaling = GraphScaling(4)
    scaling.measure(z)
    moved = GraphScaling(4)
    stretched = z * torch.tensor([1.0, 100.0, 0.01, 5.0]) + torch.tensor([3.0, 0.0, 1.0, -7.0])
    moved.measure(stretched)
    torch.testing.assert_close(moved(stretched), scaling(z), rtol=1e-3, atol=1e-4)
    torch.testing.assert_close(scaling(z).norm(dim=1), torch.ones(200))


def test_other_sets_are_scaled_by_the_one_that_was_measured():
    z = torch.tensor([[0.0, 0.0], [2.0, 4.0]])
    scaling = GraphScaling(2)
    scaling.measure(z)
    row = scaling(torch.tensor([[4.0, 2.0]]))
    torch.testing.assert_close(row, torch.tensor([[1.0, 0.0]]))


def test_a_column_of_rounding_says_nothing():
    z = torch.tensor([[1.0, 1000.0], [2.0, 1000.0001], [4.0, 1000.0]])
    scaling = GraphScaling(2)
    scaling.measure(z)
    assert torch.equal(scaling(z)[:, 1], torch.zeros(3))
    alone = GraphScaling(2)
    alone.measure(z[:1])
    assert torch.equal(alone(z[:1]), torch.zeros(1, 2))
