"""Node ids in the columns of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from graphrank.data.labels import as_text, natural
from graphrank.data.raw import IntArray, NodeIds
from graphrank.errors import DataError


@dataclass(frozen=True)
class KeyColumn:
    """A column of ids as numbers into a list of different texts.

    Attributes:
        codes: Position of every row's id in ``names``, int64; -1 where it is missing.
        names: The different ids, as text.
        is_text: Whether the file itself says that they are text (parquet and data frames do).
    """

    codes: IntArray
    names: list[str]
    is_text: bool


def key_column(column: pd.Series) -> KeyColumn:
    """Read a column of ids or labels of any type; an empty text counts as missing."""
    is_text = False
    if isinstance(column.dtype, pd.CategoricalDtype):
        raw_codes, found = column.cat.codes.to_numpy(), column.cat.categories
    else:
        raw_codes, found = pd.factorize(column)
        is_text = any(isinstance(value, str) for value in found)
    names = [as_text(value) for value in found.tolist()]
    codes = raw_codes.astype(np.int64)
    if "" in names:
        codes = np.where(codes == names.index(""), -1, codes)
    return KeyColumn(codes, names, is_text)


def check_complete(key: KeyColumn, column: str, where: str) -> None:
    """Refuse rows without an id.

    Raises:
        DataError: Naming the first such row.
    """
    missing = np.flatnonzero(key.codes < 0)
    if len(missing):
        raise DataError(
            f"column {column!r} of {where} has no id in row {missing[0] + 1} of its values;"
            " fill it in or remove the row"
        )


def original(names: Sequence[str], *, is_text: bool) -> NodeIds:
    """Return ids as the user knows them: whole numbers if all are, unless they are text."""
    return list(names) if is_text else natural(names)
