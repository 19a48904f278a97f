"""What an item looks like before it has a format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from matplotlib.figure import Figure

from graphrank.report.tables import TextTable
from graphrank.reproduce.item import Item
from graphrank.reproduce.plan import State

Record = Mapping[str, str | float | int | None]


@dataclass(frozen=True)
class Plot:
    """A figure to draw.

    Args:
        name: name of its file, without an ending.
        draw: draws it; called once for each format that needs it.
        caption: what it shows.
    """

    name: str
    draw: Callable[[], Figure]
    caption: str


@dataclass(frozen=True)
class Part:
    """A part of an item: tables and plots below one heading."""

    heading: str
    text: str = ""
    tables: tuple[TextTable, ...] = ()
    plots: tuple[Plot, ...] = ()


@dataclass(frozen=True)
class Rendered:
    """An item, ready to be written in any format.

    Args:
        item: the item.
        parts: what is shown of it.
        records: every figure as a line of a table for machines.
        states: what there is of its cells, and what is not.
    """

    item: Item
    parts: tuple[Part, ...]
    records: tuple[Record, ...]
    states: tuple[State, ...] = field(default=())

    @property
    def missing(self) -> list[State]:
        """Cells that lack seeds and could have them."""
        return [state for state in self.states if state.missing]

    @property
    def not_had(self) -> list[State]:
        """Cells that cannot be had."""
        return [state for state in self.states if state.reason]

    @property
    def measured(self) -> int:
        """Number of cells with all their seeds."""
        return len(self.states) - len(self.missing) - len(self.not_had)


def notes_on(states: Sequence[State], waiting: str = "not measured yet") -> tuple[str, ...]:
    """Notes below a table: what a dash means, where there is one, and why cells cannot be had."""
    dash = any(state.result is None and not state.reason for state in states)
    reasons = dict.fromkeys(f"{s.cell.label}: {s.reason}." for s in states if s.reason)
    return (*(f"– {waiting}.",) * dash, *reasons)
