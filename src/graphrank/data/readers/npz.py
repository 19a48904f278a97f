"""Graphs in NumPy archives: a published layout, a SciPy matrix, or plain arrays."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphrank.data.features import canonical_csr
from graphrank.data.raw import CsrMatrix, RawGraph
from graphrank.data.readers.matrix import read_matrix
from graphrank.data.readers.node_arrays import (
    ADJACENCY,
    FEATURES,
    first_of,
    with_node_arrays,
)
from graphrank.errors import DataError

Arrays = Mapping[str, NDArray[Any]]


def read_npz(path: Path, *, bipartite: bool = False) -> RawGraph:
    """Read a graph from an archive of arrays; nothing in it is unpickled.

    Edges are ``adj_data, adj_indices, adj_indptr, adj_shape`` (Shchur et al., 2018, with features
    as ``attr_*`` of the same kind); a matrix saved with ``scipy.sparse.save_npz``; ``edge_index``,
    with ``edge_weight`` if there is any; ``edges``, a row for each (Platonov et al., 2023); or a
    whole adjacency matrix. Features and labels are found by their usual names.

    Args:
        path: The archive.
        bipartite: Whether rows of SciPy's matrix are nodes of one kind, and columns of another.

    Raises:
        DataError: If the file is damaged or has another layout.
    """
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return _parse(arrays, path, bipartite)
    except (ValueError, OSError, KeyError, EOFError, zipfile.BadZipFile) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"{path.name} cannot be read as arrays ({error}); save it again without objects"
        ) from error


def read_shchur(path: Path, name: str) -> RawGraph:
    """Read a published Amazon or Coauthor graph: binary features, unweighted edges.

    The counts in the features are set to one, as PyG and the papers that use it do.
    """
    raw = read_npz(path)
    if raw.x is not None and not isinstance(raw.x, np.ndarray):
        raw.x.data[:] = raw.x.data > 0
    return replace(raw, name=name, weight=None)


def _parse(arrays: Arrays, path: Path, bipartite: bool) -> RawGraph:
    """Choose the layout by the arrays that are there."""
    matrix = partial(_scipy, bipartite=bipartite)
    layouts: dict[str, Callable[[Arrays, Path], RawGraph]] = {
        "adj_indptr": _shchur,
        "indptr": matrix,
        "row": matrix,
        "edge_index": _plain,
        "edges": _platonov,
        **dict.fromkeys(ADJACENCY, _whole_matrix),
    }
    for key, read in layouts.items():
        if key in arrays:
            return read(arrays, path)
    raise DataError(
        f"{path.name} has neither adj_data, nor a SciPy matrix, nor edges, nor edge_index, but "
        f"{', '.join(sorted(arrays)) or 'nothing'}; save edge_index and x with numpy.savez"
    )


def _shchur(arrays: Arrays, path: Path) -> RawGraph:
    """Read adjacency, attributes and labels as three parts."""
    raw = read_matrix(_csr(arrays, "adj_"), path.stem)
    x = _csr(arrays, "attr_") if "attr_indptr" in arrays else None
    return with_node_arrays(raw, arrays, path.name, x)


def _scipy(arrays: Arrays, path: Path, *, bipartite: bool) -> RawGraph:
    """Read the adjacency alone."""
    del arrays
    return read_matrix(sparse.load_npz(path), path.stem, bipartite=bipartite)


def _plain(arrays: Arrays, path: Path) -> RawGraph:
    """Read edges as two rows, and their weights."""
    edges = arrays["edge_index"]
    if edges.ndim != 2 or edges.shape[0] != 2 or edges.dtype.kind not in "iu":
        raise DataError(f"edge_index of {path.name} must be whole numbers of shape [2, edges]")
    return _of_edges(edges, arrays, path)


def _platonov(arrays: Arrays, path: Path) -> RawGraph:
    """Read edges as rows."""
    edges = arrays["edges"]
    if edges.ndim != 2 or edges.shape[1] != 2 or edges.dtype.kind not in "iu":
        raise DataError(f"edges of {path.name} must be whole numbers of shape [edges, 2]")
    return _of_edges(edges.T, arrays, path)


def _whole_matrix(arrays: Arrays, path: Path) -> RawGraph:
    """Read an entry for each pair of nodes."""
    matrix = first_of(arrays, ADJACENCY)
    if matrix.ndim != 2 or matrix.dtype.kind not in "biuf":
        raise DataError(f"the adjacency matrix of {path.name} must be one of numbers")
    return with_node_arrays(read_matrix(sparse.csr_array(matrix), path.stem), arrays, path.name)


def _of_edges(edges: NDArray[Any], arrays: Arrays, path: Path) -> RawGraph:
    """The graph of ``[2, edges]``, with as many nodes as rows of features, or as the edges name."""
    source, target = edges.astype(np.int64)
    x = first_of(arrays, FEATURES)
    nodes = len(x) if x is not None else int(edges.max(initial=-1)) + 1
    raw = RawGraph(source, target, nodes, path.stem, weight=arrays.get("edge_weight"))
    return with_node_arrays(raw, arrays, path.name, x)


def _csr(arrays: Arrays, prefix: str) -> CsrMatrix:
    """Build the matrix whose parts begin with ``prefix``."""
    parts = tuple(arrays[prefix + part] for part in ("data", "indices", "indptr"))
    return canonical_csr(sparse.csr_array(parts, shape=tuple(arrays[prefix + "shape"])))
