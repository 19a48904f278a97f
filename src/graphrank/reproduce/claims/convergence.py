"""Epochs and seconds until GraphRank and GRACE have converged, in the order that was printed."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from graphrank.report.tables import spread
from graphrank.reproduce.claims.finding import (
    OURS,
    Finding,
    Standing,
    by_difference,
    runs,
    why_unmeasured,
)
from graphrank.reproduce.claims.seconds import less_time, threads_of_both, with_threads
from graphrank.reproduce.item import Item
from graphrank.reproduce.marks import reaches
from graphrank.reproduce.plan import State
from graphrank.reproduce.published import Printed, printed
from graphrank.reproduce.render.document import Rendered
from graphrank.reproduce.render.timing import all_converged, looked_at
from graphrank.results.record import Result

_Judge = Callable[[Result, Result], tuple[Standing, str]]


def convergence(rendered: Rendered) -> Iterator[Finding]:
    """Epochs against those printed, then epochs and seconds against GRACE's."""
    item = rendered.item
    for dataset in item.datasets:
        here = [state for state in rendered.states if state.cell.dataset == dataset]
        mine = next((state for state in here if state.cell.row.published == OURS), None)
        other = next((state for state in here if state.cell.row.published != OURS), None)
        if mine is not None:
            yield from _within_printed(item, mine)
        if mine is not None and other is not None:
            yield from _against(item, mine, other)


def _within_printed(item: Item, mine: State) -> Iterator[Finding]:
    dataset = mine.cell.dataset
    figure = printed(item, mine.cell.row, dataset, "epochs")
    if figure is None:
        return
    text = f"GraphRank has converged after {figure.value:g} epochs"
    if mine.result is None:
        yield Finding(item.name, text, dataset, "not measured", why_unmeasured([mine]))
        return
    values = [float(epoch) for epoch, _ in all_converged(mine.result)]
    sooner = reaches([-value for value in values], Printed(-figure.value))
    evidence = f"after {spread(values, digits=0)} ({runs(len(values))})"
    yield Finding(item.name, text, dataset, "holds" if sooner else "does not hold", evidence)


def _against(item: Item, mine: State, other: State) -> Iterator[Finding]:
    """What the printed figures say of both methods, whichever of them is ahead."""
    dataset = mine.cell.dataset
    epochs, seconds = (
        [printed(item, state.cell.row, dataset, metric) for state in (mine, other)]
        for metric in ("epochs", "time")
    )
    judges: list[tuple[str, _Judge]] = []
    if epochs[0] is not None and epochs[1] is not None:
        stated = epochs[1].value - epochs[0].value
        words = _in_words(epochs[0].value, epochs[1].value)
        judges.append((f"GraphRank converges in {words}", partial(_fewer_epochs, stated=stated)))
    if seconds[0] is not None and seconds[1] is not None:
        printed_times = f"{seconds[0].value:g} s against {seconds[1].value:g} s"
        text = f"GraphRank converges in less time than GRACE ({printed_times})"
        judges.append((text, _fewer_seconds))
    for text, judge in judges:
        if mine.result is None or other.result is None:
            why = why_unmeasured([mine, other])
            yield Finding(item.name, text, dataset, "not measured", why)
        else:
            standing, evidence = judge(mine.result, other.result)
            yield Finding(item.name, text, dataset, standing, evidence)


def _in_words(mine: float, other: float) -> str:
    if mine == other:
        return f"as many epochs as GRACE ({mine:g})"
    word = "fewer" if mine < other else "more"
    return f"{word} epochs than GRACE ({mine:g} against {other:g})"


def _fewer_epochs(mine: Result, other: Result, stated: float) -> tuple[Standing, str]:
    """By the difference of epochs; one that is no longer than a look apart is none."""
    pairs = _pairs(mine, other)
    if not pairs:
        return "not measured", "no seed in common"
    ours, theirs = ([float(pair[side][0]) for pair in pairs] for side in (0, 1))
    evidence = f"{spread(ours, digits=0)} against {spread(theirs, digits=0)} ({runs(len(pairs))})"
    return _direction(ours, theirs, stated, _look(mine)), evidence


def _direction(
    ours: Sequence[float], theirs: Sequence[float], stated: float, look: float
) -> Standing:
    """Whether measured epochs differ as printed ones do."""
    differences = [other - mine for mine, other in zip(ours, theirs, strict=True)]
    level = abs(statistics.fmean(differences)) <= look
    if stated == 0:
        if level:
            return "holds"
        return "open" if by_difference(differences) == "open" else "does not hold"
    if level:
        return "open"
    return by_difference([each if stated > 0 else -each for each in differences])


def _fewer_seconds(mine: Result, other: Result) -> tuple[Standing, str]:
    pairs = _pairs(mine, other)
    if not pairs:
        return "not measured", "no seed in common"
    ours, theirs = ([pair[side][1] for pair in pairs] for side in (0, 1))
    evidence = (
        f"{with_threads(spread(ours, digits=1), mine)} against "
        f"{with_threads(spread(theirs, digits=1), other)} ({runs(len(pairs))})"
    )
    return less_time(ours, theirs, threads_of_both(mine, other)), evidence


def _pairs(mine: Result, other: Result) -> list[tuple[tuple[int, float], tuple[int, float]]]:
    """Epochs and seconds of both, for each seed that both have."""
    ours = dict(zip(mine.seeds, all_converged(mine), strict=True))
    theirs = dict(zip(other.seeds, all_converged(other), strict=True))
    return [(ours[seed], theirs[seed]) for seed in mine.seeds if seed in theirs]


def _look(result: Result) -> float:
    """Epochs between two looks."""
    epochs = looked_at(result)
    return float(epochs[0] if len(epochs) < 2 else epochs[1] - epochs[0])
