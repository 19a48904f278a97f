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


def graph_set(source: Any) -> GraphSet:
    """Load ``source`` and make sure that it is a set of graphs, all with nodes."""
    graphs = load(source)
    if not isinstance(graphs, GraphSet):
        raise DataError(
            f"{graphs.get('name') or 'this'} is one graph and this method embeds whole graphs of a "
            "set; give it a list of graphs, or use a method of level node"
        )
    empty = (graphs.ptr.diff() == 0).nonzero()
    if empty.numel():
        name = graphs.graph_id[int(empty[0, 0])]
        raise DataError(f"graph {name} of {graphs.name} is empty; give it a node or leave it out")
    return graphs
