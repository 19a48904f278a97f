"""Features and labels of nodes, given as a table or in the order of the nodes."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from graphrank.data.columns import ColumnNames, node_columns
from graphrank.data.encode import encode
from graphrank.data.keys import check_complete, key_column, original
from graphrank.data.labels import encode_labels, known_labels
from graphrank.data.raw import FeatureMatrix, IntArray, NodeIds
from graphrank.data.tables import Layout, Source, describe, read
from graphrank.data.validate import check_unique
from graphrank.errors import DataError

_LOGGER = logging.getLogger("graphrank")

# So many columns are somebody's choice and can be read; more are words or measurements.
_NAMED_COLUMNS = 12


@dataclass(frozen=True)
class NodeTable:
    """Nodes by id, with features and labels.

    Attributes:
        name: The table, for messages.
        ids: The ids as text, in the order of the rows.
        node_id: The ids as the user knows them.
        x: Features ``[N, F]``, or None where there are no feature columns.
        feature_names: Names of the features.
        y: Classes, or None where there is no label column.
        class_names: Names of the classes where they were not ``0..C-1``.
        id_column: The column that the ids are of, where the table has several.
    """

    name: str
    ids: list[str]
    node_id: NodeIds
    x: FeatureMatrix | None
    feature_names: list[str]
    y: IntArray | None
    class_names: list[str] | None
    id_column: str | None = None


def read_node_table(
    source: Source, columns: ColumnNames, *, labels_elsewhere: bool = False
) -> NodeTable:
    """Read a table with one node a row: an id, numbers or words as features, perhaps a label.

    Args:
        source: The table.
        columns: Names of its columns.
        labels_elsewhere: Whether another table has the labels, and so perhaps the named column.

    Raises:
        DataError: If ids are missing or occur twice, or a feature is neither number nor word.
    """
    layout = describe(source, columns.header, leading=None)
    if labels_elsewhere and columns.label not in layout.names:
        columns = replace(columns, label=None)
    key_name, label, features = node_columns(
        layout.names, columns, layout.label, first_is_id=not layout.named
    )
    return _read(layout, key_name, label, features)


def read_label_table(
    source: Source, columns: ColumnNames, *, features_elsewhere: bool = False
) -> NodeTable:
    """Read a table with two columns, id and label.

    Args:
        source: The table.
        columns: Names of its columns; those that are no features do not matter here.
        features_elsewhere: Whether another table has the features, and so perhaps the named id.

    Raises:
        DataError: If there are fewer columns, or several that may be the label.
    """
    layout = describe(source, columns.header, leading=1)
    columns = replace(columns, exclude=())
    if features_elsewhere and columns.id not in layout.names:
        columns = replace(columns, id=None)
    key_name, label, others = node_columns(layout.names, columns, layout.label, first_is_id=True)
    if label is None and not others:
        raise DataError(f"{layout.label} needs an id column and a label column; add the label")
    if label is None and len(others) > 1:
        raise DataError(
            f"{layout.label} has {len(others)} columns beside the id {key_name!r}"
            f" ({', '.join(others)}), none of them called label; name it with --label-column, in"
            " Python ColumnNames(label=...)"
        )
    return _read(layout, key_name, label or others[0], [])


def _read(layout: Layout, key_name: str, label: str | None, features: list[str]) -> NodeTable:
    """Read the chosen columns."""
    keys = [key_name] if label is None else [key_name, label]
    frame = read(layout, keys, features)
    key = key_column(frame[key_name])
    check_complete(key, key_name, layout.label)
    ids = [key.names[code] for code in key.codes]
    check_unique(ids, layout.label)
    y, class_names = (None, None) if label is None else _labels(frame[label])
    _say_features(layout, features)
    x, names = encode(frame[features], layout.label) if features else (None, [])
    node_id = original(ids, is_text=key.is_text)
    among = key_name if layout.named and len(layout.names) > 2 else None
    return NodeTable(layout.label, ids, node_id, x, names, y, class_names, among)


def _say_features(layout: Layout, features: list[str]) -> None:
    """Name the features where a label under a name of its own could hide among them."""
    if layout.named and 0 < len(features) <= _NAMED_COLUMNS:
        _LOGGER.info(
            "%s: features are %s; leave out what is none with --exclude-column",
            layout.label, ", ".join(features),
        )  # fmt: skip


def _labels(column: pd.Series) -> tuple[IntArray, list[str] | None]:
    """Number the classes of a column."""
    key = key_column(column)
    return encode_labels(np.asarray([*known_labels(key.names), ""])[key.codes])
