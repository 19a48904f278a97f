"""Columns of a node table as numbers: words become marks, and gaps are filled and marked."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Set

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from graphrank.data.raw import FloatArray
from graphrank.errors import DataError

_LOGGER = logging.getLogger("graphrank")

# More different words than this are names, dates or texts, and no categories.
MOST_VALUES = 100
_GAP = " is missing"
_IS_LABEL = "; if it is the label, name it with --label-column"

Column = tuple[str, NDArray[np.float32]]


def encode(frame: pd.DataFrame, where: str) -> tuple[FloatArray, list[str]]:
    """Turn the feature columns of a table into numbers.

    A number stays a number. A number that is missing becomes the mean of its column, and a column
    of marks tells where. A column of words becomes a column of marks for each word, named
    ``column=word``; a node without a word has no mark.

    Args:
        frame: The columns.
        where: The table, for messages.

    Returns:
        Features ``[N, F]`` and their names.

    Raises:
        DataError: If a column is neither numbers nor words that occur again.
    """
    if all(map(pd.api.types.is_numeric_dtype, frame.dtypes)):
        # Most tables are numbers without gaps, and may be large: these are copied once.
        whole = frame.to_numpy(dtype=np.float32, na_value=np.nan)
        if not np.isnan(whole).any():
            return whole, list(map(str, frame.columns))
    columns = [each for name in frame.columns for each in _encoded(frame[name], str(name), where)]
    return np.stack([values for _, values in columns], axis=1), [name for name, _ in columns]


def is_absent_mark(name: str, given: Set[str]) -> bool:
    """Whether a column is a mark that no node of another table has, for want of such nodes.

    Args:
        name: A column that this table lacks.
        given: The columns that it has.

    Example:
        >>> given = {"age", "country=DE"}
        >>> [is_absent_mark(name, given) for name in ("country=FR", "age is missing", "income")]
        [True, True, False]
    """
    if name.endswith(_GAP):
        return name.removesuffix(_GAP) in given
    column, mark, _ = name.partition("=")
    return bool(mark) and any(other.startswith(column + mark) for other in given)


def _encoded(column: pd.Series, name: str, where: str) -> Iterator[Column]:
    """The columns of numbers that one column becomes."""
    if pd.api.types.is_numeric_dtype(column):
        yield from _numbers(column, name, where)
    else:
        yield from _words(column, name, where)


def _numbers(column: pd.Series, name: str, where: str) -> Iterator[Column]:
    """Numbers as they are; where some are missing, their mean and a mark."""
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    gap = np.isnan(values)
    if gap.all() and len(gap):
        raise DataError(f"feature column {name!r} of {where} is empty; {_leave_out(name)}")
    if not gap.any():
        yield name, values.astype(np.float32)
        return
    _LOGGER.info(
        "%s: %d of %d values of %s are missing, filled with the mean of the others and marked%s",
        where, int(gap.sum()), len(gap), name, _IS_LABEL if 2 * gap.sum() > len(gap) else "",
    )  # fmt: skip
    known = values[~gap]
    yield name, np.where(gap, known.mean(), values).astype(np.float32)
    yield name + _GAP, gap.astype(np.float32)


def _words(column: pd.Series, name: str, where: str) -> Iterator[Column]:
    """A mark for each word."""
    column = column.reset_index(drop=True)  # the rows of a data frame may go by any names
    texts = column.dropna().astype(str).str.strip()
    texts = texts[texts != ""]
    values = sorted(texts.unique())
    if not values:
        raise DataError(f"feature column {name!r} of {where} is empty; {_leave_out(name)}")
    if len(values) > MOST_VALUES:
        raise DataError(
            f"feature column {name!r} of {where} is not numeric and has {len(values)} different"
            f" values, more than the {MOST_VALUES} that get a column of marks each; encode it, or"
            f" {_leave_out(name)}"
        )
    _LOGGER.info(
        "%s: each of the %d values of %s becomes a feature%s", where, len(values), name, _IS_LABEL
    )
    mine = texts.reindex(column.index)
    for value in values:
        yield f"{name}={value}", (mine == value).to_numpy(dtype=np.float32)


def _leave_out(name: str) -> str:
    return f"leave it out with --exclude-column {name} (in Python ColumnNames(exclude=({name!r},)))"
