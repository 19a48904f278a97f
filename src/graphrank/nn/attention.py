"""Graph attention on a CSR pattern: scores, softmax over each row, one sparse product per head."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch_geometric.utils import softmax

from graphrank.augment.views import View
from graphrank.errors import ConfigError
from graphrank.nn.dropout import dropped_out
from graphrank.nn.sparse import spmm


class AttentionLayer(nn.Module):
    """One layer of graph attention (Veličković et al., 2018) on already projected features.

    The projection stays outside, so that the first layer can use sparse features; memory is
    linear in the edges: no message ``[edges, channels]`` is ever stored.

    Args:
        in_channels: width of the input.
        out_channels: width of the output, all heads together.
        heads: number of heads; must divide ``out_channels`` unless they are averaged.
        negative_slope: slope of the leaky ReLU on the scores.
        dropout: chance of an attention weight to be dropped in training.
        average: each head has the whole width, and the output is their mean.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        heads: int = 4,
        negative_slope: float = 0.2,
        dropout: float = 0.0,
        average: bool = False,
    ) -> None:
        super().__init__()
        if out_channels % heads and not average:
            raise ConfigError(
                f"{heads} attention heads do not divide a width of {out_channels}; "
                "choose a width that is a multiple of the heads"
            )
        self.heads, self.average = heads, average
        self.channels = out_channels if average else out_channels // heads
        self.negative_slope, self.dropout = negative_slope, dropout
        self.weight = nn.Parameter(torch.empty(in_channels, heads * self.channels))
        self.to_target = nn.Parameter(torch.empty(heads, self.channels))
        self.to_source = nn.Parameter(torch.empty(heads, self.channels))
        self.bias = nn.Parameter(torch.zeros(out_channels))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weights anew."""
        for parameter in (self.weight, self.to_target, self.to_source):
            nn.init.xavier_uniform_(parameter)
        nn.init.zeros_(self.bias)

    def forward(self, view: View, projected: Tensor) -> Tensor:
        """Attend over each node's kept neighbours and itself, ``[nodes, out_channels]``."""
        by_head = projected.view(-1, self.heads, self.channels)
        at_target = (by_head * self.to_target).sum(dim=-1)
        at_source = (by_head * self.to_source).sum(dim=-1)
        weight = self._attention(view, at_target, at_source)
        pattern = view.graph.adjacency.pattern
        # The gradient of unbind is one stack; that of a slice for each head, a sum of whole ones.
        outputs = [
            spmm(pattern, share.contiguous(), head.contiguous())
            for share, head in zip(weight.unbind(1), by_head.unbind(1), strict=True)
        ]
        if self.average:
            return torch.stack(outputs).mean(dim=0) + self.bias
        return torch.cat(outputs, dim=1) + self.bias

    def attended_input(self, view: View, hidden: Tensor) -> Tensor:
        """What a layer of one head attends to, before its projection: ``[nodes, in_channels]``.

        ``attended_input(view, h) @ weight + bias`` equals ``forward(view, h @ weight)``. It is for
        outputs far wider than the input, or wanted at some nodes only.
        """
        at_target = hidden @ (self.weight @ self.to_target.T)
        at_source = hidden @ (self.weight @ self.to_source.T)
        (share,) = self._attention(view, at_target, at_source).unbind(1)
        return spmm(view.graph.adjacency.pattern, share, hidden)

    def _attention(self, view: View, at_target: Tensor, at_source: Tensor) -> Tensor:
        """``[entries, heads]`` attention of each row over its entries; dropped ones get zero."""
        pattern = view.graph.adjacency.pattern
        # index_select adds up its gradient in a fixed order, at_target[pattern.row] with atomics.
        score = F.leaky_relu(
            at_target.index_select(0, pattern.row) + at_source.index_select(0, pattern.column),
            self.negative_slope,
        )
        if view.edge_kept is not None:
            score = score.masked_fill(view.edge_kept.unsqueeze(1) == 0, float("-inf"))
        attention: Tensor = softmax(score, index=pattern.row, num_nodes=view.graph.num_nodes)
        return dropped_out(attention, self.dropout, self.training)
