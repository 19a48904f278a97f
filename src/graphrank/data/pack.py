"""Packing own graphs into a set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from scipy import sparse
from torch import Tensor
from torch_geometric.data import Data

from graphrank.data.edges import clean_edges
from graphrank.data.features import canonical_csr, feature_matrix, feature_tensor
from graphrank.data.graphset import GraphSet
from graphrank.data.raw import RawGraph
from graphrank.data.readers.pyg import read_edges
from graphrank.data.validate import check_graph
from graphrank.errors import DataError


def pack(graphs: Sequence[Data], name: str = "graphs", *, directed: bool = False) -> GraphSet:
    """Pack PyG graphs into a set; loops and duplicates go, and each edge goes both ways.

    Args:
        graphs: The graphs, which are not changed; ``x`` and ``node_label`` are kept where all
            have them, ``y`` where it is one class a graph. Edge weights are not kept.
        name: Name of the set.
        directed: Whether to keep directions.

    Raises:
        DataError: If there are no graphs, or one of them cannot be used.
    """
    if not graphs or not all(isinstance(graph, Data) for graph in graphs):
        raise DataError(f"{name} must be a list of PyG Data objects with at least one graph")
    sizes = np.asarray([int(graph.num_nodes or 0) for graph in graphs])
    ptr = np.concatenate([[0], np.cumsum(sizes)])
    raws = [_checked(graph, f"graph {i} of {name}") for i, graph in enumerate(graphs)]
    ends = [
        np.concatenate([part + start for part, start in zip(parts, ptr[:-1], strict=True)])
        for parts in ([raw.row for raw in raws], [raw.col for raw in raws])
    ]
    edges = clean_edges(ends[0], ends[1], None, int(ptr[-1]), directed=directed)
    labels = _common(graphs, "y")
    return GraphSet(
        name,
        edges.edge_index(),
        torch.from_numpy(ptr),
        x=_features(raws, name),
        node_label=_common(graphs, "node_label"),
        y=labels.long() if labels is not None and len(labels) == len(graphs) else None,
    )


def _checked(graph: Data, name: str) -> RawGraph:
    """Return edges and features of one graph, checked."""
    row, col = read_edges(graph, name)
    x = graph.get("x")
    raw = RawGraph(row, col, int(graph.num_nodes or 0), name)
    check_graph(raw)
    if x is None:
        return raw
    matrix = feature_matrix(x)
    if matrix.shape[0] != raw.num_nodes:
        raise DataError(f"{name} has {raw.num_nodes} nodes but {matrix.shape[0]} rows of features")
    return RawGraph(row, col, raw.num_nodes, name, x=matrix)


def _features(raws: Sequence[RawGraph], name: str) -> Tensor | None:
    """Stack the features of all graphs."""
    parts = [raw.x for raw in raws if raw.x is not None]
    if len(parts) < len(raws):
        return None
    if len({part.shape[1] for part in parts}) > 1:
        raise DataError(f"the graphs of {name} differ in their number of features; make them equal")
    dense = [part for part in parts if isinstance(part, np.ndarray)]
    if len(dense) == len(parts):
        return feature_tensor(np.concatenate(dense))
    return feature_tensor(canonical_csr(sparse.vstack([sparse.csr_array(part) for part in parts])))


def _common(graphs: Sequence[Data], key: str) -> Tensor | None:
    """Concatenate an attribute that all graphs have."""
    parts = [graph.get(key) for graph in graphs]
    if any(part is None for part in parts):
        return None
    return torch.cat([part.detach().cpu().reshape(-1) for part in parts])
