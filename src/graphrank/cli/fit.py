"""``graphrank fit``: train a method on a graph and keep the model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from graphrank.cli import options
from graphrank.cli.bundles import bundled


@dataclass(frozen=True, kw_only=True)
class FitRequest:
    """What to train, and where to keep it."""

    method: Annotated[str, typer.Option(help="Method (`graphrank list methods`).")] = "graphrank"
    level: Annotated[
        str | None,
        typer.Option(help="What to embed: node, or graph for a set; default the method's."),
    ] = None
    preset: options.Preset = "auto"
    settings: options.Settings = None
    dimensions: Annotated[
        int | None,
        typer.Option(help="Numbers a node, of GraphRank; default all that it reads out."),
    ] = None
    seed: Annotated[int | None, typer.Option(help="Seed of everything random.")] = None
    device: Annotated[str | None, typer.Option(help="auto, cpu, cuda or cuda:N.")] = None
    output: Annotated[Path, typer.Option(help="Folder of the model.")] = Path("model")
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the checkpoint in the output folder.")
    ] = False
    overwrite: options.Overwrite = False


@bundled
def fit(
    context: typer.Context,
    source: options.LabelledSource,
    request: FitRequest,
    messages: options.Messages,
) -> None:
    """Train a method on a graph or a set of graphs, without labels, and keep the model.

    For example:

    - `graphrank fit cora --output model`
    - `graphrank fit edges.csv --features nodes.csv --output model`
    - `graphrank fit edges.csv --dimensions 256 --output model`
    - `graphrank fit mygraphs.jsonl --level graph --output model`
    - `graphrank fit cora --set epochs=100 --set encoder=gcn --seed 1 --output model-gcn`

    Ctrl-C saves a checkpoint; the same command with `--resume` goes on from it.
    """
    from graphrank.cli.actions.fit import fit_graph  # noqa: PLC0415 - imports torch

    messages.apply()
    fit_graph(source, request, typed=context.obj, progress=not messages.quiet)
