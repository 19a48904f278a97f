"""Graphs of networkx."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from graphrank.data.columns import LABEL_NAMES
from graphrank.data.labels import encode_labels, known_labels
from graphrank.data.raw import FloatArray, IntArray, NodeIds, RawGraph
from graphrank.errors import DataError

_LOGGER = logging.getLogger("graphrank")

NetworkxGraph: TypeAlias = Any
Attributes: TypeAlias = Sequence[Mapping[str, Any]]


def is_networkx(source: object) -> bool:
    """Tell whether ``source`` is a graph of networkx, without importing it."""
    return any(kind.__module__.startswith("networkx.") for kind in type(source).__mro__)


def read_networkx(graph: NetworkxGraph, name: str | None = None) -> RawGraph:
    """Read nodes in their order, edges, ``weight`` and numeric node attributes.

    An attribute that every node has becomes a feature if it is a number. One that is called label,
    class, y or target holds the labels, of all nodes or of some. Others are left out, which the log
    says.

    Args:
        graph: A graph, directed or not, with or without parallel edges.
        name: How the graph is called; by default ``graph.name``.
    """
    nodes = list(graph.nodes)
    position = {node: i for i, node in enumerate(nodes)}
    ends = [(position[u], position[v]) for u, v in graph.edges()]
    row, col = np.asarray(ends, dtype=np.int64).reshape(-1, 2).T
    weights = [weight for _, _, weight in graph.edges(data="weight")]
    weight = _weight(weights, name or "the graph")
    if not graph.is_directed():
        row, col = np.concatenate([row, col]), np.concatenate([col, row])
        weight = None if weight is None else np.tile(weight, 2)
    attributes = [graph.nodes[node] for node in nodes]
    label, features = _sort_attributes(attributes)
    y, class_names = _labels(attributes, label)
    return RawGraph(
        row,
        col,
        len(nodes),
        name or graph.name or "graph",
        weight=weight,
        x=_features(attributes, features),
        y=y,
        class_names=class_names,
        node_id=_ids(nodes),
        feature_names=features or None,
    )


def _weight(given: list[Any], where: str) -> FloatArray | None:
    """Return the weights if any edge has one; edges without count one."""
    if all(value is None for value in given):
        return None
    try:
        return np.asarray([1.0 if value is None else float(value) for value in given])
    except (ValueError, TypeError) as error:
        raise DataError(f"{where} has edge weights that are no numbers; mend them") from error


def _sort_attributes(attributes: Attributes) -> tuple[str | None, list[str]]:
    """Return the attribute with the labels and those that are features."""
    if not attributes:
        return None, []
    every = list(dict.fromkeys(name for node in attributes for name in node))
    common = [name for name in every if all(name in node for node in attributes)]
    # Labels may be known of few nodes; an attribute of all nodes goes before one of some.
    label = next((n for n in (*common, *every) if str(n).casefold() in LABEL_NAMES), None)
    features = [name for name in common if name != label and _is_numeric(attributes, name)]
    left_out = sorted(str(name) for name in set(every) - {label, *features})
    if left_out:
        _LOGGER.info("node attributes left out, not numeric or not on all: %s", ", ".join(left_out))
    return label, features


def _is_numeric(attributes: Attributes, name: str) -> bool:
    """Tell whether all nodes have a number there."""
    return all(isinstance(node[name], Real | np.number) for node in attributes)


def _features(attributes: Attributes, names: Sequence[str]) -> FloatArray | None:
    """Return the numeric attributes as a table."""
    if not names:
        return None
    return np.asarray([[node[name] for name in names] for node in attributes], dtype=np.float32)


def _labels(attributes: Attributes, name: str | None) -> tuple[IntArray | None, list[str] | None]:
    """Return the numbered classes."""
    if name is None:
        return None, None
    return encode_labels(known_labels(node.get(name) for node in attributes))


def _ids(nodes: Sequence[Any]) -> NodeIds:
    """Return the nodes as ids: whole numbers if all are, else text."""
    if all(isinstance(node, int) and not isinstance(node, bool) for node in nodes):
        return list(nodes)
    return [str(node) for node in nodes]
