"""``graphrank reproduce``: the paper's tables and figures, measured and beside the published."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from graphrank.cli import options
from graphrank.cli.bundles import bundled


@dataclass(frozen=True, kw_only=True)
class ReproduceRequest:
    """What to show, what to measure first, and where it goes."""

    item: Annotated[
        str | None,
        typer.Argument(metavar="ITEM", help="Name of an item (`--list`), or all."),
    ] = None
    list_items: Annotated[
        bool, typer.Option("--list", help="Name the items and how much of each there is.")
    ] = False
    budget: Annotated[
        float,
        typer.Option(help="Minutes to spend on missing cells, cheapest first; 0 renders.", min=0),
    ] = 0.0
    datasets: Annotated[
        list[str] | None, typer.Option(help="Only this dataset; may be repeated.")
    ] = None
    methods: Annotated[
        list[str] | None,
        typer.Option(help="Only this method, or one preset of it (name/preset); may be repeated."),
    ] = None
    reading: Annotated[
        list[str] | None,
        typer.Option(help="Only this reading of how a table was measured; may be repeated."),
    ] = None
    seeds: Annotated[
        int | None, typer.Option(help="Number of seeds, in place of the item's own.", min=1)
    ] = None
    jobs: Annotated[
        int,
        typer.Option(
            help="Cells measured at once, each by a process with its share of the threads; what "
            "is timed is measured alone.",
            min=1,
        ),
    ] = 1
    results: Annotated[
        Path, typer.Option(help="Append new lines to this file; all .jsonl beside it are read.")
    ] = Path("results/reproduce.jsonl")
    output: Annotated[Path, typer.Option(help="Folder for the rendered files.")] = Path(
        "reproduced"
    )
    data_root: options.DataRoot = None


@bundled
def reproduce(request: ReproduceRequest, messages: options.Messages) -> None:
    """Measure what is missing of the paper's tables and figures, and render what there is.

    For example:

    - `graphrank reproduce --list`: the items
    - `graphrank reproduce all`: render everything that stored lines allow
    - `graphrank reproduce table-node-classification --datasets cora --methods grace --budget 30`

    Seeds that are stored are not measured again: stop it when you like, and go on later.
    """
    from graphrank.cli.actions.reproduce import reproduce_items  # noqa: PLC0415 - imports torch

    messages.apply()
    reproduce_items(request, progress=not messages.quiet)
