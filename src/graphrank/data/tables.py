"""Tables in text files and parquet files, with node ids kept exactly as they are written."""

from __future__ import annotations

import csv
import gzip
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pandas as pd
import pyarrow
from pyarrow import parquet

from graphrank.data.labels import MISSING
from graphrank.errors import DataError

_PARQUET = (".parquet", ".pq")
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_BLANKS = r"\s+"
_COMMENTS = ("#", "%")
_READ_ERRORS = (ValueError, OSError, EOFError, pyarrow.ArrowException, pd.errors.ParserWarning)

Source: TypeAlias = Path | pd.DataFrame


@dataclass(frozen=True)
class Layout:
    """How a table is written.

    Attributes:
        source: The file, or a table in memory.
        names: Names of the columns; "0", "1", ... where the file has none.
        delimiter: What separates the cells of a text file.
        skip: Lines before the first row of values.
        named: Whether the file names its columns.
        guessed: Whether that was decided by the look of the first row.
    """

    source: Source
    names: tuple[str, ...]
    delimiter: str = ","
    skip: int = 0
    named: bool = True
    guessed: bool = False

    @property
    def label(self) -> str:
        """What the table is called in messages."""
        return "the table" if isinstance(self.source, pd.DataFrame) else self.source.name


def kind_of(path: Path) -> str:
    """The ending that says what a file holds: that before ``.gz`` where it is compressed."""
    suffix = path.suffix.lower()
    return Path(path.stem).suffix.lower() if suffix == ".gz" else suffix


def name_of(path: Path) -> str:
    """The name of a file without the endings that :func:`kind_of` looks at."""
    return Path(path.stem).stem if path.suffix.lower() == ".gz" else path.stem


def describe(source: Source, header: bool | None, *, leading: int | None) -> Layout:
    """Find out how a table is written.

    Args:
        source: A csv, tsv, parquet or other text file, or a data frame.
        header: Whether there is a row of names; None decides by the first row.
        leading: A first row is taken as values if so many first cells (None: all) are numbers.

    Raises:
        DataError: If the file cannot be read, is empty or names a column twice.
    """
    if isinstance(source, pd.DataFrame):
        layout = Layout(source, tuple(str(name) for name in source.columns))
    else:
        layout = _describe_file(source, header, leading)
    if len(set(layout.names)) < len(layout.names):
        raise DataError(f"{layout.label} has two columns of the same name; rename one")
    return layout


def read(layout: Layout, keys: Sequence[str], values: Sequence[str]) -> pd.DataFrame:
    """Read the named columns; ``keys`` of text files stay text, whatever they look like.

    Raises:
        DataError: If rows are broken.
    """
    wanted = [*keys, *values]
    if isinstance(layout.source, pd.DataFrame):
        return layout.source.rename(columns=str)[wanted]
    try:
        if layout.source.suffix.lower() in _PARQUET:
            return pd.read_parquet(layout.source, columns=wanted)
        return _read_text(layout, layout.source, keys, values)
    except UnicodeDecodeError as error:
        raise _not_utf8(layout.label) from error
    except _READ_ERRORS as error:
        raise DataError(f"{layout.label} has broken rows ({error}); mend them") from error


def _describe_file(path: Path, header: bool | None, leading: int | None) -> Layout:
    """Look at the first lines of a text file, or at the schema of a parquet file."""
    try:
        if path.suffix.lower() in _PARQUET:
            return Layout(path, tuple(parquet.read_schema(path).names))
        skip, line = _first_line(path)
    except UnicodeDecodeError as error:
        raise _not_utf8(path.name) from error
    except _READ_ERRORS as error:
        raise DataError(
            f"{path.name} cannot be read as a table ({error}); save it again"
        ) from error
    if not line:
        raise DataError(f"{path.name} is empty; give it at least one row")
    delimiter = _delimiter(path, line)
    cells = line.split() if delimiter == _BLANKS else next(csv.reader([line], delimiter=delimiter))
    named = header if header is not None else not all(map(_is_number, cells[:leading]))
    names = [cell.strip() for cell in cells] if named else [str(i) for i in range(len(cells))]
    guessed = named and header is None
    return Layout(path, tuple(names), delimiter, skip + named, named, guessed)


def _not_utf8(name: str) -> DataError:
    """What to say of text in an older encoding, as spreadsheets may write it."""
    return DataError(f"{name} is not text in UTF-8; save it as CSV with the encoding UTF-8")


def _first_line(path: Path) -> tuple[int, str]:
    """Return the first line that is neither blank nor a comment, and how many are before it."""
    compressed = path.suffix.lower() == ".gz"
    with (
        gzip.open(path, "rt", encoding="utf-8-sig")
        if compressed
        else path.open(encoding="utf-8-sig") as file
    ):
        for number, line in enumerate(file):
            if line.strip() and not line.startswith(_COMMENTS):
                return number, line.rstrip("\r\n")
    return 0, ""


def _delimiter(path: Path, line: str) -> str:
    """Choose the usual delimiter of the file's kind if it occurs, else one that does."""
    usual = _DELIMITERS.get(kind_of(path), "\t")
    return next((mark for mark in (usual, "\t", ",", ";") if mark in line), _BLANKS)


def _is_number(cell: str) -> bool:
    """Tell whether a cell is a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _read_text(
    layout: Layout, path: Path, keys: Sequence[str], values: Sequence[str]
) -> pd.DataFrame:
    """Read a text file; key columns become categories, so that no one takes them for typed text."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)  # rows longer than the first
        frame = pd.read_csv(
            path,
            sep=layout.delimiter,
            header=None,
            names=list(layout.names),
            skiprows=layout.skip,
            index_col=False,
            dtype=dict.fromkeys(keys, "str"),
            keep_default_na=False,
            na_values={name: list(MISSING) for name in values},
            skipinitialspace=True,
            encoding="utf-8-sig",
        )
    return frame[[*keys, *values]].astype(dict.fromkeys(keys, "category"))
