"""Learning from a slowly moving copy of oneself: the loss, the moving average, the schedule."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def bootstrap_loss(prediction: Tensor, target: Tensor) -> Tensor:
    """Mean of ``1 - cos(prediction, target)`` over the nodes; no gradient reaches the target.

    Between 0 (same directions) and 2 (opposite ones).

    Args:
        prediction: ``[nodes, channels]`` what the online network says of a node.
        target: ``[nodes, channels]`` what the target network says of it in another view.

    Example:
        >>> bootstrap_loss(torch.tensor([[1.0, 0.0], [0.0, 2.0]]), torch.tensor([[3.0, 0.0]] * 2))
        tensor(0.5000)
    """
    return 1 - F.cosine_similarity(prediction, target.detach(), dim=1).mean()


@torch.no_grad()
def follow(target: nn.Module, online: nn.Module, decay: float) -> None:
    """Move each parameter of ``target`` to ``decay · target + (1 - decay) · online``.

    Buffers are left alone: the target's batch norms keep the statistics of what they saw.
    """
    for kept, leading in zip(target.parameters(), online.parameters(), strict=True):
        kept.lerp_(leading, 1 - decay)


def cosine_decay(epoch: int, epochs: int, warmup: int = 0) -> float:
    """A factor that rises linearly from 0 to 1 over ``warmup`` epochs, then falls as a cosine to 0.

    Args:
        epoch: number of finished epochs, from 0.
        epochs: where it reaches zero; more than ``warmup``.
        warmup: epochs of the rise.
    """
    if epoch < warmup:
        return epoch / warmup
    return (1 + math.cos(math.pi * (epoch - warmup) / (epochs - warmup))) / 2
