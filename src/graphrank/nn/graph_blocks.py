"""The normalised adjacency matrices of many graphs as SciPy has them, and the one of each graph."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from graphrank.nn.graph_batch import GraphBatch


def normalized_matrix(batch: GraphBatch) -> sp.csr_array:
    """``D^-1/2 A D^-1/2`` of all graphs, without self-loops."""
    pattern = batch.adjacency.pattern
    pointer, column = pattern.row_pointer.cpu().numpy(), pattern.column.cpu().numpy()
    row = pattern.row.cpu().numpy()
    degree = np.maximum(np.diff(pointer) - 1, 1)
    weight = (row != column) / np.sqrt(degree[row] * degree[column])
    return sp.csr_array((weight, column, pointer), shape=pattern.shape)


def block(matrix: sp.csr_array, first: int, last: int) -> sp.csr_array:
    """The matrix of one graph; slicing in both directions would look at every column."""
    pointer = matrix.indptr[first : last + 1]
    entries = slice(pointer[0], pointer[-1])
    parts = (matrix.data[entries], matrix.indices[entries] - first, pointer - pointer[0])
    return sp.csr_array(parts, shape=(last - first, last - first))
