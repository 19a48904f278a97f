"""Graphs given as an adjacency matrix of SciPy."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from graphrank.data.raw import RawGraph, SparseMatrix
from graphrank.errors import DataError


def read_matrix(matrix: SparseMatrix, name: str = "matrix") -> RawGraph:
    """Read a square sparse matrix or array; entry (i, j) is the weight of the edge from i to j.

    Args:
        matrix: A SciPy sparse matrix or array of any format.
        name: How the graph is called.

    Raises:
        DataError: If the matrix is not square.
    """
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise DataError(
            f"an adjacency matrix must be square, not {list(matrix.shape)};"
            " give features by the option features"
        )
    entries = sparse.coo_array(matrix)
    row, col = (np.asarray(i, dtype=np.int64) for i in entries.coords)
    return RawGraph(row, col, matrix.shape[0], name, weight=entries.data.astype(np.float64))
