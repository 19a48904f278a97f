"""Batch normalisation over the nodes of a graph, be it a graph of one node."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

InputT = TypeVar("InputT")


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


def settle_statistics(module: nn.Module, inputs: Iterable[InputT]) -> None:
    """Set the running statistics of all batch normalisations to the average over ``inputs``.

    Training leaves those of corrupted inputs and of weights that have since moved, and an untrained
    module none at all.

    Args:
        module: a network of one argument, left in evaluation mode.
        inputs: what it is applied to, clean.
    """
    norms = [each for each in module.modules() if isinstance(each, NodeBatchNorm)]
    module.eval()
    if not norms:
        return
    momenta = [norm.momentum for norm in norms]
    for norm in norms:
        norm.reset_running_stats()
        norm.train().momentum = None  # the plain average
    with torch.no_grad():
        for each in inputs:
            module(each)
    for norm, momentum in zip(norms, momenta, strict=True):
        norm.eval().momentum = momentum
