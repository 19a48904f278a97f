"""Fill missing cells, seed by seed, within a budget of time."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from graphrank.errors import GraphRankError
from graphrank.reproduce.jobs.bench import Bench
from graphrank.reproduce.plan import Step
from graphrank.reproduce.wanted import Stored
from graphrank.results.store import read

_log = logging.getLogger("graphrank")


@dataclass
class Tally:
    """How far a run has come.

    Args:
        total: seeds to measure in all.
        done: seeds measured, or found measured by another run.
        failed: sentences of those that could not be.
        expected: expected seconds of what is left.
        pace: seconds really spent for each expected one.
    """

    total: int
    done: int = 0
    failed: list[str] = field(default_factory=list)
    expected: float = 0.0
    pace: float = 1.0

    @property
    def left(self) -> int:
        """Seeds that wait."""
        return self.total - self.done - len(self.failed)

    @property
    def seconds_left(self) -> float:
        """When all will be done, by the pace so far."""
        return self.expected * self.pace


OnStep = Callable[[Step | None, Tally], None]


def fill(
    steps: Sequence[Step],
    results: Path,
    *,
    budget_seconds: float,
    data_root: Path | None = None,
    on_step: OnStep | None = None,
) -> Tally:
    """Measure one seed after another; every one is stored as soon as it is there.

    An interruption loses the seed under way and no more. The file is read again before each seed,
    so that two runs at once share the work; a seed that both measure counts once.

    Args:
        steps: what to measure, in order.
        results: file that lines are appended to.
        budget_seconds: no seed is begun after that.
        data_root: folder of published datasets.
        on_step: called before each seed, and with none at the end.
    """
    tally = Tally(len(steps), expected=sum(step.seconds for step in steps))
    started, planned = time.monotonic(), 0.0
    bench = Bench(data_root)
    for step in steps:
        if time.monotonic() - started >= budget_seconds:
            break
        if on_step is not None:
            on_step(step, tally)
        if _is_there(step, results):
            tally.done += 1
        else:
            _measure(step, results, bench, tally)
            planned += step.seconds
            tally.pace = (time.monotonic() - started) / max(planned, 1e-9)
        tally.expected -= step.seconds
    if on_step is not None:
        on_step(None, tally)
    return tally


def _measure(step: Step, results: Path, bench: Bench, tally: Tally) -> None:
    """One seed; what the user has to mend is noted, and the others go on."""
    if step.cell.job is None:
        raise AssertionError("a cell without work has no missing seeds")
    try:
        step.cell.job.run(step.seed, results, bench)
        tally.done += 1
    except GraphRankError as error:
        tally.failed.append(f"{step.cell.name}, seed {step.seed}: {error}")
        _log.warning("%s", tally.failed[-1])


def _is_there(step: Step, results: Path) -> bool:
    """Whether another run has measured it in the meantime."""
    if not results.exists() or step.cell.job is None:
        return False
    found = Stored(read(results)).find(step.cell.job.wanted, step.cell.metrics)
    return found is not None and step.seed in found.seeds
