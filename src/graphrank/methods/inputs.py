"""From whatever a user gives to the one graph that a node-level method takes."""

from __future__ import annotations

from typing import Any

from torch_geometric.data import Data

from graphrank.data import GraphSet, load
from graphrank.errors import DataError


def node_graph(source: Any) -> Data:
    """Load ``source`` and make sure that it is one graph, not a set of graphs."""
    graph = load(source)
    if isinstance(graph, GraphSet):
        raise DataError(
            f"{graph.name} is a set of {len(graph)} graphs and this method embeds the nodes of "
            "one; pick one of them, as in load(name)[0]"
        )
    return graph
