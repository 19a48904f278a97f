"""Make an HTML page of stored results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graphrank.cli.console import output
from graphrank.errors import GraphRankError
from graphrank.files import refuse_existing, write_text
from graphrank.report.html import render, results_page
from graphrank.results.store import read


def write_report(files: Sequence[Path], path: Path, *, overwrite: bool) -> None:
    """Read all results and write one page.

    Raises:
        GraphRankError: If there are no results, or the page may not be written.
    """
    refuse_existing(path, overwrite=overwrite)
    results = read(files)
    if not results:
        named = ", ".join(map(str, files))
        raise GraphRankError(f"there is no result in {named}; evaluate with --results first")
    page = results_page(results)
    write_text(path, render(page))
    tables = len(page.sections)
    output().print(
        f"{len(results)} results in {tables} table{'s' * (tables != 1)}: {path}",
        markup=False,
        soft_wrap=True,
    )
