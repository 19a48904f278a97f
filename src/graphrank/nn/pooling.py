"""From the nodes of each graph to one row a graph: sum, mean, maximum.

Sums are made in the order of the nodes and gradients are spread by a gather, so that the result is
the same to the bit every time. A graph without nodes gets a row of zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import torch
from torch import Tensor

from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.sparse import SparsePattern

PoolingName = Literal["sum", "mean", "max"]


class _SegmentSum(torch.autograd.Function):
    """Sum of the rows of each graph, a sparse product; its gradient is a gather."""

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, ptr: Tensor, graph_of_node: Tensor) -> Tensor:
        ctx.save_for_backward(graph_of_node)
        nodes = torch.arange(hidden.size(0), device=hidden.device)
        pattern = SparsePattern(ptr, nodes, (ptr.numel() - 1, hidden.size(0)))
        return pattern.multiply(hidden.new_ones(hidden.size(0)), hidden)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Tensor, None, None]:
        (graph_of_node,) = ctx.saved_tensors
        return gradients[0].index_select(0, graph_of_node), None, None


def sum_pool(hidden: Tensor, batch: GraphBatch) -> Tensor:
    """Sum over the nodes of each graph, ``[graphs, width]``."""
    total: Tensor = _SegmentSum.apply(hidden, batch.ptr, batch.graph_of_node)  # type: ignore[no-untyped-call]
    return total


def mean_pool(hidden: Tensor, batch: GraphBatch) -> Tensor:
    """Mean over the nodes of each graph, ``[graphs, width]``."""
    return sum_pool(hidden, batch) / batch.sizes.clamp_min(1).unsqueeze(1)


def max_pool(hidden: Tensor, batch: GraphBatch) -> Tensor:
    """Largest value of each column over the nodes of each graph, ``[graphs, width]``.

    Nodes that share the largest value share its gradient.
    """
    graph = batch.graph_of_node
    with torch.no_grad():
        place = graph.unsqueeze(1).expand_as(hidden)
        top = hidden.new_zeros(batch.num_graphs, hidden.size(1))
        top = top.scatter_reduce(0, place, hidden, "amax", include_self=False)
        is_top = (hidden == top.index_select(0, graph)).to(hidden.dtype)
        share = is_top / sum_pool(is_top, batch).index_select(0, graph)
    return sum_pool(hidden * share, batch)


POOLINGS: dict[str, Callable[[Tensor, GraphBatch], Tensor]] = {
    "sum": sum_pool,
    "mean": mean_pool,
    "max": max_pool,
}


def pool_layers(layers: Sequence[Tensor], batch: GraphBatch, kind: PoolingName) -> Tensor:
    """The pooled outputs of several layers side by side, ``[graphs, widths together]``."""
    return torch.cat([POOLINGS[kind](hidden, batch) for hidden in layers], dim=1)
