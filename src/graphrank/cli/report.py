"""``graphrank report``: tables of stored results as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphrank.cli import options


def report(
    results: Annotated[
        list[Path],
        typer.Argument(metavar="RESULTS...", help="Files that `evaluate --results` wrote."),
    ],
    output: Annotated[Path, typer.Option(help="HTML file to write.")] = Path("report.html"),
    overwrite: options.Overwrite = False,
) -> None:
    """Make one self-contained HTML page of result files: tables, configurations, environments.

    Example: `graphrank report results/*.jsonl --output report.html`
    """
    from graphrank.cli.actions.report import write_report  # noqa: PLC0415 - imports torch

    write_report(results, output, overwrite=overwrite)
