"""What goes to the terminal: results to standard output, everything else to standard error."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console

from graphrank.terminal import error_console

_LOGGER = logging.getLogger("graphrank")
_PREFIXES = {logging.WARNING: "warning: ", logging.ERROR: "error: "}
_WIDTH_OF_FILES = 160


def output() -> Console:
    """The console of results; a file or a pipe counts as wide, so that no table is cut."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=_WIDTH_OF_FILES)


def say(text: str) -> None:
    """Print one line to standard error, as it is."""
    error_console().print(text, markup=False, highlight=False, soft_wrap=True)


def fail(sentence: str) -> None:
    """Print the one sentence of an error."""
    say(f"error: {sentence}")


class LineHandler(logging.Handler):
    """Log records as plain lines on standard error, warnings marked as such."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one record."""
        say(_PREFIXES.get(record.levelno, "") + record.getMessage())


@contextmanager
def plain_messages() -> Iterator[None]:
    """Show the package's log and warnings as plain lines while the block runs."""
    handler, level = LineHandler(), _LOGGER.level
    _LOGGER.addHandler(handler)
    _LOGGER.setLevel(logging.INFO)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            warnings.showwarning = _show_warning
            yield
    finally:
        _LOGGER.removeHandler(handler)
        _LOGGER.setLevel(level)


def set_verbosity(*, quiet: bool, verbose: bool) -> None:
    """Let through warnings alone, the usual lines, or everything, for the rest of a command."""
    chosen = {(True, False): logging.WARNING, (False, True): logging.DEBUG}
    _LOGGER.setLevel(chosen.get((quiet, verbose), logging.INFO))


@contextmanager
def only_warnings() -> Iterator[None]:
    """Hold back the usual lines of the log, unless everything was asked for."""
    level = _LOGGER.level
    _LOGGER.setLevel(logging.DEBUG if level == logging.DEBUG else logging.WARNING)
    try:
        yield
    finally:
        _LOGGER.setLevel(level)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print this package's warnings as one line; those of libraries only when all is shown."""
    if category.__module__.startswith("graphrank") or _LOGGER.level == logging.DEBUG:
        say(f"warning: {message}")
