"""Columns of different units brought to one scale: ages in years beside incomes in thousands."""

from __future__ import annotations

from dataclasses import dataclass

import torch
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
