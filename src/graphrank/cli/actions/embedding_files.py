"""Files of embeddings: ids first, then one column for each dimension."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from graphrank.data.raw import NodeIds
from graphrank.errors import GraphRankError
from graphrank.files import atomic_path

Matrix = NDArray[np.float32]
_FLOAT32_DIGITS = "%.9g"


def check_suffix(path: Path) -> None:
    """Refuse a file whose ending names no known format."""
    if path.suffix.lower() not in _TABLES and path.suffix.lower() != ".npy":
        known = ", ".join(sorted([*_TABLES, ".npy"]))
        raise GraphRankError(f"cannot tell the format of {path}; let it end in one of {known}")


def files_of(path: Path) -> tuple[Path, ...]:
    """The files that are written: a bare matrix has its ids beside it."""
    return (path, path.with_suffix(".ids.txt")) if path.suffix.lower() == ".npy" else (path,)


def write_embeddings(path: Path, ids: NodeIds, embedding: Matrix) -> None:
    """Write all of it or nothing.

    Args:
        path: a table (parquet, csv, tsv) with the columns id, e0, e1, …; or npy, the bare matrix,
            with the ids in ``<stem>.ids.txt``, one a line.
        ids: one id for each row.
        embedding: ``[nodes, channels]``.
    """
    suffix = path.suffix.lower()
    if suffix in _TABLES:
        with atomic_path(path) as temporary:
            _TABLES[suffix](_frame(ids, embedding), temporary)
        return
    matrix, names = files_of(path)
    with atomic_path(matrix) as matrix_file, atomic_path(names) as names_file:
        np.save(matrix_file, embedding)
        names_file.write_text("".join(f"{name}\n" for name in ids), encoding="utf-8")


def _frame(ids: NodeIds, embedding: Matrix) -> pd.DataFrame:
    frame = pd.DataFrame(embedding, columns=[f"e{i}" for i in range(embedding.shape[1])])
    frame.insert(0, "id", ids)
    return frame


def _write_text(separator: str) -> Callable[[pd.DataFrame, Path], None]:
    def write(frame: pd.DataFrame, path: Path) -> None:
        frame.to_csv(path, sep=separator, index=False, float_format=_FLOAT32_DIGITS)

    return write


_TABLES: dict[str, Callable[[pd.DataFrame, Path], None]] = {
    ".parquet": lambda frame, path: frame.to_parquet(path, index=False),
    ".csv": _write_text(","),
    ".tsv": _write_text("\t"),
}
