"""An encoder that looks at each node's own features and at no edge."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn

from graphrank.augment.views import View
from graphrank.nn.batch_norm import NodeBatchNorm


class MLPEncoder(nn.Module):
    """Layers ``relu(norm(H W))`` with batch norm, the last one plain.

    There are no biases: a batch norm takes those of the inner layers out again, and has its own.

    Args:
        in_channels: number of feature columns.
        hidden_channels: width of the inner layers.
        out_channels: width of the embedding.
        num_layers: number of weight matrices.
    """

    def __init__(
        self, in_channels: int, hidden_channels: int, out_channels: int, num_layers: int = 2
    ) -> None:
        super().__init__()
        widths = [in_channels, *[hidden_channels] * (num_layers - 1), out_channels]
        self.weights = nn.ParameterList(torch.empty(a, b) for a, b in pairwise(widths))
        self.norms = nn.ModuleList(NodeBatchNorm(b) for b in widths[1:-1])
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weights anew, as torch draws those of a linear layer."""
        for weight in self.weights:
            bound = weight.size(0) ** -0.5
            nn.init.uniform_(weight, -bound, bound)

    def forward(self, view: View) -> Tensor:
        """Embed the nodes of ``view``."""
        hidden = view.project(self.weights[0])
        for norm, weight in zip(self.norms, self.weights[1:], strict=True):
            hidden = torch.relu(norm(hidden)) @ weight
        return hidden
