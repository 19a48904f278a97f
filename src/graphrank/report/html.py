"""Self-contained HTML pages: text, tables and pictures in one file, nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from matplotlib.figure import Figure

from graphrank.report.compare import Comparison, flat_config, group
from graphrank.report.plots import INK, PAPER, to_svg
from graphrank.report.tables import TextTable, score_table
from graphrank.results.record import Result
from graphrank.version import __version__

_MANY_PARTS = 4  # and more are listed at the top of a page


@dataclass(frozen=True)
class Image:
    """A picture with its caption.

    Args:
        svg: the drawing, trusted since this package drew it.
        caption: what it shows.
    """

    svg: Markup
    caption: str


@dataclass(frozen=True)
class Details:
    """Names and values behind a line that opens, or that is open from the start."""

    summary: str
    items: Mapping[str, str]
    opened: bool = False


@dataclass(frozen=True)
class Section:
    """A part of a page: a heading and whatever belongs below it.

    One with an ``anchor`` is named in the contents of a long page and can be linked to.
    """

    heading: str
    text: str = ""
    images: tuple[Image, ...] = ()
    table: TextTable | None = None
    details: tuple[Details, ...] = ()
    commands: tuple[str, ...] = ()
    anchor: str = ""


@dataclass(frozen=True)
class Page:
    """A whole page.

    Args:
        title: what the page is about.
        lead: one or two sentences below the title.
        facts: a few large figures by name.
        sections: the rest.
    """

    title: str
    lead: str
    sections: Sequence[Section]
    facts: Mapping[str, str] | None = None

    @property
    def contents(self) -> tuple[Section, ...]:
        """What a reader may want to jump to, where there are many such parts."""
        anchored = tuple(section for section in self.sections if section.anchor)
        return anchored if len(anchored) >= _MANY_PARTS else ()


def image(figure: Figure, caption: str) -> Image:
    """A figure as inline SVG that takes the page's colours, light or dark."""
    svg = re.sub(r"^.*?(?=<svg)", "", to_svg(figure), flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = svg.replace(INK, "var(--ink)").replace(PAPER, "var(--paper)")
    return Image(Markup(svg), caption)


def render(page: Page) -> str:
    """The page as HTML text."""
    environment = Environment(
        loader=PackageLoader("graphrank.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template("report.html.j2")
    return template.render(page=page, version=__version__)


def results_page(results: Sequence[Result]) -> Page:
    """Tables of results, one for each task, dataset and protocol, with all configurations."""
    comparisons = group(results)
    count = len(comparisons)
    lead = (
        f"{len(results)} results in {count} table{'s' * (count != 1)}: mean ± standard deviation "
        "over seeds, the best of each column in bold."
    )
    sections = [_comparison_section(each, at) for at, each in enumerate(comparisons, start=1)]
    return Page("GraphRank results", lead, sections)


def _comparison_section(comparison: Comparison, number: int) -> Section:
    first = comparison.results[0]
    details = [
        Details(f"Configuration of {label}", configuration(result))
        for label, result in zip(comparison.labels, comparison.results, strict=True)
    ]
    details.append(Details("Environment", first.environment))
    table = score_table(comparison)
    heading, anchor = f"{first.dataset}: {first.task}", f"table-{number}"
    return Section(heading, table=table, details=tuple(details), anchor=anchor)


def configuration(result: Result) -> dict[str, str]:
    """Everything needed to measure a result again, as text."""
    return {
        "method": result.method,
        "preset": result.preset,
        "task": result.task,
        "protocol": result.protocol,
        "seeds": ", ".join(map(str, result.seeds)),
        **{name: str(value) for name, value in flat_config(result).items()},
    }
