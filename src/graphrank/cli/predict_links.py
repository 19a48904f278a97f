"""``graphrank predict-links``: which nodes should be joined, by a trained model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from graphrank.cli import options
from graphrank.cli.bundles import bundled


@dataclass(frozen=True, kw_only=True)
class PredictRequest:
    """Which links are asked for, how they are scored, and where they go."""

    node: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Node to find new neighbours for; may be repeated."),
    ] = None
    all_nodes: Annotated[
        bool, typer.Option("--all", help="Find new neighbours for every node; needs --output.")
    ] = False
    pairs: Annotated[
        Path | None,
        typer.Option(help="Table of pairs to score: the columns source and target, or the first."),
    ] = None
    top: Annotated[int, typer.Option(help="Number of neighbours for each node.", min=1)] = 10
    include_known: Annotated[
        bool, typer.Option("--include-known", help="Show neighbours that a node already has.")
    ] = False
    scorer: Annotated[
        str,
        typer.Option(
            help="cosine, dot, centred-dot, centred-cosine, degree-cosine, degree-centred-cosine, "
            "flat-cosine or white-cosine (docs/evaluation.md)."
        ),
    ] = "cosine"
    output: Annotated[Path | None, typer.Option(help="File to write: .csv, .tsv or .parquet.")] = (
        None
    )
    overwrite: options.Overwrite = False


@bundled
def predict_links(
    model: Annotated[Path, typer.Argument(metavar="MODEL_DIR", help="Folder that `fit` wrote.")],
    source: options.GraphSource,
    request: PredictRequest,
    messages: options.Messages,
) -> None:
    """Find the nodes that a node should be joined to, or score pairs of nodes.

    The higher a score, the likelier the link; neighbours that a node already has are left out.
    Tables have the columns `source`, `target` and `score`, with the ids of your data; and `rank`,
    1 for the likeliest, or with `--pairs` `known`, whether there is such an edge.

    For example:

    - `graphrank predict-links model edges.csv --features nodes.csv --node ann --top 10`
    - `graphrank predict-links model edges.csv --features nodes.csv --pairs pairs.csv`
    - `graphrank predict-links model cora --all --top 5 --output links.parquet`
    """
    from graphrank.cli.actions.predict_links import predict  # noqa: PLC0415 - imports torch

    messages.apply()
    predict(model, source, request, progress=not messages.quiet)
