"""Accuracy and seconds of whole trainings: GraphRank against those who train for longer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from graphrank.methods.trained import TrainedMethod
from graphrank.report.tables import spread
from graphrank.reproduce.claims.finding import (
    Finding,
    Standing,
    by_difference,
    runs,
    why_unmeasured,
)
from graphrank.reproduce.claims.seconds import less_time, threads_of_both, with_threads
from graphrank.reproduce.item import Claim
from graphrank.reproduce.jobs.base import make
from graphrank.reproduce.jobs.trajectory import at
from graphrank.reproduce.plan import State
from graphrank.reproduce.render.document import Rendered
from graphrank.reproduce.render.timing import looked_at
from graphrank.results.record import Result

_SECONDS = "seconds"


def training(rendered: Rendered) -> Iterator[Finding]:
    """Every claim for every row of the method that it is about."""
    for claim in rendered.item.claims:
        ours, theirs = (
            (claim.lower, claim.higher)
            if claim.measure == _SECONDS
            else (claim.higher, claim.lower)
        )
        for dataset in rendered.item.datasets:
            here = [state for state in rendered.states if state.cell.dataset == dataset]
            others = [state for state in here if state.cell.row.name == theirs]
            for mine in here:
                if mine.cell.row.name == ours and others:
                    yield _finding(rendered, claim, mine, others[0])


def _finding(rendered: Rendered, claim: Claim, mine: State, other: State) -> Finding:
    item, where = rendered.item.name, f"{mine.cell.dataset}, {mine.cell.label}"
    if mine.result is None or other.result is None:
        why = why_unmeasured([mine, other])
        return Finding(item, claim.text, where, "not measured", why)
    seeds = [seed for seed in mine.result.seeds if seed in other.result.seeds]
    if not seeds:
        return Finding(item, claim.text, where, "not measured", "no seed in common")
    judge = _time if claim.measure == _SECONDS else _accuracy
    standing, evidence = judge(mine.result.only(seeds), other.result.only(seeds), other)
    return Finding(item, claim.text, where, standing, f"{evidence} ({runs(len(seeds))})")


def _time(mine: Result, other: Result, state: State) -> tuple[Standing, str]:
    """By the seconds of all epochs; one cut short can only be found the longer, not the shorter."""
    ours, theirs = _end(mine, _SECONDS), _end(other, _SECONDS)
    standing = less_time(ours, theirs, threads_of_both(mine, other))
    if standing == "does not hold" and _cut_short(state):
        standing = "open"
    evidence = (
        f"{with_threads(spread(ours, digits=0), mine)} for {_epochs(mine)} epochs, "
        f"{state.cell.label} {with_threads(spread(theirs, digits=0), other)} for "
        f"{_epochs_in_words(state, other)}"
    )
    return standing, evidence


def _accuracy(mine: Result, other: Result, state: State) -> tuple[Standing, str]:
    """By the accuracy at the end against the best look at the other.

    Where the other's training was cut short, it may have more to show: that is another protocol.
    """
    ours, theirs = _end(mine, "accuracy"), _best(other)
    standing = by_difference([a - b for a, b in zip(ours, theirs, strict=True)])
    if standing == "holds" and _cut_short(state):
        standing = "holds only under another protocol"
    evidence = (
        f"{spread(ours)} at the end, {state.cell.label} {spread(theirs)} at best in "
        f"{_epochs_in_words(state, other)}"
    )
    return standing, evidence


def _end(result: Result, curve: str) -> Sequence[float]:
    return result.values[at(curve, _epochs(result))]


def _best(result: Result) -> list[float]:
    """The best look of each seed."""
    curves = [result.values[at("accuracy", epoch)] for epoch in looked_at(result)]
    return [max(looks) for looks in zip(*curves, strict=True)]


def _epochs(result: Result) -> int:
    return looked_at(result)[-1]


def _authors_epochs(state: State) -> int | None:
    """Epochs that a method has by its preset, without the settings of the item."""
    _, method = make(replace(state.cell.row, settings={}), state.cell.dataset)
    return method.epochs if isinstance(method, TrainedMethod) else None


def _cut_short(state: State) -> bool:
    whole = _authors_epochs(state)
    return state.result is not None and whole is not None and _epochs(state.result) < whole


def _epochs_in_words(state: State, result: Result) -> str:
    if not _cut_short(state):
        return f"{_epochs(result)} epochs"
    return f"{_epochs(result)} of its {_authors_epochs(state):,} epochs"
