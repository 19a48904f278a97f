"""Whole pages of items: Markdown for one, HTML for all, and the list of what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from graphrank.durations import in_words
from graphrank.report.html import Page, Section, image
from graphrank.report.tables import Cell, TextTable
from graphrank.reproduce.claims import Finding, claims_table, standings_table
from graphrank.reproduce.plan import State, budget_for, seconds_of_all
from graphrank.reproduce.render.document import Rendered
from graphrank.reproduce.render.text import markdown_table

_LEAD = (
    "The tables and figures of Hu et al., Graph Ranking Contrastive Learning (2024), measured here "
    "from stored result lines, beside the published figures."
)
_CLAIMS = (
    "What is printed or said in the paper, and what the lines say of it. A printed figure holds "
    "where ours is within two standard errors of it or above. The authors' code is not public and "
    "their text leaves settings open: what is not reached here may be reached with others."
)
_MISSING = (
    "Each line is a command that fills the missing seeds of one method; the expected time is "
    "taken from stored lines, or guessed where there are none."
)


def summary_table(rendered: Sequence[Rendered]) -> TextTable:
    """How much of each item there is."""
    rows = []
    for each in rendered:
        waiting = seconds_of_all(each.missing)
        counts = (each.measured, len(each.missing), len(each.not_had))
        texts = (*map(str, counts), in_words(waiting) if waiting else "")
        rows.append((Cell(each.item.name), Cell(each.item.title), *map(Cell, texts)))
    columns = ("item", "what", "cells measured", "missing", "cannot be had", "time for the missing")
    return TextTable("", columns, tuple(rows), words=2)


def missing_table(rendered: Sequence[Rendered]) -> TextTable | None:
    """Commands for what is missing, the cheapest first; none where nothing is."""
    commands: dict[str, list[State]] = {}
    for each in rendered:
        for state in each.missing:
            commands.setdefault(state.command, []).append(state)
    if not commands:
        return None
    rows = []
    for command, found in sorted(commands.items(), key=lambda pair: _remaining(pair[1])):
        seconds = _remaining(found)
        seeds = sum(len(state.missing) for state in found)
        words = f"{command} --budget {budget_for(seconds)}"
        rows.append((Cell(words), Cell(str(seeds)), Cell(in_words(seconds))))
    columns = ("command", "seeds", "expected time")
    return TextTable("", columns, tuple(rows), notes=(_MISSING,))


def _remaining(found: Sequence[State]) -> float:
    return sum(state.remaining for state in found)


def markdown_page(rendered: Rendered, claims: Sequence[Finding] = ()) -> str:
    """One item as a page of its own, with its claims; its figures lie beside it as SVG."""
    item = rendered.item
    lines = [f"# {item.title}", item.about, f"`graphrank reproduce {item.name}`"]
    if claims:
        lines += ["## Claims", markdown_table(claims_table(claims))]
    lines += markdown_parts(rendered, level=2, plots=True)
    missing = missing_table([rendered])
    if missing is not None:
        lines += ["## Missing", markdown_table(missing)]
    return "\n\n".join(lines) + "\n"


def markdown_parts(rendered: Rendered, level: int, *, plots: bool) -> Iterator[str]:
    """All parts of an item, with headings of a level."""
    for part in rendered.parts:
        yield f"{'#' * level} {part.heading}"
        if part.text:
            yield part.text
        if plots:
            yield from (f"![{plot.caption}]({plot.name}.svg)" for plot in part.plots)
        yield from (markdown_table(table) for table in part.tables)


def html_page(
    rendered: Sequence[Rendered], claims: Mapping[str, Sequence[Finding]] | None = None
) -> Page:
    """All items in one page, with how the claims of each stand."""
    claims = {name: found for name, found in (claims or {}).items() if found}
    sections = []
    if claims:
        table = standings_table(claims)
        sections.append(Section("Does it hold?", _CLAIMS, table=table, anchor="claims"))
    sections.append(Section("What there is", table=summary_table(rendered), anchor="cells"))
    for each in rendered:
        sections.append(
            Section(
                each.item.title,
                each.item.about,
                commands=(f"graphrank reproduce {each.item.name}",),
                anchor=each.item.name,
            )
        )
        if each.item.name in claims:
            table = claims_table(claims[each.item.name])
            sections.append(Section(f"{each.item.title}: what is claimed", table=table))
        for part in each.parts:
            images = tuple(image(plot.draw(), plot.caption) for plot in part.plots)
            first, *rest = part.tables or (None,)
            heading = f"{each.item.title}: {part.heading}"
            sections.append(Section(heading, part.text, images, first))
            sections += [
                Section(f"{heading}, {table.title}", table=table) for table in rest if table
            ]
    missing = missing_table(rendered)
    if missing is not None:
        sections.append(Section("What is missing", table=missing, anchor="missing"))
    done = sum(each.measured for each in rendered)
    total = sum(len(each.states) for each in rendered)
    facts = {"Items": str(len(rendered)), "Cells measured": f"{done} of {total}"}
    if claims:
        standings = [each.standing for found in claims.values() for each in found]
        facts["Claims that hold"] = f"{standings.count('holds')} of {len(standings)}"
    return Page("GraphRank, reproduced", _LEAD, sections, facts)
