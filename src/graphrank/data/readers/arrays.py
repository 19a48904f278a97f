"""Graphs given as plain arrays or lists: an adjacency matrix, or pairs of nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import torch
from scipy import sparse

from graphrank.data.columns import ColumnNames
from graphrank.data.raw import RawGraph
from graphrank.data.readers.edge_table import read_edge_table
from graphrank.data.readers.matrix import read_matrix
from graphrank.errors import DataError

_REMEDY = "give an adjacency matrix [N, N], or whole numbers [2, E] or [E, 2] for E edges"


def is_array(given: object) -> bool:
    """Whether it is an array of NumPy or a tensor."""
    return isinstance(given, np.ndarray | torch.Tensor)


def read_array(given: np.ndarray[Any, Any] | torch.Tensor, *, bipartite: bool = False) -> RawGraph:
    """Read an adjacency matrix, or the node numbers of edges as rows or as columns.

    Args:
        given: The array.
        bipartite: Whether it is a matrix with nodes of one kind as rows, of another as columns.

    Raises:
        DataError: If the shape is of neither, or could be of both.
    """
    if isinstance(given, torch.Tensor) and given.layout != torch.strided:
        return read_matrix(_scipy(given), bipartite=bipartite)
    array = np.asarray(given)
    is_whole = np.issubdtype(array.dtype, np.integer)
    if array.ndim != 2:
        raise DataError(f"an array of shape {list(array.shape)} is no graph; {_REMEDY}")
    if bipartite:
        return read_matrix(sparse.coo_array(array), bipartite=True)
    if array.shape == (2, 2) and is_whole:
        raise DataError(
            "an array of shape [2, 2] may be a matrix or two edges; give a SciPy matrix or a list "
            "of pairs"
        )
    if array.shape[0] == array.shape[1]:
        return read_matrix(sparse.coo_array(array))
    if not is_whole or 2 not in array.shape:
        raise DataError(
            f"an array of shape {list(array.shape)} and of {array.dtype} is no graph; {_REMEDY}"
        )
    row, col = (array if array.shape[0] == 2 else array.T).astype(np.int64)
    if array.min(initial=0) < 0:
        raise DataError("edges have a negative node number; number nodes from 0")
    return RawGraph(row, col, int(array.max(initial=-1)) + 1, "edges")


def is_edge_list(given: object) -> bool:
    """Whether it is a list of pairs of numbers or names."""
    return isinstance(given, list | tuple) and bool(given) and all(map(_is_pair, given))


def read_edge_list(pairs: list[tuple[Any, Any]], *, bipartite: bool = False) -> RawGraph:
    """Read pairs of nodes, which may be called by numbers or by names."""
    frame = pd.DataFrame(pairs, columns=["source", "target"])
    return read_edge_table(frame, ColumnNames(bipartite=bipartite))


def _is_pair(given: object) -> bool:
    ends = given if isinstance(given, list | tuple) else ()
    return len(ends) == 2 and all(isinstance(end, int | str | np.integer) for end in ends)


def _scipy(tensor: torch.Tensor) -> sparse.coo_array:
    plain = tensor.detach().cpu()
    entries = plain.to_sparse_coo().coalesce()  # type: ignore[no-untyped-call]
    places = tuple(entries.indices().numpy())
    return sparse.coo_array((entries.values().numpy(), places), shape=tuple(entries.shape))
