"""The graph that a command was given."""

from __future__ import annotations

from torch_geometric.data import Data

from graphrank.cli.options import GraphSource, LabelledSource
from graphrank.data import ColumnNames, GraphSet, load
from graphrank.errors import DataError


def load_graph(source: GraphSource) -> Data:
    """Load one graph; what was found and mended goes to the log.

    Raises:
        DataError: If it cannot be used, or is a set of graphs.
    """
    graph = load(
        source.graph,
        features=source.features,
        labels=source.labels if isinstance(source, LabelledSource) else None,
        directed=source.directed,
        data_root=source.data_root,
        columns=_columns(source),
    )
    if isinstance(graph, GraphSet):
        raise DataError(
            f"{graph.name} is a set of {len(graph):,} graphs and this command takes one graph; "
            "see `graphrank list datasets` for those of level node"
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
    )


def edges_in_words(data: Data) -> str:
    """The number of edges, each undirected one counted once."""
    if data.get("directed"):
        return f"{data.num_edges:,} directed"
    return f"{data.num_edges // 2:,} undirected"
