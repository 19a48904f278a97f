"""``graphrank ablate``: variants compared on validation, the chosen one confirmed on test."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from graphrank.cli import options
from graphrank.cli.bundles import bundled


@dataclass(frozen=True, kw_only=True)
class AblateRequest:
    """Which variants to compare, on what, and where the figures go."""

    file: Annotated[
        Path, typer.Argument(metavar="VARIANTS.yaml", help="What to compare (docs/ablation.md).")
    ]
    datasets: Annotated[
        list[str] | None,
        typer.Option(help="This dataset in place of the file's; may be repeated."),
    ] = None
    tasks: Annotated[
        list[str] | None, typer.Option(help="This task in place of the file's; may be repeated.")
    ] = None
    variants: Annotated[
        list[str] | None,
        typer.Option(help="Only this variant and the reference; may be repeated."),
    ] = None
    seeds: Annotated[
        int | None, typer.Option(help="Number of seeds, in place of the file's.", min=1)
    ] = None
    first_seed: Annotated[
        int | None, typer.Option(help="The first of them, in place of the file's.", min=0)
    ] = None
    confirm: Annotated[
        str | None,
        typer.Option(
            metavar="VARIANT",
            help="Evaluate this variant and the reference on test, on fresh seeds (--first-seed).",
        ),
    ] = None
    criteria: Annotated[
        bool,
        typer.Option("--criteria", help="How well label-free criteria go with the figures."),
    ] = False
    results: Annotated[
        Path | None,
        typer.Option(
            help="Append a line a seed to this file; seeds in it are not rerun. Default: "
            "VARIANTS.jsonl in the current folder, test figures in VARIANTS.confirmed.jsonl."
        ),
    ] = None
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file.")] = None
    markdown: Annotated[Path | None, typer.Option(help="Write the tables to this file.")] = None
    report: Annotated[Path | None, typer.Option(help="Write an HTML page to this file.")] = None
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the files of --json, --markdown, --report.")
    ] = False
    data_root: options.DataRoot = None

    @property
    def results_file(self) -> Path:
        """Where validation figures go."""
        return self.results or Path(self.file.with_suffix(".jsonl").name)


@bundled
def ablate(context: typer.Context, request: AblateRequest, messages: options.Messages) -> None:
    """Compare variants of methods on validation, over datasets, tasks and seeds.

    For example:

    - `graphrank ablate variants.yaml`: measure what is missing, print the tables
    - `graphrank ablate variants.yaml --variants no-neighbours --datasets cora --seeds 1`
    - `graphrank ablate variants.yaml --criteria`: what tells good variants without labels
    - `graphrank ablate variants.yaml --confirm no-neighbours --first-seed 200`

    Choices are made on validation; `--confirm` shows test figures, once, on fresh seeds. Seeds that
    are stored are not measured again: stop it when you like, and go on later.
    """
    from graphrank.cli.actions.ablate import ablate_variants  # noqa: PLC0415 - imports torch

    messages.apply()
    ablate_variants(request, typed=context.obj, progress=not messages.quiet)
