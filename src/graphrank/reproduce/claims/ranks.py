"""On how many graphs GraphRank is the best of the compared methods, as printed and as measured."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphrank.report.compare import paired_difference
from graphrank.report.tables import metric_title
from graphrank.reproduce.claims.figures import is_ours
from graphrank.reproduce.claims.finding import OURS, Finding, Standing
from graphrank.reproduce.item import Item
from graphrank.reproduce.marks import mark
from graphrank.reproduce.published import printed
from graphrank.reproduce.render.comparison import Entry, entries
from graphrank.reproduce.render.document import Rendered


@dataclass(frozen=True)
class _Rival:
    """A compared method on a dataset.

    Args:
        name: what to call it.
        ahead: by how much it is ahead of GraphRank; negative where it is behind.
        clear: whether the seeds tell them apart.
        measured: whether its figure is ours; else it is the printed one.
    """

    name: str
    ahead: float
    clear: bool
    measured: bool


@dataclass(frozen=True)
class _Place:
    """GraphRank among the compared methods on a dataset."""

    dataset: str
    rivals: tuple[_Rival, ...]

    @property
    def best(self) -> _Rival:
        """The one that is furthest ahead, or least behind."""
        return max(self.rivals, key=lambda rival: rival.ahead)

    @property
    def is_first(self) -> bool:
        """Whether GraphRank has the highest mean."""
        return self.best.ahead <= 0

    @property
    def is_level(self) -> bool:
        """Whether others have a higher mean, none of them clearly."""
        return not self.is_first and not any(r.clear and r.ahead > 0 for r in self.rivals)


def ranks(rendered: Rendered) -> Iterator[Finding]:
    """One claim for each metric, under the first reading that printed figures are taken to be of.

    Methods count that the published table compares; controls of ours are left out. One that was not
    measured here stands with its printed figure.
    """
    item = rendered.item
    reading = next((each for each in item.readings if each.same_protocol), None)
    if reading is None or item.published is None:
        return
    runs = item.published.seeds
    found = entries(item, reading, rendered.states)
    for metric in item.metrics:
        stated = [name for name in item.datasets if _printed_best(item, name, metric)]
        if not stated:
            continue
        mine = [entry for entry in found if entry.metric == metric]
        places = [
            place for name in item.datasets if (place := _place(mine, name, runs)) is not None
        ]
        text = (
            f"Best {metric_title(metric)} of the compared methods on {len(stated)} of "
            f"{len(item.datasets)}, as printed"
        )
        yield Finding(
            item.name,
            text,
            "all",
            _standing(places, len(stated), len(item.datasets)),
            _evidence(places, reading.name),
        )


def _printed_best(item: Item, dataset: str, metric: str) -> bool:
    """Whether the published table has GraphRank first, alone or with others."""
    figures: Mapping[str, float] = {
        row.published: figure.value
        for row in item.methods
        if row.published is not None and (figure := printed(item, row, dataset, metric))
    }
    return OURS in figures and figures[OURS] == max(figures.values())


def _place(found: Sequence[Entry], dataset: str, runs: int) -> _Place | None:
    """Where GraphRank stands on a dataset; none where it was not measured."""
    here = [entry for entry in found if entry.state.cell.dataset == dataset]
    mine = next((e for e in here if is_ours(e.state.cell.row) and e.values), None)
    if mine is None:
        return None
    others = [entry for entry in here if entry.state.cell.row.published not in (None, OURS)]
    rivals = tuple(
        rival
        for entry in _once_as_printed(others)
        if (rival := _rival(mine, entry, runs)) is not None
    )
    return _Place(dataset, rivals) if rivals else None


def _once_as_printed(others: Sequence[Entry]) -> Iterator[Entry]:
    """All that was measured, and of a method that was not the first of its rows, as printed."""
    seen = {entry.state.cell.row.published for entry in others if entry.values}
    for entry in others:
        name = entry.state.cell.row.published
        if entry.values or name not in seen:
            yield entry
        seen.add(name)


def _rival(mine: Entry, other: Entry, runs: int) -> _Rival | None:
    """Another method beside GraphRank; none where it was neither measured nor printed."""
    name, own = other.state.cell.label, statistics.fmean(mine.values)
    if other.values and mine.state.result is not None and other.state.result is not None:
        difference = paired_difference(other.state.result, mine.state.result, mine.metric)
        clear = difference is not None and difference.clear
        return _Rival(name, statistics.fmean(other.values) - own, clear, measured=True)
    if other.printed is None:
        return None
    known = mark(mine.values, other.printed, runs)
    return _Rival(name, other.printed.value - own, known.verdict == "below", measured=False)


def _standing(places: Sequence[_Place], stated: int, total: int) -> Standing:
    """By the number of graphs; those that seeds do not tell apart, or that lack, leave it open.

    So does a comparison with more printed figures than measured ones: they were taken elsewhere,
    and not always in the same way.
    """
    if not places:
        return "not measured"
    rivals = [rival for place in places for rival in place.rivals]
    mostly_measured = 2 * sum(rival.measured for rival in rivals) >= len(rivals)
    first = sum(place.is_first for place in places)
    undecided = sum(place.is_level for place in places) + total - len(places)
    if first >= stated:
        return "holds" if mostly_measured else "open"
    return "open" if first + undecided >= stated else "does not hold"


def _evidence(places: Sequence[_Place], reading: str) -> str:
    """How many, against how many measured and printed figures, and who is ahead elsewhere."""
    if not places:
        return "no lines yet"
    rivals = [rival for place in places for rival in place.rivals]
    measured = sum(rival.measured for rival in rivals)
    parts = [
        f"highest mean on {sum(place.is_first for place in places)}, against {measured} measured "
        f"and {len(rivals) - measured} printed figures (reading `{reading}`)"
    ]
    for place in places:
        if not place.is_first:
            best = place.best
            source = "" if best.measured else " as printed"
            clearly = ", not clearly" if place.is_level else ""
            parts.append(f"{place.dataset}: {best.ahead:.2f} behind {best.name}{source}{clearly}")
    return "; ".join(parts)
