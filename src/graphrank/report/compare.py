"""Results side by side: which is best, and by how much, seed by seed."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphrank.methods.registry import METHODS
from graphrank.results.record import Result
from graphrank.results.spread import deviation
from graphrank.tasks.registry import TASKS

_CLEAR = 2.0


@dataclass(frozen=True)
class Difference:
    """How far a method is from another one, over the seeds that both have.

    Args:
        mean: mean of the differences seed by seed; negative where the method is worse.
        error: standard error of that mean; none for fewer than two seeds in common.
    """

    mean: float
    error: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> Difference:
        """The mean of differences seed by seed, with its standard error; at least one."""
        error = None
        if len(values) > 1:
            error = deviation(values) / math.sqrt(len(values))
        return cls(statistics.fmean(values), error)

    @property
    def clear(self) -> bool:
        """Whether the difference is larger than two standard errors."""
        return self.error is not None and abs(self.mean) > _CLEAR * self.error


@dataclass(frozen=True)
class Comparison:
    """All results of one task, dataset and protocol.

    Args:
        results: one for each method and configuration.
        labels: what to call them, in the same order; no two alike.
        metrics: the metrics that any of them has, the first one being what is compared.
    """

    results: tuple[Result, ...]
    labels: tuple[str, ...]
    metrics: tuple[str, ...]

    def best(self, metric: str) -> Result | None:
        """The result with the highest mean of a metric."""
        having = [result for result in self.results if metric in result.values]
        return max(having, key=lambda result: result.mean(metric)) if having else None

    def difference(self, result: Result) -> Difference | None:
        """Difference to the best in the first metric; none for the best one itself."""
        metric = self.metrics[0]
        best = self.best(metric)
        if best is None or best is result or metric not in result.values:
            return None
        return paired_difference(result, best, metric)


def paired_difference(result: Result, other: Result, metric: str) -> Difference | None:
    """Compare two results seed by seed; none where they have no seed in common.

    Example:
        >>> a = Result("t", "d", "a", "p", {}, [0, 1], {"nmi": [1.0, 2.0]})
        >>> b = Result("t", "d", "b", "p", {}, [1, 0], {"nmi": [4.0, 3.0]})
        >>> paired_difference(a, b, "nmi")
        Difference(mean=-2.0, error=0.0)
    """
    differences = seed_differences(result, other, metric)
    return Difference.of(list(differences.values())) if differences else None


def seed_differences(result: Result, other: Result, metric: str) -> dict[int, float]:
    """How much more of a metric a result has than another, for each seed that both have."""
    theirs = dict(zip(other.seeds, other.values[metric], strict=True))
    mine = zip(result.seeds, result.values[metric], strict=True)
    return {seed: value - theirs[seed] for seed, value in mine if seed in theirs}


def compare(results: Sequence[Result], titles: Mapping[str, str] | None = None) -> Comparison:
    """Put results of one task, dataset and protocol side by side.

    Args:
        results: at least one.
        titles: names to show in place of the methods' own.
    """
    labels = _labels(results, titles or {})
    return Comparison(tuple(results), tuple(labels), tuple(_metrics(results)))


def group(results: Iterable[Result]) -> list[Comparison]:
    """One comparison for each task, dataset and protocol, in order of appearance."""
    cells: dict[tuple[str, str, str], list[Result]] = {}
    for result in results:
        cells.setdefault((result.task, result.dataset, result.protocol), []).append(result)
    return [compare(cell) for cell in cells.values()]


def _metrics(results: Sequence[Result]) -> Iterator[str]:
    """All metrics, in the task's own order, whatever order a file had them in."""
    found = dict.fromkeys(name for result in results for name in result.values)
    task = TASKS.get(results[0].task)
    known = task.metrics if task is not None else ()
    yield from (name for name in known if name in found)
    yield from (name for name in found if name not in known)


def _labels(results: Sequence[Result], titles: Mapping[str, str]) -> list[str]:
    """Method and preset; where that is not enough, the options in which results differ."""
    plain = [_plain_label(result, titles) for result in results]
    labels = []
    for label, result in zip(plain, results, strict=True):
        alike = [other for name, other in zip(plain, results, strict=True) if name == label]
        labels.append(label if len(alike) == 1 else f"{label} ({_what_differs(result, alike)})")
    return labels


def _plain_label(result: Result, titles: Mapping[str, str]) -> str:
    title = titles.get(result.method, result.method)
    notes = [] if result.preset == "default" else [result.preset]
    method = METHODS.get(result.method)
    if method is not None and method.info.family == "supervised":
        notes.append("supervised")  # beside methods that never saw a label
    return f"{title} ({', '.join(notes)})" if notes else title


def _what_differs(result: Result, alike: Sequence[Result]) -> str:
    mine = flat_config(result)
    others = [flat_config(other) for other in alike]
    differing = [k for k in mine if any(other.get(k) != mine[k] for other in others)]
    return ", ".join(f"{name}={mine[name]}" for name in differing) or "same options"


def flat_config(result: Result) -> dict[str, object]:
    """All options of a result by name: those of the method, then those of the task."""
    flat: dict[str, object] = {}
    for name, value in result.config.items():
        flat |= value if isinstance(value, dict) else {name: value}
    return flat
