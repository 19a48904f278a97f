"""Sets of graphs as JSON lines: one object a line, one graph an object."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphrank.data.graphset import GraphSet
from graphrank.data.pack import Member, pack_members
from graphrank.data.raw import FloatArray, RawGraph
from graphrank.data.readers.graph_keys import known_keys
from graphrank.errors import DataError

_log = logging.getLogger("graphrank")


def read_graph_lines(path: Path) -> GraphSet:
    """Read graphs such as ``{"id": "a", "edges": [["u", "v"], ["v", "w"]], "y": 1}``.

    Nodes are numbers or names, in the order in which they occur; ``nodes`` may list them all,
    isolated ones among them. ``id``, ``y`` (the class), ``node_labels`` and ``x`` (an object from
    node to label, or to a list of numbers, or a list of them in the order of ``nodes``) may be left
    out. Other usual names will do, such as ``label``, and ``edge_index``, two lists of node
    numbers, in the place of the edges.

    Raises:
        DataError: Naming the line that cannot be read.
    """
    members: list[Member] = []
    not_read: set[str] = set()
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    where = f"line {number} of {path.name}"
                    graph, unread = _keys_of(line, where)
                    members.append(_member(graph, where))
                    not_read |= unread
    except UnicodeDecodeError as error:
        raise DataError(f"{path.name} is no text in UTF-8 ({error}); save it so") from error
    if not_read:
        _log.warning("%s: %s of its graphs is not read", path.name, ", ".join(sorted(not_read)))
    return pack_members(members, path.stem)


def _keys_of(line: str, where: str) -> tuple[dict[str, Any], set[str]]:
    """What one line says of its graph, and what of it is not read."""
    try:
        graph = json.loads(line)
    except json.JSONDecodeError as error:
        raise DataError(f"{where} is no JSON ({error}); write one object a line") from error
    found, unread = known_keys(graph, where) if isinstance(graph, dict) else ({}, set())
    if "edges" not in found:
        raise DataError(f'{where} has no edges; write {{"edges": [[u, v], …]}}')
    return found, unread


def _member(graph: Mapping[str, Any], where: str) -> Member:
    """Read what one line says."""
    ends = _ends(graph["edges"], where)
    # A dictionary keeps the order of first occurrence and each node once.
    listed = graph.get("nodes") or []
    if not isinstance(listed, list):
        raise DataError(f"{where} has nodes that are no list; write [u, v, …]")
    nodes = list(dict.fromkeys([*map(str, listed), *(n for e in ends for n in e)]))
    place = {node: position for position, node in enumerate(nodes)}
    row, col = np.asarray([[place[u], place[v]] for u, v in ends], dtype=np.int64).reshape(-1, 2).T
    return Member(
        RawGraph(row, col, len(nodes), where, x=_features(graph.get("x"), nodes, where)),
        y=_scalar(graph, "y", where),
        id=_scalar(graph, "id", where),
        node_label=_node_labels(graph.get("node_labels"), nodes, where),
    )


def _ends(edges: Any, where: str) -> list[tuple[str, str]]:
    """Both ends of every edge, as text."""
    pairs = isinstance(edges, list) and all(isinstance(e, list) and len(e) == 2 for e in edges)
    if not pairs or not all(isinstance(end, int | str) for edge in edges for end in edge):
        raise DataError(f"{where} has edges that are no pairs of nodes; write [[u, v], …]")
    return [(str(u), str(v)) for u, v in edges]


def _scalar(graph: Mapping[str, Any], key: str, where: str) -> int | str | None:
    value = graph.get(key)
    if value is None or isinstance(value, int | str):
        return value
    raise DataError(f"{where} has a {key} that is no whole number and no text; mend it")


def _node_labels(given: Any, nodes: Sequence[str], where: str) -> list[str] | None:
    """The label of every node in their order."""
    values = _in_order(given, nodes, "node_labels", where)
    return None if values is None else [str(label) for label in values]


def _features(given: Any, nodes: Sequence[str], where: str) -> FloatArray | None:
    """The features of every node in their order."""
    values = _in_order(given, nodes, "x", where)
    if values is None:
        return None
    try:
        x = np.asarray(values, dtype=np.float32)
    except (ValueError, TypeError) as error:
        raise DataError(
            f"{where} has an x that is no table of numbers; give each node a list of as many"
        ) from error
    x = x.reshape(len(x), -1)
    if len(x) != len(nodes):
        raise DataError(f"{where} has {len(nodes)} nodes but {len(x)} rows in x; give each one")
    return x


def _in_order(given: Any, nodes: Sequence[str], what: str, where: str) -> list[Any] | None:
    """What is given by node, or in the order of the nodes, in the order of the nodes."""
    if isinstance(given, dict):
        missing = next((node for node in nodes if node not in given), None)
        if missing is not None:
            raise DataError(f"{where} has no {what} for node {missing!r}; give all nodes or none")
        return [given[node] for node in nodes]
    if given is None or isinstance(given, list):
        return given
    raise DataError(f"{where} has {what} that are no list and no object; mend them")
