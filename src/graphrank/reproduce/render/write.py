"""Write items into a folder, in every format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from graphrank.files import write_text
from graphrank.report.html import render
from graphrank.report.plots import to_svg
from graphrank.reproduce.claims import Finding
from graphrank.reproduce.render.document import Rendered
from graphrank.reproduce.render.pages import html_page, markdown_page
from graphrank.reproduce.render.text import csv_text, latex_table

REPORT, CLAIMS = "report.html", "claims.csv"


def write_items(
    rendered: Sequence[Rendered],
    folder: Path,
    claims: Mapping[str, Sequence[Finding]] | None = None,
) -> list[Path]:
    """Markdown, CSV, LaTeX and figures of each item, and one HTML page of all.

    Args:
        rendered: the items.
        folder: where the files go.
        claims: how the claims of each item stand, by its name.

    Returns:
        The files that were written, the page first.
    """
    claims = claims or {}
    files: dict[Path, str] = {folder / REPORT: render(html_page(rendered, claims))}
    if claims:
        every = [asdict(each) for found in claims.values() for each in found]
        files[folder / CLAIMS] = csv_text(every)
    for each in rendered:
        name = each.item.name
        files[folder / f"{name}.md"] = markdown_page(each, claims.get(name, ()))
        files[folder / f"{name}.csv"] = csv_text(each.records)
        files[folder / f"{name}.tex"] = _latex(each)
        for part in each.parts:
            for plot in part.plots:
                files[folder / f"{plot.name}.svg"] = to_svg(plot.draw())
    for path, text in files.items():
        write_text(path, text)
    return list(files)


def _latex(rendered: Rendered) -> str:
    tables = [table for part in rendered.parts for table in part.tables]
    name = rendered.item.name
    return (
        "\n\n".join(latex_table(table, f"{name}-{at}") for at, table in enumerate(tables, 1)) + "\n"
    )
