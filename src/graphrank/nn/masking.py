"""Nodes whose features are hidden from the encoder: which ones, and a view that hides them.

A token that takes the place of a node's features takes the place of a row of ``X W`` as well, so
that sparse features are multiplied where they lie and never copied.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from graphrank.augment.views import View, clean_view
from graphrank.nn.dropout import dropped_out
from graphrank.nn.graph_input import GraphInput

# Dropout draws of the token in one step; hidden nodes share them in turn. One draw for each node
# would be a dense matrix as large as the hidden features.
_TOKEN_DRAWS = 64


@dataclass(frozen=True, eq=False)
class NodeMask:
    """A random choice of nodes to hide.

    Args:
        hidden: ``[hidden]`` nodes that lose their features, in random order. The last ones, as
            many as ``source`` has, get the features of other nodes; all before them get a token.
        kept: ``[nodes - hidden]`` the others.
        source: ``[replaced]`` nodes whose features stand in, each at most once.
    """

    hidden: Tensor
    kept: Tensor
    source: Tensor


def draw_node_mask(
    num_nodes: int,
    rate: float,
    replace_rate: float = 0.0,
    device: torch.device | str = "cpu",
) -> NodeMask:
    """Choose nodes to hide from torch's global random state.

    Args:
        num_nodes: number of nodes, at least one.
        rate: share of nodes to hide; at least one node is.
        replace_rate: share of the hidden nodes that get another node's features, not the token.
        device: where the choice is needed.
    """
    order = torch.randperm(num_nodes, device=device)
    count = max(1, int(rate * num_nodes))
    replaced = int(replace_rate * count)
    source = torch.randperm(num_nodes, device=device)[:replaced]
    return NodeMask(order[:count], order[count:], source)


@dataclass(frozen=True, eq=False, kw_only=True)
class MaskedView(View):
    """A view in which hidden nodes have a token, or another node's features, for their own.

    Args:
        mask: the choice of nodes.
        token: ``[draws, features]`` what stands in; node after node takes the next row in turn.
    """

    mask: NodeMask
    token: Tensor

    def project(self, weight: Tensor) -> Tensor:
        """The view's features times ``weight`` ``[features, width]``."""
        projected = super().project(weight)
        tokens = self.mask.hidden.numel() - self.mask.source.numel()
        turn = torch.arange(tokens, device=weight.device) % self.token.size(0)
        # index_select adds up its gradient in a fixed order.
        rows = torch.cat(
            [
                (self.token @ weight).index_select(0, turn),
                projected.index_select(0, self.mask.source),
            ]
        )
        return projected.index_copy(0, self.mask.hidden, rows)


def masked_view(graph: GraphInput, mask: NodeMask, token: Tensor) -> MaskedView:
    """The graph with all its edges and the features of some nodes hidden."""
    view = clean_view(graph)
    return MaskedView(graph, view.edge_value, view.symmetric, mask=mask, token=token)


def noisy_masked_view(
    graph: GraphInput, mask: NodeMask, token: Tensor, dropout: float
) -> MaskedView:
    """:func:`masked_view` with dropout of the features and of the one token ``[features]``."""
    features = graph.features.dropped_out(dropout)
    tokens = dropped_out(token.expand(_TOKEN_DRAWS, -1), dropout)
    return masked_view(GraphInput(features, graph.adjacency), mask, tokens)


def hidden_again(kept: Tensor, mask: NodeMask) -> Tensor:
    """``[nodes, width]`` with the rows ``kept`` at the nodes that were not hidden, zeros at others.

    Args:
        kept: ``[kept nodes, width]`` in the order of ``mask.kept``.
        mask: the choice of nodes.
    """
    nodes = mask.hidden.numel() + mask.kept.numel()
    return kept.new_zeros(nodes, kept.size(1)).index_copy(0, mask.kept, kept)
