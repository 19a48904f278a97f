"""``graphrank predict-labels``: a class for every node, from the labels of a few."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from graphrank.cli import options
from graphrank.cli.bundles import bundled


@dataclass(frozen=True, kw_only=True)
class LabelRequest:
    """By which method, and where the classes go."""

    output: Annotated[Path, typer.Option(help="File to write: .csv, .tsv or .parquet.")]
    method: Annotated[str, typer.Option(help="Method (`graphrank list methods`).")] = "graphrank"
    preset: options.Preset = "auto"
    settings: options.Settings = None
    seed: Annotated[int | None, typer.Option(help="Seed of everything random.")] = None
    overwrite: options.Overwrite = False


@bundled
def predict_labels(
    source: options.LabelledSource, request: LabelRequest, messages: options.Messages
) -> None:
    """Embed a graph without looking at labels, and learn all classes from the labelled nodes.

    The table has the columns `id`, `label` (the likeliest class), `probability` and `given` (the
    label that you gave, empty where there was none). What is printed tells how well the given
    labels are predicted from each other: that is how far to trust the others.

    For example:

    - `graphrank predict-labels edges.csv --features nodes.csv --labels labels.csv --output all.csv`
    - `graphrank predict-labels cora --output classes.parquet`
    """
    from graphrank.cli.actions.predict_labels import predict  # noqa: PLC0415 - imports torch

    messages.apply()
    predict(source, request, progress=not messages.quiet)
