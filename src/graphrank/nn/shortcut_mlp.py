"""A head with a way around it."""

from __future__ import annotations

from torch import Tensor, nn

from graphrank.nn.encoders import ACTIVATIONS, ActivationName


class ShortcutMLP(nn.Module):
    """Three linear maps, each with an activation, beside one linear map of the input.

    Args:
        in_channels: width of the input.
        channels: width of the output, and within.
        act: the activation.
    """

    def __init__(self, in_channels: int, channels: int, act: ActivationName = "relu") -> None:
        super().__init__()
        inner: list[nn.Module] = []
        for width in (in_channels, channels, channels):
            inner += [nn.Linear(width, channels), ACTIVATIONS[act]()]
        self.inner = nn.Sequential(*inner)
        self.shortcut = nn.Linear(in_channels, channels)

    def forward(self, rows: Tensor) -> Tensor:
        """``[rows, channels]``."""
        out: Tensor = self.inner(rows) + self.shortcut(rows)
        return out
