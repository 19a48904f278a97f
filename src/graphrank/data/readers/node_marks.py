"""Sparse features of nodes, written as what each node has: words, tags, things bought.

Two forms are common: JSON with a list for each node, and a table with a row for each thing that a
node has. Either way a node that is not mentioned has nothing, and features stay sparse.
"""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from graphrank.data.columns import ColumnNames, long_columns
from graphrank.data.features import canonical_csr
from graphrank.data.keys import check_complete, key_column, original
from graphrank.data.labels import as_text, natural
from graphrank.data.raw import CsrMatrix, FloatArray, IntArray
from graphrank.data.readers.node_table import NodeTable
from graphrank.data.tables import Layout, Source, describe, read
from graphrank.errors import DataError

_LOGGER = logging.getLogger("graphrank")
_FORMS = (
    'an object with each node\'s id and what it has, as in {"7": ["red", "round"]}, '
    '{"7": {"red": 2}} or, in numbers, {"7": [0.5, 1.2]}'
)


def read_json_features(path: Path) -> NodeTable:
    """Read an object of node ids.

    Each has a list of what the node has (whole numbers or words), an object of values by name, or
    a list of values, which is taken as such if there is a number with a fraction anywhere.

    Raises:
        DataError: If the file is no such object.
    """
    nodes = _parsed(path)
    ids = [str(node) for node in nodes]
    kept = list(nodes.values())
    if all(isinstance(each, dict) for each in kept):
        rows, marks, values = _entries((each.items() for each in kept), path)
    elif not all(isinstance(each, list) for each in kept):
        raise _not_understood(path)
    elif any(isinstance(value, float) for each in kept for value in each):
        x = _dense(kept, path)
        names = [str(column) for column in range(x.shape[1])]
        return _table(path.name, ids, False, x, names)
    else:
        pairs = ([(mark, 1.0) for mark in each] for each in kept)
        rows, marks, values = _entries(pairs, path)
    number, names = _numbered(marks, "feature")
    x_csr = _csr(rows, number, values, (len(ids), len(names)))
    return _table(path.name, ids, False, x_csr, names)


def read_long_table(source: Source, columns: ColumnNames) -> NodeTable | None:
    """Read a table whose rows say that a node has something, and perhaps how much of it.

    Args:
        source: The table.
        columns: Names of its columns.

    Returns:
        The nodes with their features; None where the table has one row for each node.

    Raises:
        DataError: If an id is missing, or a value is no number.
    """
    layout = describe(source, columns.header, leading=None)
    found = long_columns(layout.names, columns)
    if found is None:
        return None
    key_name, mark_name, value_name = found
    frame = read(layout, [key_name, mark_name], [value_name] if value_name else [])
    key, mark = key_column(frame[key_name]), key_column(frame[mark_name])
    if len(key.codes) == len(key.names):
        return None
    check_complete(key, key_name, layout.label)
    check_complete(mark, mark_name, layout.label)
    values = _values(frame, value_name, layout)
    number, names = _numbered([mark.names[code] for code in mark.codes], mark_name)
    x = _csr(key.codes, number, values, (len(key.names), len(names)))
    return _table(layout.label, key.names, key.is_text, x, names)


def with_nodes(table: NodeTable, nodes: Sequence[str]) -> NodeTable:
    """The table, and beneath it rows without anything for nodes that it does not mention.

    Args:
        table: features as :func:`read_json_features` or :func:`read_long_table` read them.
        nodes: ids that it has to have.
    """
    known = set(table.ids)
    more = [node for node in nodes if node not in known]
    if not more or table.x is None or isinstance(table.x, np.ndarray):
        return table
    _LOGGER.info("%s does not mention %d nodes, which have no features", table.name, len(more))
    nothing = sparse.csr_array((len(more), table.x.shape[1]), dtype=np.float32)
    ids = [*table.ids, *more]
    return replace(
        table,
        ids=ids,
        node_id=original(ids, is_text=isinstance(table.node_id[0], str)),
        x=canonical_csr(sparse.vstack([table.x, nothing], format="csr")),
    )


def _parsed(path: Path) -> Mapping[str, Any]:
    try:
        with gzip.open(path, "rb") if path.suffix.lower() == ".gz" else path.open("rb") as file:
            nodes = json.load(file)
    except (ValueError, OSError, EOFError) as error:
        raise DataError(f"{path.name} is no JSON ({error}); give it {_FORMS}") from error
    if not isinstance(nodes, dict) or not nodes:
        raise _not_understood(path)
    return nodes


def _not_understood(path: Path) -> DataError:
    return DataError(f"{path.name} does not tell the features of nodes; it needs {_FORMS}")


def _entries(
    nodes: Iterable[Iterable[tuple[Any, Any]]], path: Path
) -> tuple[IntArray, list[str], FloatArray]:
    """Row, mark and value of all that each node has."""
    rows, marks, values = [], [], []
    for row, pairs in enumerate(nodes):
        for mark, value in pairs:
            if not isinstance(mark, str | int) or not isinstance(value, int | float):
                raise _not_understood(path)
            rows.append(row)
            marks.append(as_text(mark))
            values.append(float(value))
    return np.asarray(rows, dtype=np.int64), marks, np.asarray(values, dtype=np.float32)


def _dense(rows: Sequence[Sequence[Any]], path: Path) -> FloatArray:
    """Lists of values as a table."""
    try:
        return np.asarray(rows, dtype=np.float32)
    except (ValueError, TypeError) as error:
        raise DataError(
            f"{path.name} has lists of values that are not equally long, or no numbers; give every"
            " node as many numbers"
        ) from error


def _numbered(marks: Sequence[str], column: str) -> tuple[IntArray, list[str]]:
    """The column of each mark, and the names of the columns; whole numbers in their order."""
    codes, found = pd.factorize(np.asarray(marks, dtype=object))
    kinds = natural([str(mark) for mark in found])
    order = np.argsort(np.asarray(kinds), kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[codes], [f"{column}={kinds[each]}" for each in order]


def _values(frame: pd.DataFrame, name: str | None, layout: Layout) -> FloatArray:
    """How much each row says that there is, one where it does not say."""
    if name is None:
        return np.ones(len(frame), dtype=np.float32)
    numbers = pd.to_numeric(frame[name], errors="coerce").to_numpy(dtype=np.float32)
    wrong = np.flatnonzero(np.isnan(numbers))
    if len(wrong):
        raise DataError(
            f"column {name!r} of {layout.label} has no number in row {wrong[0] + 1} of its values;"
            " fill it in or remove the row"
        )
    return numbers


def _csr(
    rows: IntArray, columns: IntArray, values: FloatArray, shape: tuple[int, int]
) -> CsrMatrix:
    """The entries as a matrix; what is said twice is added up."""
    return canonical_csr(sparse.coo_array((values, (rows, columns)), shape=shape))


def _table(
    name: str, ids: list[str], is_text: bool, x: FloatArray | CsrMatrix, names: list[str]
) -> NodeTable:
    """Nodes without labels."""
    return NodeTable(name, ids, original(ids, is_text=is_text), x, names, None, None)
