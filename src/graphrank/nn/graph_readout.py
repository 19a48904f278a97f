"""From the layers of an encoder to what a user is handed for each graph of a set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor, nn

from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.pooling import mean_pool, pool_layers, sum_pool

ReadoutName = Literal["sum", "mean", "max", "mean-sum"]

# A column that varies less than this, as a share of its size, holds nothing but rounding.
_LEAST_VARIATION = 1e-4


def pooled(layers: Sequence[Tensor], batch: GraphBatch, kind: ReadoutName) -> Tensor:
    """One row a graph, the layers side by side.

    ``mean-sum`` has the mean of each column, which says what a graph is made of, and the logarithm
    of its sum, which says how much of it there is; the logarithm keeps a few large graphs from
    deciding all distances.
    """
    if kind != "mean-sum":
        return pool_layers(layers, batch, kind)
    means = [mean_pool(hidden, batch) for hidden in layers]
    sums = [_signed_log(sum_pool(hidden, batch)) for hidden in layers]
    return torch.cat([*means, *sums], dim=1)


class GraphScaling(nn.Module):
    """Columns z-scored by the set that was trained on, then every row at length one.

    Distances, which is what most classifiers go by, then weigh all columns alike, and compare
    what graphs are made of rather than how far they lie from the middle.

    Args:
        channels: number of columns.
    """

    mean: Tensor
    deviation: Tensor

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(channels))
        self.register_buffer("deviation", torch.ones(channels))

    def measure(self, embedding: Tensor) -> None:
        """Take mean and deviation of the columns of ``[graphs, channels]``."""
        mean = embedding.mean(dim=0)
        deviation = embedding.std(dim=0, correction=0)
        is_constant = deviation <= _LEAST_VARIATION * embedding.abs().amax(dim=0)
        self.mean.copy_(mean)
        self.deviation.copy_(deviation.masked_fill(is_constant, torch.inf))

    def forward(self, embedding: Tensor) -> Tensor:
        """Scale rows of this or another set; a column that was constant says nothing: zero."""
        scaled = (embedding - self.mean) / self.deviation
        unit: Tensor = scaled / scaled.norm(dim=1, keepdim=True).clamp_min(1e-12)
        return unit


def _signed_log(x: Tensor) -> Tensor:
    return x.sign() * x.abs().log1p()
