"""Which cells lack which seeds, what filling them costs, and what a budget buys."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphrank.data.catalog import find
from graphrank.durations import in_words
from graphrank.methods.registry import METHODS
from graphrank.reproduce.cells import Cell
from graphrank.reproduce.cost import Costs, Expected
from graphrank.reproduce.wanted import Stored
from graphrank.results.record import Result

_OURS = ("rank", "control")  # families that have all seeds, whatever they cost
# Seeds of the others, by the seconds that one of them may take at most.
_SEEDS_WITHIN = ((600.0, 5), (900.0, 3), (3600.0, 1))
_GUESSED_SEEDS = 3  # at least, where nothing measured says how long one takes


@dataclass(frozen=True)
class State:
    """A cell and what there is of it.

    Args:
        cell: the cell.
        result: its stored seeds; none where there are none.
        missing: seeds that it lacks.
        seconds: expected seconds of one of them.
        too_long: whether it has no seed, because one would take hours.
        judging: those of the seconds after the fit; none where that is not known.
    """

    cell: Cell
    result: Result | None
    missing: tuple[int, ...]
    seconds: float
    too_long: bool = False
    judging: float | None = None

    @property
    def reason(self) -> str:
        """Why it cannot be had; nothing where it may be."""
        if self.too_long:
            return f"about {in_words(self.seconds)} a seed, by timed epochs or its stored lines"
        return self.cell.reason

    @property
    def remaining(self) -> float:
        """Expected seconds of all that it lacks."""
        return self.seconds * len(self.missing)

    @property
    def command(self) -> str:
        """What to type to fill the cell, and none of another reading or preset."""
        cell = self.cell
        words = ["graphrank", "reproduce", cell.item]
        info = find(cell.dataset)
        if info is not None:
            words += ["--datasets", info.name.casefold()]
        words += cell.selectors
        if cell.seeds:
            words += ["--seeds", str(max(self.missing, default=len(cell.seeds) - 1) + 1)]
        return shlex.join(words)


@dataclass(frozen=True)
class Step:
    """One seed of one cell."""

    cell: Cell
    seed: int
    seconds: float


def states(cells: Iterable[Cell], stored: Stored, costs: Costs) -> list[State]:
    """What there is of each cell."""
    found = []
    for cell in cells:
        if cell.job is None:
            found.append(State(cell, None, (), 0.0))
            continue
        result = stored.find(cell.job.wanted, cell.metrics)
        have = result.seeds if result is not None else []
        if all(seed in have for seed in cell.seeds):
            found.append(State(cell, result, (), 0.0))
            continue
        expected = costs.expected(cell)
        seeds = worth_waiting_for(cell, expected)
        missing = tuple(seed for seed in seeds if seed not in have)
        too_long = not seeds and not have
        seconds, judging = expected.seconds, expected.judging
        found.append(State(cell, result, missing, seconds, too_long, judging))
    return found


def worth_waiting_for(cell: Cell, expected: Expected) -> tuple[int, ...]:
    """Seeds that a cell wants: all of GraphRank and of the controls, fewer of a slow method.

    A method that others compare with has five seeds where one ends within ten minutes, three where
    it ends within a quarter of an hour, one where it ends within an hour, and none beyond, unless
    the number of seeds was asked for. A guess denies no cell: only measured lines do.
    """
    kind = METHODS.get(cell.row.name.removesuffix("-oracle"))
    if cell.asked_for or (kind and kind.info.family in _OURS):
        return cell.seeds
    count = next((seeds for most, seeds in _SEEDS_WITHIN if expected.seconds <= most), 0)
    if not expected.measured:
        count = max(count, _GUESSED_SEEDS)
    return cell.seeds[:count]


def affordable(planned: Sequence[State], budget_seconds: float) -> list[Step]:
    """Seeds that a budget pays for, the cheapest first; seeds of equal cost in their order.

    One work that fills cells of two items is done once. Seeds of one method on one dataset stand
    together where tasks can share their fit, which the first of them pays for.
    """
    chosen: list[Step] = []
    left = budget_seconds
    fitted: set[tuple[str, str, int] | None] = set()
    for state, seed in sorted(_missing(planned), key=lambda pair: pair[0].seconds):
        fit = _fit_of(state.cell, seed)
        judging = state.judging if fit in fitted else None
        step = Step(state.cell, seed, state.seconds if judging is None else judging)
        if step.seconds <= left and not any(_same_work(step, other) for other in chosen):
            chosen.append(step)
            left -= step.seconds
            fitted |= {fit} - {None}
    first: dict[tuple[str, str, str, int], int] = {}
    for place, step in enumerate(chosen):
        first.setdefault(fitted_alike(step), place)
    return sorted(chosen, key=lambda step: first[fitted_alike(step)])


def seconds_of_all(planned: Sequence[State]) -> float:
    """Expected seconds of all that is missing, each fit counted once."""
    return sum(step.seconds for step in affordable(planned, math.inf))


def _missing(planned: Sequence[State]) -> list[tuple[State, int]]:
    return [(state, seed) for state in planned for seed in state.missing]


def _fit_of(cell: Cell, seed: int) -> tuple[str, str, int] | None:
    """What tells a fit from others; none where it is shared with nobody."""
    if cell.job is None or cell.job.fit_sees is None:
        return None
    wanted = cell.job.wanted
    method = json.dumps([wanted.method, wanted.options], sort_keys=True, default=str)
    return f"{cell.dataset} {cell.job.fit_sees}", method, seed


def fitted_alike(step: Step) -> tuple[str, str, str, int]:
    """What seeds have in common that may share a fit: dataset, method, preset and seed."""
    row = step.cell.row
    return step.cell.dataset, row.name, row.preset, step.seed


def _same_work(step: Step, other: Step) -> bool:
    mine, theirs = step.cell, other.cell
    if step.seed != other.seed or mine.job is None or theirs.job is None:
        return False
    return mine.job.wanted == theirs.job.wanted and mine.metrics == theirs.metrics


def budget_for(seconds: float) -> int:
    """Minutes to ask for, with room for a guess that was too low."""
    return max(1, math.ceil(1.5 * seconds / 60))
