"""Whether one training takes less time than another, where threads let them compare."""

from __future__ import annotations

from collections.abc import Sequence

from graphrank.reproduce.claims.finding import Standing, by_difference
from graphrank.reproduce.threads import threads_in_words, threads_of
from graphrank.results.record import Result


def less_time(
    mine: Sequence[float], other: Sequence[float], threads: tuple[int | None, int | None]
) -> Standing:
    """Whether mine are less, seed by seed.

    With another number of threads, only that outcome counts which the threads speak against: who is
    faster with fewer of them is faster, who is slower with more of them is slower.

    Args:
        mine: seconds of each seed.
        other: seconds of the other training, seed by seed.
        threads: threads of both; none where lines do not say.

    Example:
        >>> less_time([3.0], [9.0], (1, 2)), less_time([3.0], [9.0], (2, 1))
        ('holds', 'open')
    """
    standing = by_difference([theirs - ours for ours, theirs in zip(mine, other, strict=True)])
    ours, theirs = threads
    if ours == theirs or standing == "open":
        return standing
    if ours is None or theirs is None:
        return "open"
    against = ours < theirs if standing == "holds" else ours > theirs
    return standing if against else "open"


def threads_of_both(mine: Result, other: Result) -> tuple[int | None, int | None]:
    """Threads of two lines."""
    return threads_of(mine), threads_of(other)


def with_threads(seconds: str, result: Result) -> str:
    """Seconds, and the number of threads that they were taken with."""
    count = threads_of(result)
    return f"{seconds} s" if count is None else f"{seconds} s with {threads_in_words(count)}"
