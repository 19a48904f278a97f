"""``graphrank cluster``: groups of nodes in a graph that has no labels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from graphrank.cli import options
from graphrank.cli.bundles import bundled


@dataclass(frozen=True, kw_only=True)
class ClusterRequest:
    """How many clusters, by which method, and where they go."""

    k: Annotated[int, typer.Option("--k", "--clusters", help="Number of clusters.", min=2)]
    output: Annotated[Path, typer.Option(help="File to write: .csv, .tsv or .parquet.")]
    method: Annotated[str, typer.Option(help="Method (`graphrank list methods`).")] = "graphrank"
    preset: options.Preset = "auto"
    settings: options.Settings = None
    seed: Annotated[int | None, typer.Option(help="Seed of everything random.")] = None
    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            help="k-means on the embedding as it is, in place of a Gaussian mixture on its leading "
            "directions, smoothed over the graph.",
        ),
    ] = False
    overwrite: options.Overwrite = False


@bundled
def cluster(
    source: options.GraphSource, request: ClusterRequest, messages: options.Messages
) -> None:
    """Embed a graph, without looking at labels, and divide its nodes into clusters.

    The table has the columns `id` and `cluster`; clusters are numbered from 0, the largest first.

    For example:

    - `graphrank cluster edges.csv --features nodes.csv --k 8 --output clusters.csv`
    - `graphrank cluster karate --k 2 --method smoothing --output clusters.csv`
    """
    from graphrank.cli.actions.cluster import cluster_graph  # noqa: PLC0415 - imports torch

    messages.apply()
    cluster_graph(source, request, progress=not messages.quiet)
