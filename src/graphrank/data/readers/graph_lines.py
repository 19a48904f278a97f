"""Sets of graphs as JSON lines: one object a line, one graph an object."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphrank.data.graphset import GraphSet
from graphrank.data.pack import Member, pack_members
from graphrank.data.raw import RawGraph
from graphrank.errors import DataError


def read_graph_lines(path: Path) -> GraphSet:
    """Read graphs such as ``{"id": "a", "edges": [["u", "v"], ["v", "w"]], "y": 1}``.

    Nodes are numbers or names, in the order in which they occur; ``nodes`` may list them all,
    isolated ones among them. ``id``, ``y`` (the class) and ``node_labels`` (an object from node to
    label, or a list in the order of ``nodes``) may be left out.

    Raises:
        DataError: Naming the line that cannot be read.
    """
    members = []
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                members.append(_member(line, f"line {number} of {path.name}"))
    return pack_members(members, path.stem)


def _member(line: str, where: str) -> Member:
    """Read one line."""
    try:
        graph = json.loads(line)
    except json.JSONDecodeError as error:
        raise DataError(f"{where} is no JSON ({error}); write one object a line") from error
    if not isinstance(graph, dict) or "edges" not in graph:
        raise DataError(f'{where} has no edges; write {{"edges": [[u, v], …]}}')
    ends = _ends(graph["edges"], where)
    # A dictionary keeps the order of first occurrence and each node once.
    nodes = list(dict.fromkeys([*map(str, graph.get("nodes", ())), *(n for e in ends for n in e)]))
    place = {node: position for position, node in enumerate(nodes)}
    row, col = np.asarray([[place[u], place[v]] for u, v in ends], dtype=np.int64).reshape(-1, 2).T
    return Member(
        RawGraph(row, col, len(nodes), where),
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
    if given is None:
        return None
    if isinstance(given, dict):
        missing = next((node for node in nodes if node not in given), None)
        if missing is not None:
            raise DataError(f"{where} has no label for node {missing!r}; label all nodes or none")
        given = [given[node] for node in nodes]
    if not isinstance(given, list):
        raise DataError(f"{where} has node_labels that are no list and no object; mend them")
    return [str(label) for label in given]
