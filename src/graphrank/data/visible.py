"""What of a graph may be seen, and how its nodes are called."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from torch_geometric.data import Data

from graphrank.data.graphset import GraphSet
from graphrank.data.raw import NodeIds

_VISIBLE = (
    "x",
    "edge_index",
    "edge_weight",
    "node_id",
    "feature_names",
    "name",
    "directed",
    "feature_source",
)


GraphT = TypeVar("GraphT", Data, GraphSet)


def without_labels(data: GraphT) -> GraphT:
    """Return what a self-supervised method may see: features and structure, nothing else.

    The copy is shallow: tensors are shared, and the given graph is not changed. A set of graphs
    loses the classes of its graphs; labels of nodes, which say what a node is, are features there.

    Example:
        >>> from graphrank.data import load
        >>> "y" in without_labels(load("karate"))
        False
    """
    if isinstance(data, GraphSet):
        return replace(data, y=None)
    visible = Data(num_nodes=data.num_nodes)
    for name in _VISIBLE:
        if data.get(name) is not None:
            visible[name] = data[name]
    return visible


def node_ids(data: Data) -> NodeIds:
    """Return the id of every node as the user gave it, or ``0..N-1`` where none were given."""
    ids = data.get("node_id")
    return list(range(data.num_nodes)) if ids is None else list(ids)
