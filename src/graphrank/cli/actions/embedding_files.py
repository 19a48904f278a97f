"""Files of embeddings: ids first, then one column for each dimension."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from graphrank.cli.actions.table_files import TABLES, check_suffix, write_table
from graphrank.data.raw import NodeIds
from graphrank.files import atomic_path

Matrix = NDArray[np.float32]


def check_format(path: Path) -> None:
    """Refuse a file whose ending names no known format."""
    check_suffix(path, [*TABLES, ".npy"])


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
    if path.suffix.lower() in TABLES:
        write_table(path, _frame(ids, embedding))
        return
    matrix, names = files_of(path)
    with atomic_path(matrix) as matrix_file, atomic_path(names) as names_file:
        with matrix_file.open("wb") as file:  # given a path, NumPy may add an ending of its own
            np.save(file, embedding)
        names_file.write_text("".join(f"{name}\n" for name in ids), encoding="utf-8")


def _frame(ids: NodeIds, embedding: Matrix) -> pd.DataFrame:
    frame = pd.DataFrame(embedding, columns=[f"e{i}" for i in range(embedding.shape[1])])
    frame.insert(0, "id", ids)
    return frame
