"""With how many threads lines were measured: seconds of different numbers do not compare."""

from __future__ import annotations

from collections.abc import Sequence

from graphrank.reproduce.plan import State
from graphrank.results.record import Result


def threads_of(result: Result) -> int | None:
    """The number of threads that a line names; none where it names none."""
    told = str(result.environment.get("threads", ""))
    return int(told) if told.isdigit() else None


def threads_note(states: Sequence[State]) -> tuple[str, ...]:
    """A note that names who ran with how many threads; nothing where all ran with as many.

    A method that did so on some datasets alone is named with them.
    """
    places: dict[str, dict[int, list[str]]] = {}
    for state in states:
        count = None if state.result is None else threads_of(state.result)
        if count is not None:
            by_count = places.setdefault(state.cell.label, {})
            by_count.setdefault(count, []).append(state.cell.dataset)
    counts = sorted({count for by_count in places.values() for count in by_count})
    if len(counts) < 2:
        return ()
    parts = []
    for count in counts:
        who = [
            _who(label, by_count, count) for label, by_count in places.items() if count in by_count
        ]
        parts.append(f"{threads_in_words(count)}: {', '.join(who)}")
    listed = "; ".join(parts)
    return (f"Seconds with different numbers of threads do not compare. With {listed}.",)


def threads_in_words(count: int) -> str:
    """A number of threads in words.

    Example:
        >>> [threads_in_words(1), threads_in_words(2)]
        ['1 thread', '2 threads']
    """
    return f"{count} thread{'' if count == 1 else 's'}"


def _who(label: str, by_count: dict[int, list[str]], count: int) -> str:
    if len(by_count) == 1:
        return label
    return f"{label} ({', '.join(dict.fromkeys(by_count[count]))})"
