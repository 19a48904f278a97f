"""Divide the nodes of a graph into clusters, and say how good they are without labels."""

from __future__ import annotations

import math

import pandas as pd
import torch
from torch import Tensor
from torch_geometric.data import Data

from graphrank.cli.actions.graph import load_graph
from graphrank.cli.actions.method import requested_method
from graphrank.cli.actions.table_files import check_table, write_table
from graphrank.cli.cluster import ClusterRequest
from graphrank.cli.console import only_warnings, output
from graphrank.cli.options import GraphSource
from graphrank.data import node_ids
from graphrank.errors import ConfigError
from graphrank.report.tables import Cell, TextTable, for_terminal
from graphrank.tasks.clustering import kmeans, mixture, modularity, silhouette
from graphrank.terminal import status
from graphrank.training.loop import Run

_SHOWN = 20


def cluster_graph(source: GraphSource, request: ClusterRequest, *, progress: bool) -> None:
    """Check the request, fit without labels, cluster, write, and show sizes and quality."""
    method = requested_method(request, source.graph)
    check_table(request.output, overwrite=request.overwrite)
    data = load_graph(source, progress=progress)
    if request.k > data.num_nodes:
        raise ConfigError(
            f"the graph has {data.num_nodes:,} nodes, too few for {request.k:,} clusters; choose "
            "a smaller --k"
        )
    with only_warnings():
        embedding = method.fit(data, run=Run(progress=progress)).embedding_
    with status(f"dividing the nodes into {request.k} clusters", progress):
        if request.plain:
            clusters = by_size(kmeans(embedding, request.k, method.seed))
        else:
            clusters = by_size(mixture(embedding, data, request.k, method.seed))
        summary = _summary(data, embedding, clusters, request)
    write_table(request.output, pd.DataFrame({"id": node_ids(data), "cluster": clusters.numpy()}))
    output().print(for_terminal(summary))


def by_size(clusters: Tensor) -> Tensor:
    """Number clusters anew ``[nodes]``, the largest first, of equal ones the lower number."""
    sizes = torch.bincount(clusters)
    order = sizes.argsort(descending=True, stable=True)
    rank = torch.empty_like(order)
    rank[order] = torch.arange(len(order))
    return rank[clusters]


def _summary(data: Data, embedding: Tensor, clusters: Tensor, request: ClusterRequest) -> TextTable:
    """Sizes as rows; silhouette and modularity below."""
    sizes = torch.bincount(clusters).tolist()
    rows = tuple(
        (Cell(str(number)), Cell(f"{size:,}"), Cell(f"{size / len(clusters):.1%}"))
        for number, size in enumerate(sizes[:_SHOWN])
    )
    more = len(sizes) - _SHOWN
    near = silhouette(embedding, clusters, seed=0)
    inside = modularity(data.edge_index, clusters, data.get("edge_weight"))
    notes = (
        *((f"and {more:,} smaller clusters",) * (more > 0)),
        f"silhouette {'–' if math.isnan(near) else f'{near:.3f}'} (-1 to 1, of the embedding)",
        f"modularity {inside:.3f} (of the graph; 0: no better than chance)",
        f"written to {request.output}",
    )
    title = f"{request.k} clusters of {data.name}"
    return TextTable(title, ("cluster", "nodes", "share"), rows, words=0, notes=notes)
