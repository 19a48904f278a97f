"""Results files: JSON lines, only ever appended to, safe to write from two runs at once."""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Iterable
from pathlib import Path

from graphrank.errors import GraphRankError
from graphrank.files import readable_write_errors
from graphrank.results.parse import parse_line
from graphrank.results.record import Result

_log = logging.getLogger("graphrank")


def append(path: Path, result: Result) -> None:
    """Append one line. A single write to a file opened for appending is atomic between processes.

    A last line that a crash cut short is closed first, so that it spoils no other.
    """
    with readable_write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        line = result.to_line() + "\n"
        if not _ends_cleanly(path):
            line = "\n" + line
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            written = os.write(handle, line.encode())
            if written < len(line.encode()):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(handle)


def read(paths: Path | Iterable[Path]) -> list[Result]:
    """All results of some files, lines of one cell merged, in order of first appearance.

    A damaged line is skipped, counted and reported, never deleted; a line of a newer format is an
    error, since skipping it would show old figures as if they were the latest.
    """
    merged: dict[str, Result] = {}
    for path in [paths] if isinstance(paths, Path) else paths:
        if not path.is_file():
            raise GraphRankError(f"there is no results file {path}; evaluate with --results first")
        damaged = 0
        for line in path.read_text(errors="replace").splitlines():
            if not line.strip():
                continue
            result = parse_line(line, str(path))
            if result is None:
                damaged += 1
            elif result.key in merged:
                merged[result.key].add(result)
            else:
                merged[result.key] = result
        if damaged:
            _log.warning("%s: %d damaged line(s) skipped", path, damaged)
    return list(merged.values())


def _ends_cleanly(path: Path) -> bool:
    if not path.exists() or path.stat().st_size == 0:
        return True
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
