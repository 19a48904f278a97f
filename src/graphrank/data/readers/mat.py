"""Graphs in MATLAB files, as attributed networks and fraud data are often published."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.io import loadmat
from scipy.io.matlab import MatReadError

from graphrank.data.features import feature_matrix
from graphrank.data.labels import encode_labels, known_labels
from graphrank.data.raw import RawGraph
from graphrank.data.readers.matrix import read_matrix
from graphrank.errors import DataError

# Names that published files use, in lower case; the first that is there is taken.
_ADJACENCY = ("network", "homo", "adj", "adjacency", "net", "graph", "a", "w")
_FEATURES = (
    "attributes", "features", "attribute", "feature", "attrb", "feat", "fea", "attr", "x",
)  # fmt: skip
_LABELS = ("class", "label", "labels", "gnd", "group", "y")

_LOGGER = logging.getLogger(__name__)

Variables = Mapping[str, Any]


def read_mat(path: Path) -> RawGraph:
    """Read adjacency, features and labels of a MATLAB file by their usual names.

    ``Class`` goes before ``Label``: files for anomaly detection call the anomalies ``Label``.

    Raises:
        DataError: If the file is damaged, of MATLAB 7.3 or has no adjacency matrix.
    """
    found = _variables(path)
    adjacency = _first(found, _ADJACENCY)
    if adjacency is None:
        raise DataError(
            f"{path.name} has no adjacency matrix but {', '.join(sorted(found)) or 'nothing'}; "
            f"call it {_ADJACENCY[0]}, or one of {', '.join(_ADJACENCY[1:])}"
        )
    try:
        matrix = sparse.csr_array(adjacency)
    except (ValueError, TypeError) as error:
        raise DataError(
            f"{path.name} has an adjacency that is no matrix of numbers; save it as a sparse matrix"
        ) from error
    raw = read_matrix(matrix, path.stem)
    features, labels = _first(found, _FEATURES), _first(found, _LABELS)
    if features is not None:
        raw = replace(raw, x=feature_matrix(features))
    else:
        _tell_of_other_tables(found, raw.num_nodes, path)
    return raw if labels is None else _labelled(raw, labels, path)


def _variables(path: Path) -> dict[str, Any]:
    """What the file holds, by names in lower case."""
    try:
        variables = loadmat(path)
    except NotImplementedError as error:
        raise DataError(
            f"{path.name} is of MATLAB 7.3, which cannot be read; save it with -v7"
        ) from error
    except (MatReadError, ValueError, OSError, TypeError, EOFError, zlib.error) as error:
        raise DataError(f"{path.name} is no MATLAB file, or a damaged one ({error})") from error
    return {name.lower(): value for name, value in variables.items() if name[:2] != "__"}


def _first(found: Variables, names: Sequence[str]) -> Any:
    return next((found[name] for name in names if name in found), None)


def _tell_of_other_tables(found: Variables, nodes: int, path: Path) -> None:
    """Say which matrices with a row for each node might be the features, under another name."""
    known = {*_ADJACENCY, *_LABELS}
    tables = [
        name
        for name, value in sorted(found.items())
        if name not in known and getattr(value, "ndim", 0) == 2 and value.shape[0] == nodes
    ]
    if tables:
        _LOGGER.warning(
            "%s: %s is not read; if it holds the features, call it %s",
            path.name, ", ".join(tables), _FEATURES[0],
        )  # fmt: skip


def _labelled(raw: RawGraph, labels: Any, path: Path) -> RawGraph:
    """With one class for each node: a row or a column of classes, or columns that mark them."""
    marked = sparse.issparse(labels)
    table: NDArray[Any] = sparse.csr_array(labels).toarray() if marked else np.asarray(labels)
    if table.ndim == 2 and 1 not in table.shape:
        if not bool(((table != 0).sum(axis=1) == 1).all()):
            _LOGGER.warning("%s: nodes have several labels each, which are left out", path.name)
            return raw
        table = (table != 0).argmax(axis=1)
    classes, names = encode_labels(known_labels(table.ravel().tolist()))
    return replace(raw, y=classes, class_names=names)
