"""Columns of different units brought to one scale: ages in years beside incomes in thousands."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor


@dataclass(frozen=True, eq=False)
class ColumnScaling:
    """Mean and standard deviation of every feature column of the training graph.

    Args:
        mean: ``[features]``.
        deviation: ``[features]``; one for constant columns.
    """

    mean: Tensor
    deviation: Tensor

    @classmethod
    def of(cls, x: Tensor) -> ColumnScaling:
        """Measure the columns of a dense ``[nodes, features]`` tensor."""
        mean = x.double().mean(dim=0)
        deviation = x.double().var(dim=0, correction=0).sqrt()
        constant = deviation <= 1e-12 * mean.abs().clamp_min(1e-12)
        return cls(mean.to(x.dtype), torch.where(constant, 1.0, deviation).to(x.dtype))

    def apply(self, x: Tensor) -> Tensor:
        """Scale features of this or another graph with the training graph's figures."""
        dense = x.to_dense() if x.layout != torch.strided else x
        return (dense - self.mean) / self.deviation


def standardized(embedding: Tensor) -> Tensor:
    """Every column at mean zero and variance one; a single row, which has neither, as it is."""
    if embedding.size(0) < 2:
        return embedding
    return F.batch_norm(embedding, None, None, training=True)


def rows_to_one(x: Tensor) -> Tensor:
    """Every row divided by the sum of its sizes, sparse or dense; zero rows stay zero.

    For counts and bags of words this is PyG's ``NormalizeFeatures``. It needs no figures of the
    training graph.
    """
    if x.layout == torch.strided:
        return x / x.abs().sum(dim=1, keepdim=True).clamp_min(1e-12)
    pointer, value = x.crow_indices(), x.values()
    row = torch.repeat_interleave(pointer.diff())
    sums = value.new_zeros(x.size(0)).index_add_(0, row, value.abs()).clamp_min(1e-12)
    return torch.sparse_csr_tensor(pointer, x.col_indices(), value / sums[row], x.shape)
