"""``graphrank evaluate``: how good embeddings are at a task, beside the controls."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from graphrank.cli import options
from graphrank.cli.bundles import bundled


@dataclass(frozen=True, kw_only=True)
class EvaluateRequest:
    """What to measure, how, and where the figures go."""

    task: Annotated[str, typer.Option(help="Task (`graphrank list tasks`).")] = (
        "node-classification"
    )
    method: Annotated[
        list[str] | None,
        typer.Option(
            help="Method; may be repeated, default graphrank. The preset is the "
            "first one's, but `--preset authors` and `auto` are for all."
        ),
    ] = None
    preset: options.Preset = "auto"
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Option of the first method, or METHOD.NAME=VALUE of another one "
            "(`graphrank list options METHOD`); may be repeated.",
        ),
    ] = None
    protocol: Annotated[
        str | None, typer.Option(help="Protocol; by default the usual one of the dataset.")
    ] = None
    seeds: Annotated[int, typer.Option(help="Number of seeds.", min=1)] = 5
    first_seed: Annotated[int, typer.Option(help="The first of them.", min=0)] = 0
    probe: Annotated[
        str | None,
        typer.Option(
            help="For node classification: logistic (default), logistic-rows, adam, plain or "
            "plain-dropout."
        ),
    ] = None
    scorer: Annotated[
        str | None,
        typer.Option(
            help="For link prediction: dot, cosine, centred-dot, centred-cosine, degree-cosine, "
            "degree-centred-cosine, flat-cosine, white-cosine, auto, the best of them on "
            "validation, or blend (default), several of them weighed on validation."
        ),
    ] = None
    kernel: Annotated[
        str | None,
        typer.Option(
            help="For graph classification: rbf or linear, or auto (default), as suits the method."
        ),
    ] = None
    epoch_selection: Annotated[str, typer.Option(help="fixed or validation.")] = "fixed"
    controls: Annotated[
        bool, typer.Option("--controls/--no-controls", help="Measure the controls as well.")
    ] = True
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file.")] = None
    results: Annotated[
        Path | None,
        typer.Option(help="Append a line a seed to this file (.jsonl); seeds in it are not rerun."),
    ] = None
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file of --json.")] = (
        False
    )

    @property
    def task_options(self) -> dict[str, str]:
        """Options of the task that were given."""
        given = {"probe": self.probe, "scorer": self.scorer, "kernel": self.kernel}
        return {name: value for name, value in given.items() if value is not None}


@bundled
def evaluate(
    source: options.LabelledSource, request: EvaluateRequest, messages: options.Messages
) -> None:
    """Measure methods on a task: mean and standard deviation over seeds, beside the controls.

    For example:

    - `graphrank evaluate cora --task node-classification --seeds 5 --json out.json`
    - `graphrank evaluate digits --task clustering --method graphrank --preset paper`
    - `graphrank evaluate cora --method graphrank --method grace --method bgrl`
    - `graphrank evaluate cora --method grace --method bgrl --set bgrl.epochs=50`
    - `graphrank evaluate mutag --task graph-classification`
    - `graphrank evaluate edges.csv --features nodes.csv --task node-classification`
    """
    from graphrank.cli.actions.evaluate import evaluate_graph  # noqa: PLC0415 - imports torch

    messages.apply()
    evaluate_graph(source, request, progress=not messages.quiet)
