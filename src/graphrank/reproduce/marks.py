"""How a figure of ours stands to a printed one."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from graphrank.reproduce.published import Printed
from graphrank.results.spread import deviation

Verdict = Literal["within", "above", "below", "open"]

_ERRORS = 2.0
SIGNS: dict[Verdict, str] = {"within": "≈", "above": "▲", "below": "▼", "open": "·"}
WORDS: dict[Verdict, str] = {
    "within": "within two standard errors",
    "above": "above",
    "below": "below",
    "open": "too few seeds to tell",
}
OTHER = "◇"
LEGEND = (
    "≈ within two standard errors of the published figure, ▲ above, ▼ below, · too few seeds to "
    "tell; ◇ published under another protocol, so the figures do not compare."
)


@dataclass(frozen=True)
class Mark:
    """A difference and what to think of it.

    Args:
        difference: ours less the printed figure.
        error: standard error of the difference; none where there are too few seeds.
        verdict: the difference in a word.
        other_protocol: whether the printed figure is of another protocol.
    """

    difference: float
    error: float | None
    verdict: Verdict
    other_protocol: bool = False

    @property
    def sign(self) -> str:
        """The mark as tables show it."""
        return f"{OTHER}{SIGNS[self.verdict]}" if self.other_protocol else SIGNS[self.verdict]

    @property
    def words(self) -> str:
        """The mark for those who read no signs."""
        other = "published under another protocol; " if self.other_protocol else ""
        return other + WORDS[self.verdict]


def mark(
    values: Sequence[float], figure: Printed, runs: int, *, other_protocol: bool = False
) -> Mark:
    """Compare seeds of ours with a printed mean.

    Args:
        values: one of each seed, at least one.
        figure: what was printed.
        runs: how many runs the printed figure is the mean of.
        other_protocol: whether it is of another protocol.

    Example:
        >>> mark([80.0, 82.0], Printed(81.5, 0.5), 5).verdict
        'within'
    """
    difference = statistics.fmean(values) - figure.value
    if len(values) < 2:
        return Mark(difference, None, "open", other_protocol)
    squared = deviation(values) ** 2 / len(values)
    if figure.std is not None:
        squared += figure.std**2 / runs
    error = math.sqrt(squared)
    verdict: Verdict = "within"
    if abs(difference) > _ERRORS * error:
        verdict = "above" if difference > 0 else "below"
    return Mark(difference, error, verdict, other_protocol)


def reaches(values: Sequence[float], figure: Printed) -> bool:
    """Whether seeds of ours are not below a printed figure; one run is taken as it is.

    Example:
        >>> reaches([80.0, 82.0], Printed(81.5)), reaches([81.0], Printed(81.5))
        (True, False)
    """
    if len(values) < 2:
        return values[0] >= figure.value
    return mark(values, figure, 1).verdict != "below"
