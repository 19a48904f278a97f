"""``graphrank sweep``: what an option of a method does to figures and geometry."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from graphrank.cli import options
from graphrank.cli.bundles import bundled


@dataclass(frozen=True, kw_only=True)
class SweepRequest:
    """What to sweep, what to measure, and where the figures go."""

    param: Annotated[
        str,
        typer.Option(
            help="Option of the method, or the common name of both views' options, such as "
            "feature_mask (`graphrank list options METHOD`)."
        ),
    ]
    values: Annotated[str, typer.Option(help="Its values, with commas between them.")]
    measure: Annotated[
        str,
        typer.Option(
            help="With commas: accuracy, macro_f1, nmi, ari, intra_class_variance, "
            "inter_class_distance (also with _normalized), outliers, uniformity, effective_rank, "
            "mean_similarity, loss, seconds."
        ),
    ] = "accuracy,intra_class_variance,inter_class_distance"
    method: Annotated[str, typer.Option(help="Method (`graphrank list methods`).")] = "graphrank"
    preset: options.Preset = "auto"
    settings: options.Settings = None
    seeds: Annotated[int, typer.Option(help="Number of seeds of each value.", min=1)] = 3
    first_seed: Annotated[int, typer.Option(help="The first of them.", min=0)] = 0
    results: Annotated[
        Path | None,
        typer.Option(help="Append a line a seed to this file (.jsonl); seeds in it are not rerun."),
    ] = None
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file.")] = None
    output: Annotated[
        Path | None, typer.Option(help="Draw the figures to this file (.png or .svg).")
    ] = None
    report: Annotated[Path | None, typer.Option(help="Write an HTML page to this file.")] = None
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the files of --json, --output, --report.")
    ] = False


@bundled
def sweep(
    context: typer.Context,
    source: options.LabelledSource,
    request: SweepRequest,
    messages: options.Messages,
) -> None:
    """Measure a method at several values of one option: figures and geometry, over seeds.

    For example:

    - `graphrank sweep cora --param margin --values 0,0.01,0.1,1,10 --output margin.png`
    - `graphrank sweep digits --param negatives --values 1,4,16,64 --measure accuracy,seconds`
    - `graphrank sweep cora --param feature_mask --values 0,0.2,0.4 --report mask.html`

    With `--results` a sweep that was stopped goes on where it was.
    """
    from graphrank.cli.actions.sweep import sweep_graph  # noqa: PLC0415 - imports torch

    messages.apply()
    sweep_graph(source, request, typed=context.obj, progress=not messages.quiet)
