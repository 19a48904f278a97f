"""Write the figures into the pages of the methods, from result lines and experiment files.

    python -m graphrank.report.method_pages docs/methods --results results/*.jsonl

What stands between the two marker lines of a page is replaced; the rest is left as it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from graphrank.errors import GraphRankError
from graphrank.files import write_text
from graphrank.methods.registry import method_class
from graphrank.report.method_figures import method_figures
from graphrank.results.record import Result
from graphrank.results.store import read


def marks(name: str) -> tuple[str, str]:
    """The lines that a block of a page stands between."""
    return f"<!-- {name}:begin -->", f"<!-- {name}:end -->"


BEGIN, END = marks("figures")
_INDEX = "README.md"


def fill(page: str, block: str, name: str = "figures") -> str:
    r"""Put a block between the marker lines of that name in a page.

    Raises:
        GraphRankError: If the page has not exactly one of each, in their order.

    Example:
        >>> fill(f"a\n{BEGIN}\nold\n{END}\nb", "new").splitlines()
        ['a', '<!-- figures:begin -->', 'new', '<!-- figures:end -->', 'b']
    """
    first, last = marks(name)
    before, begin, rest = f"{page.rstrip()}\n".partition(f"{first}\n")
    inside, end, after = rest.partition(f"{last}\n")
    if not begin or not end or any(mark in before + inside + after for mark in (first, last)):
        raise GraphRankError(f"it needs the lines {first} and {last}, each once and in this order")
    return f"{before}{begin}{block}\n{end}{after}"


def method_page(path: Path, results: Sequence[Result]) -> str:
    """The text of a page, whose name is that of its method, with its figures."""
    try:
        return fill(path.read_text(), method_figures(method_class(path.stem), results))
    except GraphRankError as error:
        raise GraphRankError(f"{path}: {error}") from None


def update_pages(folder: Path, results: Sequence[Result]) -> list[Path]:
    """Write the figures into all pages of a folder but its index; return those that changed."""
    changed = []
    for path in sorted(folder.glob("*.md")):
        if path.name == _INDEX:
            continue
        text = method_page(path, results)
        if text != path.read_text():
            write_text(path, text)
            changed.append(path)
    return changed


def main() -> None:
    """Read the arguments, write the pages, and say which have changed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", type=Path, help="folder of the pages")
    parser.add_argument("--results", type=Path, nargs="+", required=True, help="result files")
    given = parser.parse_args()
    for path in update_pages(given.pages, read(given.results)):
        print(f"written: {path}")


if __name__ == "__main__":
    main()
