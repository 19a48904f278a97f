"""The graph that a command was given."""

from __future__ import annotations

from torch_geometric.data import Data

from graphrank.cli.options import GraphSource, LabelledSource
from graphrank.data import ColumnNames, GraphSet, load
from graphrank.errors import DataError
from graphrank.methods.info import Level
from graphrank.terminal import status


def load_source(source: GraphSource, *, progress: bool) -> Data | GraphSet:
    """Load one graph or a set of graphs; what was found and mended goes to the log.

    Args:
        source: where it comes from.
        progress: say on a terminal that it is being loaded.

    Raises:
        DataError: If it cannot be used.
    """
    with status(f"loading {source.graph}", progress):
        return load(
            source.graph,
            features=source.features,
            labels=source.labels if isinstance(source, LabelledSource) else None,
            directed=source.directed,
            weighted=not source.unweighted,
            data_root=source.data_root,
            columns=_columns(source),
        )


def load_graph(source: GraphSource, *, progress: bool) -> Data:
    """Load one graph, for commands that are about its nodes.

    Raises:
        DataError: If it cannot be used, or is a set of graphs.
    """
    graph = load_source(source, progress=progress)
    if isinstance(graph, GraphSet):
        raise DataError(
            f"{graph.name} is a set of {len(graph):,} graphs and this command takes one graph; "
            "see `graphrank list datasets` for those of level node"
        )
    return graph


def load_of_level(source: GraphSource, level: Level, *, progress: bool) -> Data | GraphSet:
    """Load what a method of a level embeds: one graph, or a set of graphs.

    Raises:
        DataError: If it cannot be used, or is the other of both.
    """
    graph = load_source(source, progress=progress)
    if isinstance(graph, GraphSet) and level == "node":
        raise DataError(
            f"{graph.name} is a set of {len(graph):,} graphs and the method embeds the nodes of "
            "one; fit with --level graph to embed whole graphs"
        )
    if not isinstance(graph, GraphSet) and level == "graph":
        raise DataError(
            f"{graph.name} is one graph and the method embeds whole graphs of a set; fit with "
            "--level node to embed its nodes"
        )
    return graph


def _columns(source: GraphSource) -> ColumnNames:
    return ColumnNames(
        source=source.source_column,
        target=source.target_column,
        weight=source.weight_column,
        id=source.id_column,
        label=source.label_column,
        exclude=tuple(source.exclude_column or ()),
        header=source.header,
        bipartite=source.bipartite,
    )


def in_words(data: Data | GraphSet) -> str:
    """The name of a graph or a set, and how large it is."""
    if isinstance(data, GraphSet):
        edges = f"{data.edge_index.size(1):,} edge entries"
        return f"{data.name}: {len(data):,} graphs, {data.num_nodes:,} nodes, {edges}"
    return f"{data.name}: {data.num_nodes:,} nodes, {edges_in_words(data)} edges"


def edges_in_words(data: Data) -> str:
    """The number of edges, each undirected one counted once."""
    if data.get("directed"):
        return f"{data.num_edges:,} directed"
    return f"{data.num_edges // 2:,} undirected"
