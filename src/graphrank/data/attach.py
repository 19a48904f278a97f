"""Giving a graph the features and labels that come from another file or array."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from torch import Tensor

from graphrank.data.columns import ColumnNames
from graphrank.data.features import canonical_csr, feature_matrix
from graphrank.data.labels import encode_labels, known_labels
from graphrank.data.raw import FeatureMatrix, IntArray, RawGraph
from graphrank.data.readers.node_marks import read_json_features, read_long_table, with_nodes
from graphrank.data.readers.node_table import NodeTable, read_label_table, read_node_table
from graphrank.data.tables import kind_of
from graphrank.errors import DataError

NodeValues: TypeAlias = Any  # a path, a data frame, an array, a tensor or a SciPy matrix


def attach_features(
    raw: RawGraph, features: NodeValues, columns: ColumnNames, *, labels_elsewhere: bool = False
) -> RawGraph:
    """Return ``raw`` with other features; with a table, the nodes are those of the table.

    Args:
        raw: The graph.
        features: A table (csv, tsv, parquet, data frame) with an id column, or with a row for each
            feature of a node; JSON of what each node has; or numbers in the order of the nodes
            (npy, npz, array, tensor, SciPy matrix).
        columns: Names of the columns of a table.
        labels_elsewhere: Whether labels are attached, too, from another table.

    Raises:
        DataError: If the features do not fit the nodes.
    """
    values = _open(features)
    if isinstance(values, Path) and kind_of(values) == ".json":
        return _with_table(raw, with_nodes(read_json_features(values), raw.ids_as_text()))
    if isinstance(values, Path | pd.DataFrame):
        long = read_long_table(values, columns)
        if long is not None:
            return _with_table(raw, with_nodes(long, raw.ids_as_text()))
        table = read_node_table(values, columns, labels_elsewhere=labels_elsewhere)
        return _with_table(raw, table)
    x = feature_matrix(values)
    raw = raw if raw.ordered else _in_number_order(raw, x.shape[0])
    return replace(raw, x=x, feature_names=None)


def attach_labels(
    raw: RawGraph, labels: NodeValues, columns: ColumnNames, *, features_elsewhere: bool = False
) -> RawGraph:
    """Return ``raw`` with other labels; nodes that a table leaves out have none.

    Args:
        raw: The graph.
        labels: A table with id and label, or one label a node in the order of the nodes.
        columns: Names of the columns of a table.
        features_elsewhere: Whether features were attached from another table.

    Raises:
        DataError: If the labels do not fit the nodes.
    """
    values = _open(labels)
    if isinstance(values, Path | pd.DataFrame):
        table = read_label_table(values, columns, features_elsewhere=features_elsewhere)
        index = _positions(table.ids, raw.ids_as_text(), table.name, "the graph", table.id_column)
        y = np.full(raw.num_nodes, -1, dtype=np.int64)
        y[index] = -1 if table.y is None else table.y
        return replace(raw, y=y, class_names=table.class_names)
    array = values.detach().cpu().numpy() if isinstance(values, Tensor) else np.asarray(values)
    raw = raw if raw.ordered else _in_number_order(raw, len(array))
    y, names = encode_labels(known_labels(array.reshape(-1).tolist()))
    return replace(raw, y=y, class_names=names)


def _open(given: NodeValues) -> NodeValues:
    """Return a path as ``Path``, or the array where the file holds one."""
    if not isinstance(given, str | Path):
        return given
    path = Path(given).expanduser()
    if not path.is_file():
        raise DataError(f"there is no file {str(path)!r}; check the path")
    if path.suffix.lower() not in _ARRAY_READERS:
        return path
    try:
        return _ARRAY_READERS[path.suffix.lower()](path)
    except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise DataError(
            f"{path.name} cannot be read as one array ({error}); save it again"
        ) from error


def _read_npy(path: Path) -> NDArray[Any]:
    """Read an array, never objects."""
    return np.asarray(np.load(path, allow_pickle=False))


def _read_npz(path: Path) -> FeatureMatrix | NDArray[Any]:
    """Read a SciPy matrix, the array ``x``, or the only array of an archive."""
    with np.load(path, allow_pickle=False) as arrays:
        if "format" in arrays:
            return canonical_csr(sparse.load_npz(path))
        if "x" not in arrays and len(arrays.files) != 1:
            raise ValueError(f"arrays {', '.join(arrays.files)}, none called x")
        return np.asarray(arrays["x" if "x" in arrays else arrays.files[0]])


_ARRAY_READERS = {".npy": _read_npy, ".npz": _read_npz}


def _with_table(raw: RawGraph, table: NodeTable) -> RawGraph:
    """Number the nodes as the table does, and take its features and labels."""
    index = _positions(raw.ids_as_text(), table.ids, "the graph", table.name, table.id_column)
    nodes = len(table.ids)
    y, class_names = table.y, table.class_names
    if y is None and raw.y is not None:
        y, class_names = np.full(nodes, -1, dtype=np.int64), raw.class_names
        y[index] = raw.y
    masks = {name: np.zeros(nodes, dtype=np.bool_) for name in raw.masks}
    for name, mask in masks.items():
        mask[index] = raw.masks[name]
    return replace(
        raw,
        row=index[raw.row],
        col=index[raw.col],
        num_nodes=nodes,
        x=table.x,
        y=y,
        class_names=class_names,
        node_id=table.node_id,
        feature_names=table.feature_names or None,
        masks=masks,
        kind=_moved(raw.kind, index, nodes),
        ordered=True,
    )


def _moved(kind: IntArray | None, places: IntArray, nodes: int) -> IntArray | None:
    """Kinds of nodes at their new places; that of a node without edges is not known."""
    if kind is None:
        return None
    moved = np.full(nodes, -1, dtype=np.int64)
    moved[places] = kind
    return moved


def _positions(
    ids: Sequence[str], among: Sequence[str], whose: str, where: str, column: str | None = None
) -> IntArray:
    """Return the position of every id, and refuse ids that are not there.

    Args:
        ids: what to look for.
        among: the ids that there are.
        whose: what has the ids, for the message.
        where: what should have them, too.
        column: the column that these were taken from, where it might have been another.
    """
    index = pd.Index(among).get_indexer(pd.Index(ids)).astype(np.int64)
    missing = [ids[i] for i in np.flatnonzero(index < 0)[:3]]
    if missing:
        other = f", or name another id column than {column!r} with --id-column"
        raise DataError(
            f"{whose} has nodes that are not in {where}, such as {', '.join(missing)};"
            f" add them to {where} or remove them{other if column else ''}"
        )
    return index


def _in_number_order(raw: RawGraph, rows: int) -> RawGraph:
    """Number the nodes of an edge list by their ids, which must be ``0..rows-1``."""
    ids = np.asarray(raw.node_id)
    if ids.dtype.kind != "i" or (len(ids) and (ids.min() < 0 or ids.max() >= rows)):
        raise DataError(
            f"{rows} rows without ids need nodes called 0..{rows - 1}, but {raw.name} has others;"
            " give a table with an id column"
        )
    return replace(
        raw,
        row=ids[raw.row],
        col=ids[raw.col],
        num_nodes=rows,
        node_id=list(range(rows)),
        kind=_moved(raw.kind, ids, rows),
        ordered=True,
    )
