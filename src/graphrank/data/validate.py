"""Checks of a graph as given; each failure is one sentence that names the thing and the remedy."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphrank.data.raw import FeatureMatrix, RawGraph
from graphrank.errors import DataError

_LOGGER = logging.getLogger("graphrank")
_MASK_NAMES = ("train_mask", "val_mask", "test_mask")


def check_graph(raw: RawGraph) -> None:
    """Run every check on ``raw``.

    Raises:
        DataError: At the first thing that the user has to mend.
    """
    if raw.num_nodes == 0:
        raise DataError(f"{raw.name} is an empty graph; give it at least one node")
    _check_edges(raw)
    _check_weights(raw)
    _check_lengths(raw)
    check_unique(raw.node_id or [], raw.name)
    if raw.x is not None:
        check_features(raw.x, raw.name, raw.feature_names)


def check_unique(ids: Sequence[str] | Sequence[int], where: str) -> None:
    """Refuse node ids that occur twice.

    Raises:
        DataError: Naming one of them.
    """
    if len(set(ids)) == len(ids):
        return
    seen: set[str | int] = set()
    for node in ids:
        if node in seen:
            raise DataError(f"{where} has node id {node!r} twice; keep one row for each node")
        seen.add(node)


def check_features(x: FeatureMatrix, where: str, names: Sequence[str] | None = None) -> None:
    """Refuse features that are missing, infinite or without any information.

    Raises:
        DataError: Naming the first bad column.
    """
    if x.shape[1] == 0:
        raise DataError(
            f"{where} has no feature columns; leave features out to use structural ones"
        )
    values, columns = (x, None) if isinstance(x, np.ndarray) else (x.data, x.indices)
    bad = ~np.isfinite(values)
    if bad.any():
        first = np.nonzero(bad)[-1][0]
        column = int(first if columns is None else columns[first])
        label = repr(names[column]) if names else str(column)
        raise DataError(
            f"feature column {label} of {where} has missing or infinite values;"
            " fill them in or leave the column out"
        )
    _check_constant(x, where)


def _check_constant(x: FeatureMatrix, where: str) -> None:
    """Refuse features that are the same for all nodes; log single columns, warn if most are."""
    if x.shape[0] < 2:
        return
    constant = _constant_columns(x)
    count = int(constant.sum())
    if count == len(constant):
        raise DataError(
            f"all features of {where} are constant: constant features carry no information;"
            " leave features out to use structural ones"
        )
    if count:
        level = logging.WARNING if 2 * count > len(constant) else logging.INFO
        _LOGGER.log(level, "%s: %d of %d features are constant", where, count, len(constant))


def _constant_columns(x: FeatureMatrix) -> NDArray[np.bool_]:
    """Tell for every column whether all nodes have the same value."""
    if isinstance(x, np.ndarray):
        return np.asarray(x.min(axis=0) == x.max(axis=0))
    low, high = x.min(axis=0), x.max(axis=0)
    return np.asarray(low.toarray() == high.toarray()).reshape(-1)


def _check_edges(raw: RawGraph) -> None:
    """Refuse edges whose ends are no nodes."""
    if len(raw.row) != len(raw.col):
        raise DataError(f"{raw.name} has edges with one end only; give edge_index as [2, edges]")
    if not len(raw.row):
        return
    low = min(int(raw.row.min()), int(raw.col.min()))
    high = max(int(raw.row.max()), int(raw.col.max()))
    if low < 0 or high >= raw.num_nodes:
        wrong = low if low < 0 else high
        raise DataError(
            f"{raw.name} has an edge to node {wrong}, outside 0..{raw.num_nodes - 1};"
            " mend edge_index or set num_nodes"
        )


def _check_weights(raw: RawGraph) -> None:
    """Refuse weights that are negative, not finite or not one for each edge."""
    if raw.weight is None:
        return
    if raw.weight.shape != raw.row.shape:
        raise DataError(
            f"{raw.name} has {len(raw.row)} edges but weights of shape {list(raw.weight.shape)};"
            " give one number for each edge"
        )
    if not np.isfinite(raw.weight).all():
        raise DataError(f"{raw.name} has missing or infinite edge weights; fill them in")
    if (raw.weight < 0).any():
        raise DataError(
            f"{raw.name} has negative edge weights; shift them, or leave weights out with"
            " --unweighted (in Python weighted=False)"
        )


def _check_lengths(raw: RawGraph) -> None:
    """Refuse node tables that are longer or shorter than the number of nodes."""
    tables = {
        "rows of features": None if raw.x is None else raw.x.shape[0],
        "labels": None if raw.y is None else len(raw.y),
        "node ids": None if raw.node_id is None else len(raw.node_id),
        **{name: len(raw.masks[name]) for name in _MASK_NAMES if name in raw.masks},
    }
    for what, length in tables.items():
        if length is not None and length != raw.num_nodes:
            raise DataError(
                f"{raw.name} has {raw.num_nodes} nodes but {length} {what}; give one for each node"
            )
