"""Which column of a table means what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphrank.errors import DataError, unknown_name

_SOURCES = (
    *("source", "src", "from", "from_id", "source_id", "src_id", "fromnodeid", "u", "node1"),
    *("node_1", "id1", "id_1", "head", "sender"),
)
_TARGETS = (
    *("target", "dst", "to", "to_id", "target_id", "dst_id", "tonodeid", "v", "node2", "node_2"),
    *("id2", "id_2", "tail", "receiver", "dest", "destination"),
)
_ROW_NUMBERS = ("", "unnamed: 0", "index", "edge_id", "edgeid")
_WEIGHTS = ("weight", "w", "value", "edge_weight")
_IDS = ("id", "node", "node_id", "nodeid", "nodes", "name", "key", "index", "unnamed: 0", "")
LABEL_NAMES = ("label", "labels", "class", "y", "target")
_MARKS = (
    *("feature", "feature_id", "featureid", "attribute", "word", "word_id", "term", "token"),
    *("tag", "tag_id", "item", "item_id", "column", "col"),
)
_VALUES = ("value", "count", "weight", "score", "tfidf", "tf_idf", "frequency", "rating", "val")


@dataclass(frozen=True)
class ColumnNames:
    """Names of columns, where the usual ones do not fit; None means by the usual names.

    Attributes:
        source: Column of an edge table with the id where the edge starts.
        target: Column of an edge table with the id where the edge ends.
        weight: Column of an edge table with the weight.
        id: Column of a node table with the id.
        label: Column of a node table with the class.
        exclude: Columns of a node table that are no features.
        header: Whether tables have a row of names; None decides by the first row. The columns of
            a table without names are called "0", "1", and so on.
        bipartite: Whether source and target are nodes of two kinds, such as users and items.
    """

    source: str | None = None
    target: str | None = None
    weight: str | None = None
    id: str | None = None
    label: str | None = None
    exclude: tuple[str, ...] = ()
    header: bool | None = None
    bipartite: bool = False


def edge_columns(
    names: Sequence[str], given: ColumnNames, where: str
) -> tuple[str, str, str | None]:
    """Choose source, target and weight of an edge table.

    What is not given is found by its usual name; where neither end has a usual name they are the
    first two columns, numbers of rows aside.

    Raises:
        DataError: If there are fewer than two columns, a given one is missing, or one end alone has
            a usual name.
    """
    source = _choose(names, given.source, _SOURCES, where)
    target = _choose(names, given.target, _TARGETS, where)
    weight = _choose(names, given.weight, _WEIGHTS, where)
    if source is None and target is None:
        free = [name for name in names if not is_row_number(name)]
        source, target = [*(free if len(free) > 1 else names), None, None][:2]
    elif source is None or target is None:
        others = [name for name in names if name not in (source, target)]
        others = [name for name in others if name != weight] or others
        if len(others) == 1 or (others and (given.source or given.target)):
            source, target = source or others[0], target or others[0]
    if source is None or target is None or source == target:
        found = f" beside {source or target!r}" if source or target else ""
        raise DataError(
            f"{where} needs two columns of node ids{found}, of {', '.join(names)}; name both with"
            " --source-column and --target-column, in Python ColumnNames(source, target)"
        )
    return source, target, None if weight in (source, target) else weight


def is_row_number(name: str) -> bool:
    """Tell whether a column of an edge table has the name of one that numbers its rows."""
    return name.casefold().strip() in _ROW_NUMBERS


def usual_ends(names: Sequence[str]) -> bool:
    """Tell whether both ends of the edges have usual names."""
    ends = (_choose(names, None, usual, "") for usual in (_SOURCES, _TARGETS))
    return None not in ends


def node_columns(
    names: Sequence[str], given: ColumnNames, where: str, *, first_is_id: bool = False
) -> tuple[str, str | None, list[str]]:
    """Choose the id, the label and the features of a node table.

    Args:
        names: All columns.
        given: What the user named.
        where: The table, for messages.
        first_is_id: Whether the first column may serve as id when none has a usual name.

    Raises:
        DataError: If there is no id column or a given one is missing.
    """
    key = _choose(names, given.id, _IDS, where)
    if key is None and first_is_id and names:
        key = names[0]
    if key is None:
        raise DataError(
            f"{where} has no id column (id, node, node_id); name it with --id-column, or say"
            " --no-header if there is no row of names (in Python ColumnNames(id=..., header=False))"
        )
    others = [name for name in names if name != key]
    label = _choose(others, given.label, LABEL_NAMES, where)
    for name in given.exclude:
        _choose(names, name, (), where)
    return key, label, [name for name in others if name != label and name not in given.exclude]


def long_columns(names: Sequence[str], given: ColumnNames) -> tuple[str, str, str | None] | None:
    """Choose node, feature and value of a table that has a row for each feature of a node.

    Args:
        names: All columns.
        given: What the user named.

    Returns:
        The columns, the last of them None where there are no values; or None if any other column
        is there, which no such table has.
    """
    mark = _choose(names, None, _MARKS, "")
    value = _choose(names, None, _VALUES, "")
    others = [name for name in names if name not in (mark, value, *given.exclude)]
    if mark is None or len(others) != 1 or (given.id or others[0]) != others[0]:
        return None
    return others[0], mark, value


def _choose(
    names: Sequence[str], given: str | None, usual: Sequence[str], where: str
) -> str | None:
    """Return the given column, else the first one with a usual name, else None."""
    if given is not None:
        if given not in names:
            raise DataError(f"in {where} {unknown_name('column', given, names)}")
        return given
    folded = {name.casefold().strip(): name for name in reversed(names)}
    return next((folded[name] for name in usual if name in folded), None)
