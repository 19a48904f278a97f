"""GraphSAGE with means over neighbours, on packed graphs and on dense ones alike.

Reference: Hamilton, Ying & Leskovec, "Inductive Representation Learning on Large Graphs", NeurIPS
2017. Layers see their input through two functions, a product with weights and a mean over
neighbours; whoever has a graph in some form gives these two.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from graphrank.nn.batch_norm import NodeBatchNorm

# From weights ``[in, width]`` to the input times them, and from rows to their neighbours' means.
Product = Callable[[Tensor], Tensor]
Mean = Callable[[Tensor], Tensor]


class SAGELayer(nn.Module):
    """What a node has and the mean of its neighbours, each times weights, at unit length.

    Args:
        in_channels: width of the input.
        channels: width of the output.
    """

    def __init__(self, in_channels: int, channels: int) -> None:
        super().__init__()
        self.own = nn.Parameter(torch.empty(in_channels, channels))
        self.neighbors = nn.Parameter(torch.empty(in_channels, channels))
        # Never all zero: a row without features would have a length of zero to be divided by.
        self.bias = nn.Parameter(torch.empty(channels))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weights anew."""
        for weight in (self.own, self.neighbors):
            nn.init.xavier_uniform_(weight, gain=nn.init.calculate_gain("relu"))
        bound = 1 / math.sqrt(self.bias.numel())
        nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, product: Product, mean: Mean) -> Tensor:
        """``[rows, channels]``."""
        # One product for both: it reads the input once.
        own, sent = product(torch.cat([self.own, self.neighbors], dim=1)).chunk(2, dim=1)
        return F.normalize(own + mean(sent) + self.bias, dim=1)


class SAGEStack(nn.Module):
    """Layers with a rectifier and batch normalisation between them; all outputs side by side.

    Args:
        in_channels: width of the input.
        channels: width of each layer.
        num_layers: number of layers.
        last_channels: width of the last layer, where it differs.
    """

    def __init__(
        self, in_channels: int, channels: int, num_layers: int, last_channels: int | None = None
    ) -> None:
        super().__init__()
        widths = [channels] * (num_layers - 1) + [last_channels or channels]
        inputs = [in_channels, *widths[:-1]]
        self.layers = nn.ModuleList(map(SAGELayer, inputs, widths))
        self.norms = nn.ModuleList(map(NodeBatchNorm, widths[:-1]))
        self.out_channels = sum(widths)

    def forward(self, product: Product, mean: Mean) -> Tensor:
        """``[rows, out_channels]``."""
        *inner, last = cast("list[SAGELayer]", list(self.layers))
        outputs: list[Tensor] = []
        for layer, norm in zip(inner, self.norms, strict=True):
            outputs.append(norm(torch.relu(layer(product, mean))))
            product = outputs[-1].matmul
        outputs.append(last(product, mean))
        return torch.cat(outputs, dim=1)
