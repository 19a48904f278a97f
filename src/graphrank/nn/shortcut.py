"""Shortcuts past the layers of an encoder: what a layer was given, added to what it made of it.

Reference: He, Zhang, Ren & Sun, "Deep Residual Learning for Image Recognition", CVPR 2016.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from graphrank.augment.views import View


class LayerShortcut(nn.Module):
    """A layer's input as it is, or mapped linearly and without bias.

    Args:
        in_channels: width of the layer's input.
        out_channels: width of its output.
        mapped: whether there is a map.
    """

    def __init__(self, in_channels: int, out_channels: int, *, mapped: bool) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_channels, out_channels)) if mapped else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weights anew, where there are any."""
        if self.weight is not None:
            nn.init.xavier_uniform_(self.weight)

    def forward(self, view: View, hidden: Tensor | None) -> Tensor:
        """What is added to the layer's output, ``[nodes, out_channels]``.

        Args:
            view: whose features are the first layer's input.
            hidden: ``[nodes, in_channels]``, the input of a later layer.
        """
        if hidden is None:
            assert self.weight is not None
            return view.project(self.weight)
        return hidden if self.weight is None else hidden @ self.weight


def layer_shortcuts(widths: Sequence[int]) -> nn.ModuleList:
    """One shortcut for each layer, with a map where widths differ.

    Features are always mapped: that they have as many columns as the first layer is chance.

    Args:
        widths: of the features and of all layers.
    """
    return nn.ModuleList(
        LayerShortcut(given, made, mapped=number == 0 or given != made)
        for number, (given, made) in enumerate(pairwise(widths))
    )
