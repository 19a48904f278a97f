"""Graphs as JSON objects under the names that are usual, brought to the names that we read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphrank.errors import DataError

CLASS_NAMES = ("y", "label", "class", "target")
# What each is called; the first that is there is taken.
_NAMES = {
    "edges": ("edges", "edge_list"),
    "edge_index": ("edge_index",),
    "nodes": ("nodes",),
    "num_nodes": ("num_nodes",),
    "node_labels": ("node_labels", "node_label"),
    "x": ("x", "node_features", "node_feat", "features"),
    "y": CLASS_NAMES,
    "id": ("id", "graph_id"),  # a name may be that of many graphs
}


def known_keys(graph: Mapping[str, Any], where: str) -> tuple[dict[str, Any], set[str]]:
    """What an object says of its graph, by our names, and the names of what is not read.

    ``edge_index``, two lists of node numbers, becomes ``edges`` and ``nodes``; a class in a list of
    its own, as sets of graphs are often published, becomes the class.

    Args:
        graph: the object.
        where: which one it is, for what is said of a bad one.
    """
    taken = {
        ours: next((name for name in names if graph.get(name) is not None), None)
        for ours, names in _NAMES.items()
    }
    found = {ours: graph[name] for ours, name in taken.items() if name is not None}
    unread = {name for name, value in graph.items() if value is not None} - {*taken.values()}
    if "edges" not in found and "edge_index" in found:
        found |= _numbered(found, where)
    if "y" in found:
        found["y"] = _unwrapped(found["y"])
    return found, unread


def _numbered(found: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Edges as pairs, and all nodes in the order of their numbers."""
    ends = found["edge_index"]
    if not _is_edge_index(ends):
        raise DataError(
            f"{where} has an edge_index that is no two lists of node numbers, as many in each; "
            "write [[0, 1], [1, 2]] for edges from 0 to 1 and from 1 to 2"
        )
    highest = max((node for row in ends for node in row), default=-1)
    stated = found.get("num_nodes", 0)
    if not isinstance(stated, int):
        raise DataError(f"{where} has a num_nodes that is no whole number; mend it")
    rows = found.get("x")
    count = max(stated, highest + 1, len(rows) if isinstance(rows, list) else 0)
    return {"edges": [list(pair) for pair in zip(*ends, strict=True)], "nodes": list(range(count))}


def _is_edge_index(ends: object) -> bool:
    if not isinstance(ends, list) or len(ends) != 2:
        return False
    rows = [row for row in ends if isinstance(row, list)]
    numbers = all(isinstance(node, int) and node >= 0 for row in rows for node in row)
    return len(rows) == 2 and len(rows[0]) == len(rows[1]) and numbers


def _unwrapped(value: Any) -> Any:
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value
