"""The one place where a graph as read becomes a PyG graph as the package expects it."""

from __future__ import annotations

import logging

import torch
from torch_geometric.data import Data

from graphrank.data.edges import CleanEdges, clean_edges
from graphrank.data.features import feature_tensor
from graphrank.data.labels import without_placeholder
from graphrank.data.raw import IntArray, RawGraph
from graphrank.data.report import make_report
from graphrank.data.structural import structural_features
from graphrank.data.validate import check_graph

_LOGGER = logging.getLogger("graphrank")


def assemble(raw: RawGraph, *, directed: bool = False, structural: bool = True) -> Data:
    """Check and clean ``raw``, add structural features where there are none, and say so in the log.

    Args:
        raw: The graph as read.
        directed: Whether to keep directions; False adds the opposite of every edge.
        structural: Whether a graph without features gets structural ones.

    Returns:
        The graph in the form described in :func:`graphrank.data.load`.

    Raises:
        DataError: If something has to be mended by the user.
    """
    check_graph(raw)
    edges = clean_edges(raw.row, raw.col, raw.weight, raw.num_nodes, directed=directed)
    data = Data(edge_index=edges.edge_index(), num_nodes=raw.num_nodes)
    weight = edges.edge_weight()
    if weight is not None:
        data.edge_weight = weight
    data.name = raw.name
    data.directed = directed
    data.feature_source = _add_features(data, raw, edges, structural=structural)
    _add_node_tables(data, raw)
    data.load_report = make_report(edges, directed=directed, feature_source=data.feature_source)
    _LOGGER.info("%s: %s", raw.name, data.load_report)
    return data


def _add_features(data: Data, raw: RawGraph, edges: CleanEdges, *, structural: bool) -> str:
    """Set ``x`` and ``feature_names``; return where the features come from."""
    names = raw.feature_names
    source = "given"
    if raw.x is not None:
        data.x = feature_tensor(raw.x)
    elif structural:
        x, names = structural_features(edges.adjacency)
        data.x = torch.from_numpy(x)
        source = "structural"
        _LOGGER.info("%s: no features given, using %d structural ones", raw.name, x.shape[1])
    else:
        source = "none"
    if names is not None:
        data.feature_names = names
    return source


def _add_node_tables(data: Data, raw: RawGraph) -> None:
    """Set labels, class names, ids and masks where there are any."""
    if raw.y is not None:
        y, class_names = without_placeholder(raw.y, raw.class_names, raw.name)
        data.y = torch.from_numpy(y)
        if class_names is not None:
            data.class_names = class_names
        _say_how_many_are_labelled(y, raw.name)
    if raw.node_id is not None:
        data.node_id = raw.node_id
    if raw.kind is not None and raw.kind_names is not None:
        data.node_kind, data.kind_names = torch.from_numpy(raw.kind), list(raw.kind_names)
        counts = [f"{(raw.kind == at).sum():,} {name}" for at, name in enumerate(raw.kind_names)]
        _LOGGER.info("%s: nodes of two kinds: %s", raw.name, ", ".join(counts))
    for name, mask in raw.masks.items():
        data[name] = torch.from_numpy(mask)


def _say_how_many_are_labelled(y: IntArray, name: str) -> None:
    """Log what would be odd to learn from a poor figure: that few nodes have a label."""
    known = y[y >= 0]
    if len(known) < len(y):
        classes = len(set(known.tolist()))
        _LOGGER.info(
            "%s: %d of %d nodes have a label, %d classes", name, len(known), len(y), classes
        )
