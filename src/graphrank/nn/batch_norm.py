"""Batch normalisation over the nodes of a graph, be it a graph of one node."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor, nn


class NodeBatchNorm(nn.BatchNorm1d):
    """``BatchNorm1d`` that takes a single row in training too, where torch raises an error.

    One node has no statistics of its own; it is scaled by the running ones, which stay as they
    are.
    """

    def forward(self, input: Tensor) -> Tensor:
        """Normalise the columns of ``[nodes, channels]``."""
        if self.training and input.size(0) < 2:
            return F.batch_norm(
                input, self.running_mean, self.running_var, self.weight, self.bias, eps=self.eps
            )
        return super().forward(input)
