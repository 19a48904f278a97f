"""The terminal behind standard error, and what moves on it while people wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

_moving: list[Console] = []  # the console of the bar or status line that is shown now, if any


def error_console() -> Console:
    """The console of standard error; while something moves on it, the one that it moves on.

    Lines that are printed by that one go above what moves; those of another would go through it.
    """
    return _moving[-1] if _moving else Console(stderr=True, highlight=False)


def free_terminal(shown: bool) -> Console | None:
    """The terminal to move something on; none where nobody watches or something moves already.

    Args:
        shown: false for none at all.
    """
    console = error_console()
    return console if shown and console.is_terminal and not _moving else None


@contextmanager
def moves_on(console: Console) -> Iterator[None]:
    """Let lines go above the bar or status line that is shown on a console in the block."""
    _moving.append(console)
    try:
        yield
    finally:
        _moving.pop()


@contextmanager
def status(text: str, shown: bool) -> Iterator[None]:
    """Show on a terminal what goes on while the block runs; nothing where nobody watches.

    Args:
        text: what goes on, as it is: no markup.
        shown: false for nothing at all.
    """
    console = free_terminal(shown)
    if console is None:
        yield
        return
    line = Text(text, no_wrap=True, overflow="ellipsis")
    with moves_on(console), console.status(line):
        yield
