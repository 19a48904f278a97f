"""The two folders of the data layer: the user's data root, only read, and the cache."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from graphrank.errors import DataError

ROOT_VARIABLE = "GRAPHRANK_DATA"
CACHE_VARIABLE = "GRAPHRANK_CACHE"


def data_root(given: str | Path | None = None) -> Path | None:
    """Return the folder of published datasets: the argument, else ``GRAPHRANK_DATA``, else None.

    Raises:
        DataError: If that folder does not exist.
    """
    named = given if given is not None else os.environ.get(ROOT_VARIABLE)
    if not named:
        return None
    root = Path(named).expanduser()
    if not root.is_dir():
        raise DataError(f"the data root {str(root)!r} is no folder; create it or name another one")
    return root


def cache_dir() -> Path:
    """Return the folder for downloads and derived files, which need not exist yet.

    It is ``GRAPHRANK_CACHE`` when set, else the cache folder that the system provides.
    """
    named = os.environ.get(CACHE_VARIABLE)
    return Path(named).expanduser() if named else Path(platformdirs.user_cache_dir("graphrank"))
