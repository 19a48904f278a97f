"""Memory that one epoch frees and the next one takes again, kept in between.

An epoch allocates and frees the same large tensors as the one before. The C library gives blocks
of that size back to the system at once and gets fresh, empty pages for the next: page faults are a
fifth of the time on some graphs (docs/performance.md). While a method computes, freed memory is
kept; when it is done, all of it goes back.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

# Parameters of mallopt(3), from malloc.h.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _MMAP_MAX = -1, -3, -4
_KEEP = ((_MMAP_MAX, 0), (_TRIM_THRESHOLD, -1))
# Where the C library's own adjustment ends up once large blocks have been freed.
_GIVE_BACK = ((_MMAP_MAX, 65536), (_MMAP_THRESHOLD, 32 << 20), (_TRIM_THRESHOLD, 64 << 20))

_lock = threading.Lock()
_inside = 0


@contextmanager
def kept_memory() -> Iterator[None]:
    """Keep what is freed within the block; does nothing where the C library is not glibc."""
    global _inside  # noqa: PLW0603 - the allocator is one for the whole process
    with _lock:
        _inside += 1
        if _inside == 1:
            _set(_KEEP)
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _set(_GIVE_BACK)
                give_back()


def give_back() -> None:
    """Return all that is free to the system, where the C library can."""
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)


def _set(parameters: tuple[tuple[int, int], ...]) -> None:
    library = _glibc()
    if library is not None:
        for parameter, value in parameters:
            library.mallopt(parameter, value)


@cache
def _glibc() -> Any:
    """The C library of this process, or none where it has no such functions."""
    try:
        library = ctypes.CDLL(None)
        found = library.gnu_get_libc_version and library.mallopt and library.malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    return library if found else None
