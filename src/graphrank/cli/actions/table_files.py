"""Tables that commands write: the ending of the file names the format."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pandas as pd

from graphrank.errors import GraphRankError
from graphrank.files import atomic_path, refuse_existing

_FLOAT32_DIGITS = "%.9g"


def check_table(path: Path, *, overwrite: bool) -> None:
    """Refuse a file that could not be written, before any time is spent on what goes into it."""
    check_suffix(path, TABLES)
    refuse_existing(path, overwrite=overwrite)


def check_suffix(path: Path, known: Iterable[str]) -> None:
    """Refuse a file whose ending names none of the known formats."""
    if path.suffix.lower() not in known:
        endings = ", ".join(sorted(known))
        raise GraphRankError(f"cannot tell the format of {path}; let it end in one of {endings}")


def write_table(path: Path, table: pd.DataFrame) -> None:
    """Write all of it or nothing."""
    with atomic_path(path) as temporary:
        TABLES[path.suffix.lower()](table, temporary)


def _write_text(separator: str) -> Callable[[pd.DataFrame, Path], None]:
    def write(table: pd.DataFrame, path: Path) -> None:
        table.to_csv(path, sep=separator, index=False, float_format=_FLOAT32_DIGITS)

    return write


TABLES: dict[str, Callable[[pd.DataFrame, Path], None]] = {
    ".csv": _write_text(","),
    ".tsv": _write_text("\t"),
    ".parquet": lambda table, path: table.to_parquet(path, index=False),
}
