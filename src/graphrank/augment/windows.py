"""Parts of a graph that are runs of consecutive nodes, propagated by any matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from graphrank.augment.views import View, clean_view
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.propagation import Propagation


@dataclass(frozen=True, eq=False)
class WindowView(View):
    """Windows of a graph, each in one or more copies, stacked as rows for encoders.

    Rows are ordered by window, then by copy, then by place in the window. Features are multiplied
    once for all windows and copies, and the copies of a window are propagated side by side.

    Args:
        blocks: for each window the matrix that propagates it, ``[size, size]``.
        copies: how often each window is there, with features in different orders.
    """

    blocks: tuple[Propagation, ...] = ()
    copies: int = 1

    def project(self, weight: Tensor) -> Tensor:
        """The rows' features times ``weight``: ``[windows * copies * size, width]``."""
        assert self.node_order is not None
        # Windows overlap: index_select adds up their gradients in a fixed order.
        return self.graph.features.project(weight).index_select(0, self.node_order)

    def propagate(self, hidden: Tensor) -> Tensor:
        """Each window's matrix times its rows of ``hidden``, copy by copy."""
        windows, width = len(self.blocks), hidden.size(1)
        # [windows, copies, size, width] -> [windows, size, copies * width] and back.
        beside = hidden.reshape(windows, self.copies, -1, width).transpose(1, 2).flatten(2)
        spread = torch.stack([block(part) for block, part in zip(self.blocks, beside, strict=True)])
        apart = spread.view(windows, -1, self.copies, width).transpose(1, 2)
        return apart.reshape(hidden.shape)


def window_view(
    graph: GraphInput, matrix: Propagation, starts: Sequence[int], orders: Tensor
) -> WindowView:
    """Windows of ``graph`` that ``matrix`` propagates.

    Args:
        graph: the whole graph.
        matrix: a matrix over its nodes; a window is propagated by its block of it.
        starts: first node of each window.
        orders: ``[copies, size]`` whose features each place of a window gets, in each copy.
    """
    clean = clean_view(graph)
    copies, size = orders.shape
    return WindowView(
        graph,
        clean.edge_value,
        symmetric=clean.symmetric,
        node_order=torch.cat([(start + orders).flatten() for start in starts]),
        blocks=tuple(matrix.block(start, size) for start in starts),
        copies=copies,
    )
