"""From a list of edges as found to an adjacency without loops, duplicates or one-way edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from torch import Tensor

from graphrank.data.raw import CsrMatrix, IntArray


@dataclass(frozen=True)
class CleanEdges:
    """An adjacency in canonical CSR form and the count of what was mended on the way.

    Attributes:
        adjacency: Weights (1 where there are none), rows and columns sorted, no diagonal.
        weighted: Whether the weights say more than "there is an edge".
        self_loops: Edges from a node to itself that were removed.
        duplicates: Repeated edges (same direction) that were merged.
        zero_weights: Edges of weight zero that were removed.
        symmetrised: Whether adding the opposite directions changed anything.
    """

    adjacency: CsrMatrix
    weighted: bool
    self_loops: int
    duplicates: int
    zero_weights: int
    symmetrised: bool

    def edge_index(self) -> Tensor:
        """Return the edges as int64 ``[2, E]``, sorted by (row, column)."""
        counts = np.diff(self.adjacency.indptr)
        row = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
        return torch.from_numpy(np.stack([row, self.adjacency.indices.astype(np.int64)]))

    def edge_weight(self) -> Tensor | None:
        """Return the weights as float32 ``[E]`` in the order of :meth:`edge_index`, or None."""
        if not self.weighted:
            return None
        return torch.from_numpy(self.adjacency.data.astype(np.float32))


def clean_edges(
    row: IntArray, col: IntArray, weight: NDArray[Any] | None, num_nodes: int, *, directed: bool
) -> CleanEdges:
    """Remove loops and zero weights, merge duplicates and, unless directed, add both directions.

    The weights of duplicates are summed. Where both directions of an undirected edge are given
    with different weights the larger one counts, so that listing an edge in both directions or in
    one means the same graph. Time and memory are linear in the number of edges.

    Args:
        row: Source of every edge, within ``0..num_nodes-1``.
        col: Target of every edge.
        weight: Non-negative weights, or None.
        num_nodes: Number of nodes.
        directed: Whether to keep the directions as they are.

    Returns:
        The canonical adjacency and the counts.
    """
    if weight is None:
        values: NDArray[Any] = np.ones(len(row), dtype=np.float32)
    else:
        values = np.asarray(weight, dtype=np.float64)
    loops, zeros = row == col, values == 0
    keep = ~(loops | zeros)
    kept = int(keep.sum())
    shape = (num_nodes, num_nodes)
    adjacency = sparse.coo_array((values[keep], (row[keep], col[keep])), shape=shape).tocsr()
    adjacency.sum_duplicates()
    adjacency.sort_indices()
    if weight is None:
        adjacency.data[:] = 1.0
    both = adjacency if directed else sparse.csr_array(adjacency.maximum(adjacency.T))
    both.sort_indices()
    return CleanEdges(
        adjacency=both,
        weighted=bool((both.data != 1).any()),
        self_loops=int(loops.sum()),
        duplicates=kept - int(adjacency.nnz),
        zero_weights=int((zeros & ~loops).sum()),
        symmetrised=not directed and not _equal(adjacency, both),
    )


def _equal(a: CsrMatrix, b: CsrMatrix) -> bool:
    """Tell whether two canonical matrices hold the same entries."""
    return a.nnz == b.nnz and np.array_equal(a.data, b.data)
