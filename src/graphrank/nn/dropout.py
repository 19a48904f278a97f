"""Dropout and coins from as many random bits as they need, several times as fast on a CPU.

torch draws a number in floating point for everything that may be dropped; here a byte or two do.
A share is met to the nearest of 256 or 65,536 steps, and what is kept is scaled by the share that
is really met, so that expectations are exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn


def random_bits(shape: Sequence[int], kind: torch.dtype, device: torch.device) -> Tensor:
    """Integers of a type, each of its values as likely; drawn from the global state.

    Args:
        shape: of the result.
        kind: ``torch.uint8`` or a signed type of at most eight bytes.
        device: where they are drawn.
    """
    count, per_word = math.prod(shape), 64 // torch.iinfo(kind).bits
    words = torch.empty(-(-count // per_word), dtype=torch.int64, device=device)
    return words.random_(-(2**63), None).view(kind)[:count].view(torch.Size(shape))


def coin_flips(shape: Sequence[int], like: Tensor) -> Tensor:
    """Zeros and ones, each as likely, of the number type and on the device of ``like``."""
    return (random_bits(shape, torch.uint8, like.device) & 1).to(like.dtype)


def dropped_out(numbers: Tensor, share: float, training: bool = True) -> Tensor:
    """Some numbers zero and the others scaled up; all as they are when not in training.

    Args:
        numbers: any shape.
        share: chance of each to be dropped.
        training: whether to drop any.

    Example:
        >>> dropped_out(torch.ones(3), 0.5, training=False)
        tensor([1., 1., 1.])
    """
    return _dropped(numbers, share, torch.int16) if training else numbers


class Dropout(nn.Module):
    """:func:`dropped_out` as a layer.

    Args:
        share: chance of a number to be dropped in training.
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, numbers: Tensor) -> Tensor:
        """Some numbers zero and the others scaled up; as it is when not in training."""
        return dropped_out(numbers, self.share, self.training)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"share={self.share}"


class ByteDropout(Dropout):
    """Dropout that draws one byte for each number: half the work, 256 steps."""

    def forward(self, numbers: Tensor) -> Tensor:
        """Some numbers zero and the others scaled up; as it is when not in training."""
        return _dropped(numbers, self.share, torch.uint8) if self.training else numbers


def _dropped(numbers: Tensor, share: float, kind: torch.dtype) -> Tensor:
    """Dropout by random integers of a type."""
    limits = torch.iinfo(kind)
    steps = limits.max - limits.min + 1
    below = min(round(steps * share), steps - 1)
    if below == 0:
        return numbers
    kept = random_bits(numbers.shape, kind, numbers.device) >= limits.min + below
    return numbers * (kept.to(numbers.dtype) * (steps / (steps - below)))
