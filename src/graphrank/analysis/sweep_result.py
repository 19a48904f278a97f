"""What a sweep found: every measure of every value and seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphrank.results.record import Result

OptionValue: TypeAlias = bool | int | float | str | None


@dataclass(frozen=True)
class SweepResult:
    """Measures of a method over values of one option.

    Args:
        parameter: the option that was swept.
        values: its values, in the order they were given.
        seeds: seeds of every point.
        measures: names of what was measured.
        points: one result for each value, with a figure of each measure for each seed.
    """

    parameter: str
    values: tuple[OptionValue, ...]
    seeds: tuple[int, ...]
    measures: tuple[str, ...]
    points: tuple[Result, ...]

    def table(self, measure: str) -> NDArray[np.float64]:
        """Figures of one measure, ``[values, seeds]``."""
        return np.array([point.values[measure] for point in self.points], dtype=np.float64)

    def mean(self, measure: str) -> NDArray[np.float64]:
        """Mean of a measure over seeds, ``[values]``."""
        return np.asarray(self.table(measure).mean(axis=1))

    def std(self, measure: str) -> NDArray[np.float64]:
        """Sample standard deviation of a measure over seeds, ``[values]``; zero for one seed."""
        if len(self.seeds) < 2:
            return np.zeros(len(self.values))
        return np.asarray(self.table(measure).std(axis=1, ddof=1))

    def to_report(self) -> list[dict[str, Any]]:
        """The form that ``--json`` writes: one object a value, as ``evaluate`` writes them."""
        return [point.to_report() for point in self.points]
