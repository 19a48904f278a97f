"""A table as Markdown, as LaTeX with booktabs, and records as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from graphrank.report.tables import Cell, TextTable
from graphrank.reproduce.render.document import Record

_ONE_PAGE = 40  # rows; a floating table of more runs off its page
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "≈": r"$\approx$",
    "▲": r"$\blacktriangle$",
    "▼": r"$\blacktriangledown$",
    "◇": r"$\diamond$",
    "·": r"$\cdot$",
    "×": r"$\times$",
    "–": "--",
    "²": r"$^2$",
}


def markdown_table(table: TextTable) -> str:
    """A table with its title above and its notes below."""
    lines = [_markdown_row(table.columns)]
    lines.append(
        _markdown_row(
            ["---" if place < table.words else "---:" for place in range(len(table.columns))]
        )
    )
    for row in table.rows:
        lines.append(_markdown_row([_markdown_cell(cell) for cell in row]))
    parts = [f"**{table.title}**"] if table.title else []
    parts.append("\n".join(lines))
    parts += [f"_{note}_" for note in table.notes]
    return "\n\n".join(parts)


def _markdown_row(texts: Sequence[str]) -> str:
    return "| " + " | ".join(text.replace("|", r"\|") for text in texts) + " |"


def _markdown_cell(cell: Cell) -> str:
    text = cell.text.replace("*", r"\*").replace("\n", "<br>")
    return f"**{text}**" if cell.strong else text


def latex_text(text: str) -> str:
    r"""Text with everything escaped that LaTeX would read otherwise.

    Example:
        >>> latex_text("5 % of a_b")
        '5 \\% of a\\_b'
    """
    return "".join(_LATEX.get(character, character) for character in text)


def latex_table(table: TextTable, label: str) -> str:
    """A floating table, or one that may break over pages where it is long.

    It needs the packages booktabs and amssymb, and longtable for a long one.
    """
    columns = "l" * table.words + "r" * (len(table.columns) - table.words)
    caption = " ".join([table.title + "." if table.title else "", *table.notes]).strip()
    named = [rf"\caption{{{latex_text(caption)}}}", rf"\label{{tab:{label}}}"]
    head = [
        r"\toprule",
        _latex_row([latex_text(column) for column in table.columns]),
        r"\midrule",
    ]
    rows = [_latex_row([_latex_cell(cell) for cell in row]) for row in table.rows]
    if len(table.rows) > _ONE_PAGE:
        return "\n".join(_long(columns, named, head, rows))
    lines = [
        r"\begin{table}",
        r"\centering",
        *named,
        rf"\begin{{tabular}}{{{columns}}}",
        *head,
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def _long(
    columns: str, named: Sequence[str], head: Sequence[str], rows: Sequence[str]
) -> Iterator[str]:
    """A table over several pages, its head on each of them."""
    yield rf"\begin{{longtable}}{{{columns}}}"
    yield from named[:-1]
    yield rf"{named[-1]} \\"
    yield from (*head, r"\endfirsthead", *head, r"\endhead", r"\bottomrule", r"\endfoot")
    yield from rows
    yield r"\end{longtable}"


def _latex_row(texts: Sequence[str]) -> str:
    return " & ".join(texts) + r" \\"


def _latex_cell(cell: Cell) -> str:
    text = latex_text(cell.text)
    return rf"\textbf{{{text}}}" if cell.strong else text


def csv_text(records: Sequence[Record]) -> str:
    """Records as CSV, their names in the first line; what is not known is empty."""
    buffer = io.StringIO()
    names = list(dict.fromkeys(name for record in records for name in record))
    writer = csv.DictWriter(buffer, names, lineterminator="\n", restval="")
    writer.writeheader()
    for record in records:
        writer.writerow({name: "" if value is None else value for name, value in record.items()})
    return buffer.getvalue()
