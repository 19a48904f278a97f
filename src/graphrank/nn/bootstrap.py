"""Learning from a slowly moving copy of oneself: networks, loss, moving average, schedule."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from graphrank.augment.views import View
from graphrank.nn.prelu import PReLU


class Bootstrap(nn.Module):
    """Two networks of one shape: the online one learns, the target one follows it.

    Args:
        online: encoder that is trained and that embeds.
        target: encoder of the same shape with weights of its own, which are not trained.
        predictor: from the online network's embedding to the target's.
    """

    def __init__(self, online: nn.Module, target: nn.Module, predictor: nn.Module) -> None:
        super().__init__()
        self.online, self.target, self.predictor = online, target, predictor
        self.target.requires_grad_(False)

    def forward(self, view_1: View, view_2: View) -> Tensor:
        """The loss: each view predicts what the target network says of the other one."""
        prediction_1 = self.predictor(self.online(view_1))
        prediction_2 = self.predictor(self.online(view_2))
        with torch.no_grad():
            # In this order, which decides what the running statistics end with.
            target_2, target_1 = self.target(view_2), self.target(view_1)
        return bootstrap_loss(prediction_1, target_2) + bootstrap_loss(prediction_2, target_1)


def predictor_of(channels: int, hidden_channels: int) -> nn.Sequential:
    """A small MLP from an embedding to an embedding."""
    return nn.Sequential(
        nn.Linear(channels, hidden_channels), PReLU(), nn.Linear(hidden_channels, channels)
    )


def bootstrap_loss(prediction: Tensor, target: Tensor) -> Tensor:
    """Mean of ``1 - cos(prediction, target)`` over the rows; no gradient reaches the target.

    Between 0 (same directions) and 2 (opposite ones).

    Args:
        prediction: ``[rows, channels]`` what the online network says of a node or a graph.
        target: ``[rows, channels]`` what the target network says of it in another view.

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
