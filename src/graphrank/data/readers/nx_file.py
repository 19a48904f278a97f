"""Files with nodes, edges and attributes of both, read into graphs of networkx."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from graphrank.data.raw import RawGraph
from graphrank.data.readers.nx import NetworkxGraph, read_networkx
from graphrank.errors import DataError


def read_networkx_file(path: Path) -> RawGraph:
    """Read GraphML, GML, GEXF, or the JSON of nodes and links that networkx and D3 know.

    Raises:
        DataError: If networkx is not installed or the file is damaged.
    """
    kind, parse = NETWORKX_FILES[path.suffix.lower()]
    try:
        networkx = importlib.import_module("networkx")
    except ImportError as error:
        raise DataError(f"{kind} needs networkx; install graphrank[networkx]") from error
    try:
        graph = parse(networkx, path)
    except (SyntaxError, ValueError, KeyError, TypeError, networkx.NetworkXError) as error:
        raise DataError(f"{path.name} is no {kind} ({error}); save it again") from error
    return read_networkx(graph, path.stem)


def _gml(networkx: Any, path: Path) -> NetworkxGraph:
    """Nodes by their labels, or by their ids where they have none."""
    try:
        return networkx.read_gml(path)
    except networkx.NetworkXError as error:
        if "label" not in str(error):
            raise
        return networkx.read_gml(path, label="id")


def _node_link(networkx: Any, path: Path) -> NetworkxGraph:
    """Nodes with an ``id``, and ``links`` or ``edges`` with ``source`` and ``target``."""
    with path.open("rb") as file:
        written = json.load(file)
    if not isinstance(written, dict) or "nodes" not in written:
        raise ValueError("it has no nodes")
    links = written["links"] if "links" in written else written["edges"]
    graph = networkx.MultiDiGraph() if written.get("directed") else networkx.MultiGraph()
    graph.add_nodes_from((node["id"], _others(node, "id")) for node in written["nodes"])
    for link in links:
        ends = [link["source"], link["target"]]
        if unknown := [end for end in ends if end not in graph]:
            raise ValueError(f"a link to {unknown[0]!r}, which is no node")
        graph.add_edge(*ends, **_others(link, "source", "target", "key"))
    return graph


def _others(given: Mapping[str, Any], *known: str) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name not in known}


# What a file is called in messages, and how it is read, by its ending.
NETWORKX_FILES: dict[str, tuple[str, Callable[[Any, Path], NetworkxGraph]]] = {
    ".graphml": ("GraphML", lambda networkx, path: networkx.read_graphml(path)),
    ".gml": ("GML", _gml),
    ".gexf": ("GEXF", lambda networkx, path: networkx.read_gexf(path)),
    ".json": ("JSON of nodes and links", _node_link),
}
