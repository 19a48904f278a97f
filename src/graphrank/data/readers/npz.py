"""Graphs in NumPy archives: two published layouts, a SciPy matrix, or plain arrays."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphrank.data.features import canonical_csr, feature_matrix
from graphrank.data.labels import encode_labels, known_labels
from graphrank.data.raw import CsrMatrix, RawGraph
from graphrank.data.readers.matrix import read_matrix
from graphrank.errors import DataError

Arrays = Mapping[str, NDArray[Any]]


def read_npz(path: Path) -> RawGraph:
    """Read a graph from an archive of arrays; nothing in it is unpickled.

    Four layouts are known: ``adj_data, adj_indices, adj_indptr, adj_shape`` with features as
    ``attr_*`` or ``attr_matrix`` and ``labels`` (Shchur et al., 2018); ``edges``, a row for each,
    with ``node_features`` and ``node_labels`` (Platonov et al., 2023); a matrix saved with
    ``scipy.sparse.save_npz``; and ``edge_index`` with ``x``, ``y`` and ``edge_weight`` as far as
    there are any.

    Raises:
        DataError: If the file is damaged or has another layout.
    """
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return _parse(arrays, path)
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


def _parse(arrays: Arrays, path: Path) -> RawGraph:
    """Choose the layout by the arrays that are there."""
    layouts = {
        "adj_indptr": _shchur,
        "indptr": _scipy,
        "row": _scipy,
        "edge_index": _plain,
        "edges": _platonov,
    }
    for key, read in layouts.items():
        if key in arrays:
            return read(arrays, path)
    raise DataError(
        f"{path.name} has neither adj_data, nor a SciPy matrix, nor edges, nor edge_index;"
        " save edge_index and x with numpy.savez"
    )


def _shchur(arrays: Arrays, path: Path) -> RawGraph:
    """Read adjacency, attributes and labels as three parts."""
    raw = read_matrix(_csr(arrays, "adj_"), path.stem)
    x = _csr(arrays, "attr_") if "attr_indptr" in arrays else arrays.get("attr_matrix")
    return _with_tables(raw, x, arrays.get("labels"))


def _scipy(arrays: Arrays, path: Path) -> RawGraph:
    """Read the adjacency alone."""
    del arrays
    return read_matrix(sparse.load_npz(path), path.stem)


def _plain(arrays: Arrays, path: Path) -> RawGraph:
    """Read edges and node tables as separate arrays."""
    edges = arrays["edge_index"]
    if edges.ndim != 2 or edges.shape[0] != 2 or edges.dtype.kind not in "iu":
        raise DataError(f"edge_index of {path.name} must be whole numbers of shape [2, edges]")
    x, weight = arrays.get("x"), arrays.get("edge_weight")
    return _with_tables(_of_edges(edges, x, path, weight), x, arrays.get("y"))


def _platonov(arrays: Arrays, path: Path) -> RawGraph:
    """Read edges as rows, features and labels."""
    edges, x = arrays["edges"], arrays.get("node_features")
    if edges.ndim != 2 or edges.shape[1] != 2 or edges.dtype.kind not in "iu":
        raise DataError(f"edges of {path.name} must be whole numbers of shape [edges, 2]")
    return _with_tables(_of_edges(edges.T, x, path), x, arrays.get("node_labels"))


def _of_edges(
    edges: NDArray[Any], x: NDArray[Any] | None, path: Path, weight: NDArray[Any] | None = None
) -> RawGraph:
    """The graph of ``[2, edges]``, with as many nodes as rows of features, or as the edges name."""
    source, target = edges.astype(np.int64)
    nodes = len(x) if x is not None else int(edges.max(initial=-1)) + 1
    return RawGraph(source, target, nodes, path.stem, weight=weight)


def _with_tables(raw: RawGraph, x: object, labels: NDArray[Any] | None) -> RawGraph:
    """Add features and labels where there are any."""
    if x is not None:
        raw = replace(raw, x=feature_matrix(x))
    if labels is None:
        return raw
    y, names = encode_labels(known_labels(labels.reshape(-1).tolist()))
    return replace(raw, y=y, class_names=names)


def _csr(arrays: Arrays, prefix: str) -> CsrMatrix:
    """Build the matrix whose parts begin with ``prefix``."""
    parts = tuple(arrays[prefix + part] for part in ("data", "indices", "indptr"))
    return canonical_csr(sparse.csr_array(parts, shape=tuple(arrays[prefix + "shape"])))
