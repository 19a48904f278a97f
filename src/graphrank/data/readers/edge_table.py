"""Graphs given as a table with one edge a row."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from graphrank.data.columns import ColumnNames, edge_columns, is_row_number, usual_ends
from graphrank.data.keys import KeyColumn, check_complete, key_column, original
from graphrank.data.kinds import number_apart
from graphrank.data.raw import IntArray, NodeIds, RawGraph
from graphrank.data.tables import Layout, Source, describe, name_of, read
from graphrank.errors import DataError

_LOGGER = logging.getLogger("graphrank")


def read_edge_table(source: Source, columns: ColumnNames) -> RawGraph:
    """Read an edge list; its nodes are the ids that occur in it, sorted, one kind after the other.

    Args:
        source: A csv, tsv, parquet or other text file, or a data frame.
        columns: Names of the columns where they are not the usual ones.

    Raises:
        DataError: If ids are missing or weights are no numbers.
    """
    layout = describe(source, columns.header, leading=2)
    start, end, weight_name = edge_columns(layout.names, columns, layout.label)
    _say_what_is_left(layout, (start, end, weight_name))
    if not columns.bipartite:
        _say_what_was_guessed(layout, columns, (start, end, weight_name))
    frame = read(layout, [start, end], [] if weight_name is None else [weight_name])
    keys = [key_column(frame[name]) for name in (start, end)]
    for key, name in zip(keys, (start, end), strict=True):
        check_complete(key, name, layout.label)
    kind, kind_names = None, None
    if columns.bipartite:
        ids, (row, col), kind = number_apart(keys, (start, end), layout.label)
        kind_names = (start, end)
    else:
        ids, (row, col) = _number(keys)
    weight = None if weight_name is None else _weights(frame[weight_name], layout)
    name = name_of(source) if isinstance(source, Path) else "edges"
    return RawGraph(
        row, col, len(ids), name, weight=weight, node_id=ids, kind=kind, kind_names=kind_names,
        ordered=False,
    )  # fmt: skip


def _say_what_was_guessed(
    layout: Layout, columns: ColumnNames, chosen: tuple[str, str, str | None]
) -> None:
    """Warn of a choice of columns that the user may not have meant."""
    start, end, weight = chosen
    if columns.source is None and not usual_ends(layout.names):
        if layout.guessed:
            _LOGGER.warning(
                "%s: the first row is taken as names (%r, %r); say --no-header (in Python"
                " ColumnNames(header=False)) if it is an edge, --bipartite if they are two kinds"
                " of nodes",
                layout.label,
                start,
                end,
            )
        elif layout.named and len(layout.names) > 2:
            _LOGGER.warning(
                "%s: edges are taken to go from %r to %r; name other columns with"
                " --source-column and --target-column (in Python ColumnNames(source, target)), say"
                " --bipartite if they are two kinds of nodes",
                layout.label,
                start,
                end,
            )
    if not layout.named and len(layout.names) > 2 and weight is None:
        _LOGGER.warning(
            "%s: column %r has no name and is not used; if it holds weights say"
            " --weight-column %s (in Python ColumnNames(weight=%r))",
            layout.label,
            layout.names[2],
            layout.names[2],
            layout.names[2],
        )


def _say_what_is_left(layout: Layout, chosen: tuple[str, str, str | None]) -> None:
    """Tell of named columns that could be the weights, where there are none."""
    left = [name for name in layout.names if name not in chosen and not is_row_number(name)]
    if layout.named and left and chosen[2] is None:
        _LOGGER.info(
            "%s: %s is not read; say --weight-column %s if it holds weights",
            layout.label, ", ".join(left), left[0],
        )  # fmt: skip


def _number(keys: list[KeyColumn]) -> tuple[NodeIds, list[IntArray]]:
    """Number all ids in sorted order, and return the ids and every column as numbers."""
    found = sorted({name for key in keys for name in key.names if name})
    ids = original(found, is_text=any(key.is_text for key in keys))
    ids.sort()
    index = pd.Index([str(node) for node in ids])
    return ids, [index.get_indexer(pd.Index(key.names))[key.codes].astype(np.int64) for key in keys]


def _weights(column: pd.Series, layout: Layout) -> NDArray[np.float64]:
    """Return the weights as numbers."""
    if not pd.api.types.is_numeric_dtype(column):
        raise DataError(
            f"column {column.name!r} of {layout.label} has weights that are no numbers; mend them"
        )
    return column.to_numpy(dtype=np.float64)
