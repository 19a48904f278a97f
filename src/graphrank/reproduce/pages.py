"""Write RESULTS.md, the claims of docs/reproduction.md and the tables of other pages, from lines.

python -m graphrank.reproduce.pages --results results/*.jsonl --variants results/variants/*/*.jsonl
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from graphrank.files import write_text
from graphrank.report.method_pages import fill
from graphrank.report.plots import to_svg
from graphrank.report.tables import Cell
from graphrank.reproduce.claims import claims_table, standings_table
from graphrank.reproduce.headlines import PAGES, headline_table, pieces_figure
from graphrank.reproduce.items import all_items
from graphrank.reproduce.render.document import Rendered
from graphrank.reproduce.render.items import render_items
from graphrank.reproduce.render.pages import markdown_parts
from graphrank.reproduce.render.text import markdown_table
from graphrank.reproduce.speed_pages import SPEED_PAGES, speed_table
from graphrank.reproduce.standing import STANDING_PAGES, standing_table
from graphrank.reproduce.timings import Timings
from graphrank.reproduce.verdicts import verdicts
from graphrank.results.record import Result
from graphrank.results.store import read

RESULTS, CLAIMS = Path("RESULTS.md"), Path("docs/reproduction.md")
PIECES = Path("docs/images/pieces.svg")
TIMINGS = Path("results")  # folder of the files that benchmarks write
MARKED = tuple(dict.fromkeys([*PAGES, *STANDING_PAGES, *SPEED_PAGES]))
"""Pages with marked tables."""
_HEAD = """\
# Results

Every figure here comes from the lines in [results/](results/); `make docs` writes this page, nobody
edits it. What the figures say of the paper is in [docs/reproduction.md](docs/reproduction.md);
`graphrank reproduce all` makes the same tables, what is missing, and plots."""


def results_page(results: Sequence[Result]) -> str:
    """All items of which there is anything."""
    rendered = render_items(all_items().values(), results)
    there = [each for each in rendered if any(state.result for state in each.states)]
    lines = [_HEAD, *([_contents(there)] if there else [])]
    for each in there:
        lines += [
            f"## {each.item.title}",
            f"{each.item.about} (`graphrank reproduce {each.item.name}`)",
        ]
        lines += markdown_parts(_measured_alone(each), level=3, plots=False)
    empty = [each for each in rendered if each not in there]
    if empty:
        named = ", ".join(f"`{each.item.name}`" for each in empty)
        lines += ["## Not measured yet", f"{named}."]
    return "\n\n".join(lines) + "\n"


def _contents(rendered: Sequence[Rendered]) -> str:
    """Links to the items, as Markdown viewers call their headings."""
    titles = [each.item.title for each in rendered]
    return " · ".join(f"[{title}](#{title.casefold().replace(' ', '-')})" for title in titles)


def _measured_alone(rendered: Rendered) -> Rendered:
    """The parts that have a figure in them; a page of dashes tells nobody anything."""
    kept = tuple(
        part
        for part in rendered.parts
        if any(_has_figure(row) for table in part.tables for row in table.rows)
    )
    return Rendered(rendered.item, kept, rendered.records, rendered.states)


def _has_figure(row: tuple[Cell, ...]) -> bool:
    return any(cell.text[:1].isdigit() and cell.text != "0" for cell in row[1:])


def claims_page(page: str, results: Sequence[Result]) -> str:
    """The page of claims with its block of verdicts."""
    judged = verdicts(render_items(all_items().values(), results))
    parts = [markdown_table(standings_table({f"`{name}`": judged[name] for name in judged}))]
    for name, found in judged.items():
        parts += [
            f"### `{name}`",
            f"Shown by `graphrank reproduce {name} --budget 0`.",
            markdown_table(claims_table(found)),
        ]
    return fill(page, "\n\n".join(parts))


def marked_page(path: str, page: str, results: Sequence[Result], timings: Timings) -> str:
    """A page with all its tables: the default beside others, where it stands, how fast it is."""
    tables = {name: headline_table(name, results) for name in PAGES.get(path, ())}
    for name in STANDING_PAGES.get(path, ()):
        tables[name] = standing_table(name, results)
    for name in SPEED_PAGES.get(path, ()):
        tables[name] = speed_table(name, timings, results)
    for name, table in tables.items():
        page = fill(page, f"\n{markdown_table(table)}\n", name)
    return page


def main() -> None:
    """Read the arguments, write the pages, and say which have changed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, nargs="+", required=True, help="result files")
    parser.add_argument(
        "--variants", type=Path, nargs="*", default=[], help="result files of variants"
    )
    parser.add_argument("--root", type=Path, default=Path(), help="folder of the repository")
    given = parser.parse_args()
    results = read(given.results)
    claims = given.root / CLAIMS
    pages = {given.root / RESULTS: results_page(results)}
    pages[claims] = claims_page(claims.read_text(), results)
    varied = read([*given.results, *given.variants])
    timings = Timings.read(given.root / TIMINGS)
    for name in MARKED:
        page = (given.root / name).read_text()
        pages[given.root / name] = marked_page(name, page, varied, timings)
    pages[given.root / PIECES] = to_svg(pieces_figure(varied), on_paper=True)
    for path, text in pages.items():
        if not path.exists() or path.read_text() != text:
            write_text(path, text)
            print(f"written: {path}")


if __name__ == "__main__":
    main()
