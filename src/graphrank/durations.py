"""Durations as people say them."""

from __future__ import annotations


def in_words(seconds: float) -> str:
    """A duration as people say it.

    Example:
        >>> [in_words(s) for s in (4, 75, 5400, 200_000)]
        ['4 s', '1 min', '1.5 h', '56 h']
    """
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    if seconds < 3600:
        return f"{round(seconds / 60)} min"
    hours = seconds / 3600
    return f"{hours:.1f} h" if hours < 10 else f"{hours:.0f} h"
