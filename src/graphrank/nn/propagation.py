"""A matrix that spreads the rows of nodes over a graph, dense or sparse, whole or in part."""

from __future__ import annotations

from dataclasses import dataclass

import torch.nn.functional as F
from torch import Tensor

from graphrank.nn.graph_input import GraphInput
from graphrank.nn.sparse import SparsePattern, spmm


@dataclass(frozen=True, eq=False)
class Propagation:
    """A square matrix without gradient: entry ``(i, j)`` is what node i takes from node j.

    Args:
        values: ``[nodes, nodes]`` if dense, else ``[entries]`` values of ``pattern``.
        pattern: places of the entries of a sparse matrix; none for a dense one.
        symmetric: promise that a sparse matrix equals its transpose.
    """

    values: Tensor
    pattern: SparsePattern | None = None
    symmetric: bool = False

    @classmethod
    def of_adjacency(cls, graph: GraphInput) -> Propagation:
        """The normalised adjacency matrix with self-loops."""
        adjacency = graph.adjacency
        values = adjacency.normalized_weight.to(graph.features.dtype)
        return cls(values, adjacency.pattern, adjacency.is_symmetric)

    def __call__(self, hidden: Tensor) -> Tensor:
        """The matrix times ``hidden`` ``[nodes, width]``, differentiable in ``hidden``."""
        if self.pattern is None:
            return self.values @ hidden
        return spmm(self.pattern, self.values, hidden, symmetric=self.symmetric)

    def block(self, start: int, size: int) -> Propagation:
        """What the nodes ``start … start + size - 1`` take from one another; nothing is rescaled.

        A block of a dense matrix shares its memory.
        """
        stop = start + size
        if self.pattern is None:
            return Propagation(self.values[start:stop, start:stop])
        pointer = self.pattern.row_pointer[start : stop + 1]
        first, last = int(pointer[0]), int(pointer[-1])
        column = self.pattern.column[first:last] - start
        inside = (column >= 0) & (column < size)
        before = F.pad(inside.cumsum(0), (1, 0))  # how many are kept before each place
        pattern = SparsePattern(before[pointer - first], column[inside], (size, size))
        return Propagation(self.values[first:last][inside], pattern, self.symmetric)
