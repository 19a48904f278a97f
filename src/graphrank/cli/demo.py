"""``graphrank demo``: from a graph to a report, on data that is always there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from graphrank.cli import options
from graphrank.cli.bundles import bundled


@dataclass(frozen=True, kw_only=True)
class DemoRequest:
    """Where the report goes, and how much is run for it."""

    output: Annotated[Path, typer.Option(help="HTML report to write.")] = Path("demo-report.html")
    seeds: Annotated[int, typer.Option(help="Number of seeds.", min=1)] = 3
    settings: options.Settings = None
    open_page: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the report in a browser.")
    ] = False


@bundled
def demo(request: DemoRequest, messages: options.Messages) -> None:
    """Train GraphRank on 1,797 handwritten digits, judge it, write a report; about a minute.

    A report of an earlier demo at the same path is replaced.

    Example: `graphrank demo --open`
    """
    from graphrank.cli.actions.demo import run_demo  # noqa: PLC0415 - imports torch

    messages.apply()
    run_demo(request, progress=not messages.quiet)
