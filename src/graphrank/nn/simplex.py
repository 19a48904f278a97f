"""The probability simplex: numbers that are not negative and add up to one."""

from __future__ import annotations

import torch
from torch import Tensor


def nearest_on_simplex(point: Tensor) -> Tensor:
    """The distribution that is nearest to ``point`` ``[choices]``, exactly, by one sort.

    It is ``max(point - m, 0)`` with the one ``m`` that makes it add up to one.

    Reference: Held, Wolfe & Crowder, "Validation of subgradient optimization", 1974.

    Example:
        >>> nearest_on_simplex(torch.tensor([2.0, 1.5, 0.0]))
        tensor([0.7500, 0.2500, 0.0000])
    """
    ordered = point.sort(descending=True).values
    excess = ordered.cumsum(0) - 1
    number = torch.arange(1, point.numel() + 1, dtype=point.dtype, device=point.device)
    positive = int((ordered * number > excess).sum())
    return (point - excess[positive - 1] / positive).clamp_min(0)
