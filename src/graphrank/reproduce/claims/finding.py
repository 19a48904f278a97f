"""How a claim stands, and what is common to all ways of judging one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from graphrank.report.compare import Difference
from graphrank.reproduce.plan import State

Standing = Literal[
    "holds", "holds only under another protocol", "does not hold", "open", "not measured"
]
STANDINGS: tuple[Standing, ...] = get_args(Standing)

OURS = "GraphRank"  # as the published tables write it


@dataclass(frozen=True)
class Finding:
    """How a claim stands on one dataset.

    Args:
        item: name of the item whose lines show it.
        claim: the claim in words.
        dataset: where.
        standing: what is to be said of it.
        evidence: the figures, with protocol and seeds.
    """

    item: str
    claim: str
    dataset: str
    standing: Standing
    evidence: str


def by_difference(differences: Sequence[float]) -> Standing:
    """Whether what shall be positive is.

    Several seeds have to differ by two standard errors, else the claim is open. One run is taken as
    it is: its evidence says that it is one.

    Args:
        differences: one for each seed, at least one.
    """
    difference = Difference.of(differences)
    if difference.error is not None and not difference.clear:
        return "open"
    return "holds" if difference.mean > 0 else "does not hold"


def runs(count: int) -> str:
    """A number of seeds in words.

    Example:
        >>> [runs(1), runs(3)]
        ['1 seed', '3 seeds']
    """
    return f"{count} seed{'' if count == 1 else 's'}"


def why_unmeasured(states: Sequence[State]) -> str:
    """What there is to say where lines lack: how long a cell would take, or that it waits."""
    reasons = [f"{s.cell.label}: {s.reason}" for s in states if s.result is None and s.reason]
    return "; ".join(dict.fromkeys(reasons)) or "no lines yet"
