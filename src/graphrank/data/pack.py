"""Packing own graphs into a set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import torch
from scipy import sparse
from torch import Tensor
from torch_geometric.data import Data

from graphrank.data.edges import clean_edges
from graphrank.data.features import canonical_csr, feature_matrix, feature_tensor
from graphrank.data.graphset import GraphSet
from graphrank.data.labels import encode_labels
from graphrank.data.raw import FeatureMatrix, RawGraph
from graphrank.data.readers.graph_keys import CLASS_NAMES
from graphrank.data.readers.nx import is_networkx, read_networkx
from graphrank.data.readers.pyg import read_edges
from graphrank.data.validate import check_features, check_graph
from graphrank.errors import DataError

NetworkxGraph: TypeAlias = Any


@dataclass(frozen=True)
class Member:
    """One graph of a set, as a file or an object holds it.

    Attributes:
        raw: Its edges and features.
        y: Its class, or None.
        id: Its id, or None.
        node_label: Label of every node, whole numbers or text, or None.
    """

    raw: RawGraph
    y: int | str | None = None
    id: int | str | None = None
    node_label: Sequence[int] | Sequence[str] | None = None


def pack(
    graphs: Sequence[Data | NetworkxGraph], name: str = "graphs", *, directed: bool = False
) -> GraphSet:
    """Pack graphs into a set; loops and duplicates go, and each edge goes both ways.

    Args:
        graphs: PyG or networkx graphs, which are not changed. Of PyG ones ``x`` and ``node_label``
            are kept where all have them, ``y`` where it is one class a graph, and ``graph_id``; of
            networkx ones the node attributes that :func:`graphrank.data.load` would keep, ``y``
            and ``id`` of the graph itself. Edge weights are not kept.
        name: Name of the set.
        directed: Whether to keep directions.

    Raises:
        DataError: If there are no graphs, or one of them cannot be used.
    """
    if not all(isinstance(graph, Data) or is_networkx(graph) for graph in graphs):
        raise DataError(f"{name} must be a list of PyG Data objects or of networkx graphs")
    members = [
        _from_pyg(graph, f"graph {i} of {name}")
        if isinstance(graph, Data)
        else _from_networkx(graph, f"graph {i} of {name}")
        for i, graph in enumerate(graphs)
    ]
    return pack_members(members, name, directed=directed)


def pack_members(members: Sequence[Member], name: str, *, directed: bool = False) -> GraphSet:
    """Check graphs and pack them into a set; what not all of them have is left out."""
    if not members:
        raise DataError(f"{name} has no graphs; give it at least one graph")
    raws = [member.raw for member in members]
    for raw in raws:
        check_graph(replace(raw, x=None))  # features may be constant in one graph, not in all
    ptr = np.concatenate([[0], np.cumsum([raw.num_nodes for raw in raws])])
    ends = [
        np.concatenate([part + start for part, start in zip(parts, ptr[:-1], strict=True)])
        for parts in ([raw.row for raw in raws], [raw.col for raw in raws])
    ]
    edges = clean_edges(ends[0], ends[1], None, int(ptr[-1]), directed=directed)
    node_label, label_names = _node_labels(members)
    return GraphSet(
        name,
        edges.edge_index(),
        torch.from_numpy(ptr),
        x=_features(raws, name),
        node_label=node_label,
        y=_classes(members),
        graph_id=_ids(members, name),
        label_names=label_names,
    )


def _from_pyg(graph: Data, name: str) -> Member:
    """Take from a PyG graph what a set can hold."""
    row, col = read_edges(graph, name)
    raw = RawGraph(row, col, int(graph.num_nodes or 0), name)
    if graph.get("x") is not None:
        matrix = feature_matrix(graph.x)
        if matrix.shape[0] != raw.num_nodes:
            raise DataError(
                f"{name} has {raw.num_nodes} nodes but {matrix.shape[0]} rows of features"
            )
        raw = replace(raw, x=matrix)
    y, labels = graph.get("y"), graph.get("node_label")
    is_class = y is not None and torch.as_tensor(y).numel() == 1
    return Member(
        raw,
        y=int(torch.as_tensor(y)) if is_class else None,
        id=graph.get("graph_id"),
        node_label=None if labels is None else torch.as_tensor(labels).flatten().tolist(),
    )


def _from_networkx(graph: NetworkxGraph, name: str) -> Member:
    """Take from a networkx graph what a set can hold."""
    raw = read_networkx(graph, name)
    names = raw.class_names
    complete = raw.y is not None and bool((raw.y >= 0).all())
    labels = raw.y.tolist() if raw.y is not None and complete else None
    if labels is not None and names is not None:
        labels = [names[label] for label in labels]
    y = next((graph.graph[name] for name in CLASS_NAMES if name in graph.graph), None)
    return Member(
        replace(raw, y=None, class_names=None),
        y=y if isinstance(y, str) or y is None else int(y),
        id=graph.graph.get("id"),
        node_label=labels,
    )


def _features(raws: Sequence[RawGraph], name: str) -> Tensor | None:
    """Stack the features of all graphs."""
    parts = [raw.x for raw in raws if raw.x is not None]
    if len(parts) < len(raws):
        return None
    if len({part.shape[1] for part in parts}) > 1:
        raise DataError(f"the graphs of {name} differ in their number of features; make them equal")
    parts = [_in_columns_of(raws[0], raw, part) for raw, part in zip(raws, parts, strict=True)]
    dense = [part for part in parts if isinstance(part, np.ndarray)]
    stacked: FeatureMatrix
    if len(dense) == len(parts):
        stacked = np.concatenate(dense)
    else:
        stacked = canonical_csr(sparse.vstack([sparse.csr_array(part) for part in parts]))
    check_features(stacked, name)
    return feature_tensor(stacked)


def _in_columns_of(first: RawGraph, raw: RawGraph, x: FeatureMatrix) -> FeatureMatrix:
    """The features of ``raw``, named columns in the order that they have in the first graph."""
    names, wanted = raw.feature_names, first.feature_names
    if names is None or wanted is None or names == wanted:
        return x
    if set(names) != set(wanted):
        odd = sorted(set(names) ^ set(wanted))[0]
        raise DataError(
            f"{raw.name} and {first.name} do not have the same node attributes ({odd!r}); "
            "give all graphs the same"
        )
    return x[:, [names.index(name) for name in wanted]]


def _node_labels(members: Sequence[Member]) -> tuple[Tensor | None, list[str]]:
    """Number the node labels of all graphs through, and say what the numbers stand for."""
    parts = [member.node_label for member in members if member.node_label is not None]
    if len(parts) < len(members):
        return None, []
    for member, part in zip(members, parts, strict=True):
        if len(part) != member.raw.num_nodes:
            raise DataError(
                f"{member.raw.name} has {member.raw.num_nodes} nodes but {len(part)} node labels; "
                "give one for each node"
            )
    texts = [str(label) for part in parts for label in part]
    if "" in texts:
        raise DataError("a node label is empty; give each node one or leave them all out")
    codes, names = encode_labels(texts)
    return torch.from_numpy(codes), names or []


def _classes(members: Sequence[Member]) -> Tensor | None:
    """The class of every graph: numbers as they are, texts numbered in their order."""
    given = [member.y for member in members if member.y is not None]
    if len(given) < len(members):
        return None
    if any(isinstance(y, str) for y in given):
        return torch.from_numpy(encode_labels([str(y) for y in given])[0])
    return torch.tensor(given, dtype=torch.long)


def _ids(members: Sequence[Member], name: str) -> list[int] | list[str]:
    """The id of every graph where all have one, as text unless all are whole numbers."""
    given = [member.id for member in members if member.id is not None]
    if len(given) < len(members):
        return []
    if len(set(map(str, given))) < len(given):
        raise DataError(f"two graphs of {name} have the same id; give each its own")
    numbers = [each for each in given if isinstance(each, int)]
    return numbers if len(numbers) == len(given) else [str(each) for each in given]
