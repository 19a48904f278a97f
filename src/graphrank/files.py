"""Writing files so that nothing is ever left half-written."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from graphrank.errors import GraphRankError

_REMEDIES = {
    errno.ENOSPC: "the disk is full; free some space and run it again",
    errno.EDQUOT: "your disk quota is used up; free some space and run it again",
    errno.EACCES: "you have no right to write there; choose another path",
    errno.EPERM: "you have no right to write there; choose another path",
    errno.EROFS: "that place is read-only; choose another path",
    errno.ENOTDIR: "part of that path is a file, not a folder; choose another path",
    errno.EEXIST: "a file is where a folder has to be; choose another path",
    errno.EISDIR: "a folder of that name is there; choose another path",
    errno.ENAMETOOLONG: "that name is too long; choose a shorter one",
}


@contextmanager
def readable_write_errors(path: Path) -> Iterator[None]:
    """Turn the operating system's refusals into one sentence with the remedy."""
    try:
        yield
    except OSError as error:
        remedy = _REMEDIES.get(error.errno or 0)
        if remedy is None:
            raise
        raise GraphRankError(f"cannot write {path}: {remedy} (nothing was changed)") from error


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Give a temporary path beside ``path`` that takes its place when the block ends well."""
    with readable_write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(
            dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix
        )
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise


def write_bytes(path: Path, content: bytes) -> None:
    """Write a whole file or nothing."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, text: str) -> None:
    """Write a whole text file or nothing."""
    write_bytes(path, text.encode())


def refuse_existing(path: Path, *, overwrite: bool) -> None:
    """Raise unless ``path`` is free, an empty folder, or may be overwritten."""
    taken = path.exists() and not (path.is_dir() and not any(path.iterdir()))
    if taken and not overwrite:
        raise GraphRankError(f"{path} exists already; choose another path or say --overwrite")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
