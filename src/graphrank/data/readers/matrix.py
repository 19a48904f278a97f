"""Graphs given as an adjacency matrix, of SciPy or in a Matrix Market file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.io import mmread

from graphrank.data.raw import RawGraph, SparseMatrix
from graphrank.errors import DataError


def read_matrix(matrix: SparseMatrix, name: str = "matrix", *, bipartite: bool = False) -> RawGraph:
    """Read a square sparse matrix or array; entry (i, j) is the weight of the edge from i to j.

    Args:
        matrix: A SciPy sparse matrix or array of any format.
        name: How the graph is called.
        bipartite: Whether rows are nodes of one kind and columns of another; then it need not be
            square, and nodes are called ``row:0``, …, ``column:0``, ….

    Raises:
        DataError: If the matrix is not square.
    """
    if bipartite and matrix.ndim == 2:
        return _two_kinds(matrix, name)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise DataError(
            f"an adjacency matrix must be square, not {list(matrix.shape)};"
            " give features by the option features, or say --bipartite"
            " (in Python ColumnNames(bipartite=True)) if rows and columns are nodes of two kinds"
        )
    entries = sparse.coo_array(matrix)
    row, col = (np.asarray(i, dtype=np.int64) for i in entries.coords)
    return RawGraph(row, col, matrix.shape[0], name, weight=entries.data.astype(np.float64))


def _two_kinds(matrix: SparseMatrix, name: str) -> RawGraph:
    """Rows and columns as nodes, the rows first."""
    entries = sparse.coo_array(matrix)
    row, col = (np.asarray(i, dtype=np.int64) for i in entries.coords)
    sizes, names = entries.shape, ("row", "column")
    ids = [f"{kind}:{i}" for kind, size in zip(names, sizes, strict=True) for i in range(size)]
    return RawGraph(
        row, sizes[0] + col, sum(sizes), name, weight=entries.data.astype(np.float64),
        node_id=ids, kind=np.repeat(np.arange(2), sizes), kind_names=names,
    )  # fmt: skip


def read_matrix_market(path: Path, *, bipartite: bool = False) -> RawGraph:
    """Read a Matrix Market file, as collections of sparse matrices and networks have them.

    Raises:
        DataError: If the file is damaged, or its matrix is not square.
    """
    try:
        matrix = sparse.coo_array(mmread(path))
    except (ValueError, OSError, TypeError) as error:
        raise DataError(f"{path.name} is no Matrix Market file ({error}); save it again") from error
    return read_matrix(matrix, path.stem, bipartite=bipartite)
