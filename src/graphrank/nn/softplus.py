"""Sums of softplus over the rows of a large matrix, with their gradient, in few passes.

Logarithms are the dearest part of a softplus, and only their sum is asked for: the sum of some
logarithms is the logarithm of a product, so that one of them serves many numbers.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

# A factor is between a half and one; the product of so many is far from the least number there is.
_FACTORS = 64


class _SummedSoftplus(torch.autograd.Function):
    """Column sums of ``log(1 + e^x)``; what is kept for the gradient is ``sigmoid(x)``."""

    @staticmethod
    def forward(ctx: Any, numbers: Tensor) -> Tensor:
        # log(1 + e^x) = max(x, 0) - log(max(s, 1 - s)) with s = sigmoid(x), exact at both ends.
        slope, factors = numbers.sigmoid(), numbers.clamp_min(0)
        total = factors.sum(dim=0)
        torch.sub(1, slope, out=factors)
        torch.maximum(factors, slope, out=factors)
        for part in torch.split(factors, _FACTORS):
            total -= part.prod(dim=0).log_()
        ctx.save_for_backward(slope)
        return total

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Tensor:
        (gradient,) = gradients
        (slope,) = ctx.saved_tensors
        to_numbers: Tensor = gradient * slope
        return to_numbers


def summed_softplus(numbers: Tensor) -> Tensor:
    """``softplus(numbers).sum(dim=0)``, faster (benchmarks/kernels.py).

    Args:
        numbers: ``[rows, columns]``.

    Returns:
        ``[columns]``.

    Example:
        >>> summed_softplus(torch.zeros(2, 3)).exp()
        tensor([4., 4., 4.])
    """
    total: Tensor = _SummedSoftplus.apply(numbers)  # type: ignore[no-untyped-call]
    return total
