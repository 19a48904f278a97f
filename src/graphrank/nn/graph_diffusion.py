"""Diffusion within each graph of a pack: a block for every graph, and views that walk by them."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import torch
from torch import Tensor

from graphrank.augment.views import View, clean_view
from graphrank.nn.diffusion import Diffusion
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.propagation import Propagation

_log = logging.getLogger("graphrank")


@dataclass(frozen=True, eq=False)
class DiffusedBatch(GraphBatch):
    """Some graphs, or all of a set, each with its own diffusion matrix.

    Args:
        blocks: the diffusion of every graph, computed once; a selection shares it.
    """

    blocks: tuple[Propagation, ...]

    @classmethod
    def diffused(cls, graphs: GraphBatch, diffusion: Diffusion) -> DiffusedBatch:
        """Compute the diffusion of every graph; which form each gets is logged."""
        large = int((graphs.sizes > diffusion.dense_limit).sum())
        _log.info(
            "%s diffusion of %d graphs: the whole matrix of %d; the %d largest entries of each row "
            "of %d graphs above dense_limit=%d",
            diffusion.kind, graphs.num_graphs, graphs.num_graphs - large, diffusion.top_k, large,
            diffusion.dense_limit,
        )  # fmt: skip
        each = torch.split(torch.arange(graphs.num_graphs, device=graphs.device), 1)
        dtype = graphs.features.dtype
        blocks = (diffusion.of(graphs.select(one).adjacency, dtype) for one in each)
        return cls(graphs.features, graphs.adjacency, graphs.ptr, tuple(blocks))

    def select(self, graphs: Tensor) -> DiffusedBatch:
        """Some graphs in their order, with their diffusion."""
        chosen = super().select(graphs)
        blocks = tuple(self.blocks[graph] for graph in graphs.tolist())
        return DiffusedBatch(chosen.features, chosen.adjacency, chosen.ptr, blocks)


@dataclass(frozen=True, eq=False, kw_only=True)
class DegreeView(View):
    """Clean graphs whose nodes have their degree, one-hot, beside their features.

    Args:
        degree: ``[nodes]`` the column of each node's degree, or none to join nothing.
    """

    degree: Tensor | None

    def project(self, weight: Tensor) -> Tensor:
        """Features and degrees times ``weight`` ``[features + degrees, width]``."""
        if self.degree is None:
            return super().project(weight)
        of_features, of_degrees = weight.tensor_split([self.graph.num_features])
        return super().project(of_features) + of_degrees.index_select(0, self.degree)


@dataclass(frozen=True, eq=False, kw_only=True)
class DiffusedView(DegreeView):
    """The graphs seen along their diffusion in place of their edges.

    Args:
        blocks: the matrix of every graph.
        sizes: number of nodes of every graph.
    """

    blocks: tuple[Propagation, ...]
    sizes: list[int]

    def propagate(self, hidden: Tensor) -> Tensor:
        """Each graph's diffusion times its rows of ``hidden`` ``[nodes, width]``."""
        parts = zip(self.blocks, torch.split(hidden, self.sizes), strict=True)
        return torch.cat([block(rows) for block, rows in parts])


def both_views(batch: DiffusedBatch, degrees: int) -> tuple[DegreeView, DiffusedView]:
    """The graphs along their edges and along their diffusion, with the same features.

    Args:
        batch: the graphs.
        degrees: columns of the degrees to join, larger ones in the last; 0 for none.
    """
    clean = clean_view(batch)
    shown = (batch, clean.edge_value, clean.symmetric)
    degree = None
    if degrees > 0:
        degree = (batch.adjacency.pattern.row_pointer.diff() - 1).clamp_max(degrees - 1)
    diffused = DiffusedView(*shown, degree=degree, blocks=batch.blocks, sizes=batch.sizes.tolist())
    return DegreeView(*shown, degree=degree), diffused
