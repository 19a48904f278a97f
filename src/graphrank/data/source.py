"""Choosing the reader by what the source of a graph is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd
from scipy import sparse
from torch_geometric.data import Data, HeteroData

from graphrank.data.builtin import BUILT_IN
from graphrank.data.catalog import DatasetInfo, dataset_info, find
from graphrank.data.columns import ColumnNames
from graphrank.data.graphset import GraphSet
from graphrank.data.locate import locate
from graphrank.data.raw import RawGraph
from graphrank.data.readers.arrays import (
    is_array,
    is_edge_list,
    read_array,
    read_edge_list,
)
from graphrank.data.readers.edge_table import read_edge_table
from graphrank.data.readers.graph_lines import read_graph_lines
from graphrank.data.readers.hetero import read_hetero
from graphrank.data.readers.mat import read_mat
from graphrank.data.readers.matrix import read_matrix, read_matrix_market
from graphrank.data.readers.npz import read_npz, read_shchur
from graphrank.data.readers.nx import is_networkx, read_networkx
from graphrank.data.readers.nx_file import NETWORKX_FILES, read_networkx_file
from graphrank.data.readers.planetoid import read_planetoid
from graphrank.data.readers.pyg import read_pyg
from graphrank.data.readers.torch_file import read_torch_file
from graphrank.data.readers.tu import read_tu
from graphrank.data.synthetic import is_synthetic, make_synthetic
from graphrank.data.tables import kind_of
from graphrank.errors import DataError

GraphSource: TypeAlias = Any  # see the first argument of graphrank.data.load


def read_source(
    source: GraphSource, root: str | Path | None, columns: ColumnNames
) -> RawGraph | GraphSet:
    """Read a graph from a name, a file or an object.

    Args:
        source: See :func:`graphrank.data.load`.
        root: The data root, for datasets.
        columns: Names of the columns, for tables.

    Raises:
        DataError: If the source is of no known kind or cannot be read.
    """
    if isinstance(source, str | Path):
        return _read_text(source, root, columns)
    for belongs, read in _OBJECTS:
        if belongs(source):
            return read(source, columns)
    raise DataError(
        f"a {type(source).__name__} is no graph; give a name, a file, a data frame, a networkx"
        " graph, a matrix, a list of edges or a PyG Data"
    )


_OBJECTS: tuple[tuple[Callable[[Any], bool], Callable[[Any, ColumnNames], RawGraph]], ...] = (
    (lambda given: isinstance(given, Data), lambda given, _: read_pyg(given)),
    (lambda given: isinstance(given, HeteroData), lambda given, _: read_hetero(given)),
    (lambda given: isinstance(given, pd.DataFrame), read_edge_table),
    (sparse.issparse, lambda given, names: read_matrix(given, bipartite=names.bipartite)),
    (is_networkx, lambda given, _: read_networkx(given)),
    (is_array, lambda given, names: read_array(given, bipartite=names.bipartite)),
    (is_edge_list, lambda given, names: read_edge_list(given, bipartite=names.bipartite)),
)


def find_source(source: str | Path) -> DatasetInfo | Path | None:
    """What a name or path stands for: a dataset, a file, or, where none, a synthetic graph.

    Nothing is read and nothing downloaded, so that many names can be checked at once.

    Raises:
        DataError: If it stands for nothing.
    """
    text, path = str(source), Path(source).expanduser()
    if isinstance(source, str) and is_synthetic(source):
        return None
    info = find(text) if isinstance(source, str) else None
    if info is not None:
        return info
    if not path.exists():
        if path.suffix or len(path.parts) > 1 or isinstance(source, Path):
            raise DataError(f"there is no file {text!r}; check the path")
        return dataset_info(text)
    return path


def _read_text(
    source: str | Path, root: str | Path | None, columns: ColumnNames
) -> RawGraph | GraphSet:
    """Read a synthetic graph, a dataset or a file, in this order."""
    found = find_source(source)
    if found is None:
        return make_synthetic(str(source))
    if isinstance(found, DatasetInfo):
        return _read_dataset(found, root)
    return _read_file(found, columns)


def _read_file(path: Path, columns: ColumnNames) -> RawGraph | GraphSet:
    """Choose the reader by the ending; a folder is a set of graphs."""
    suffix = kind_of(path)
    if path.is_dir() or suffix == ".zip":
        folder = path / "raw" if (path / "raw").is_dir() else path
        return read_tu(folder, _tu_name(folder) or path.stem)
    if suffix not in _FILES and suffix not in _TABLES:
        known = ", ".join(sorted([*_FILES, *filter(None, _TABLES)]))
        raise DataError(f"files ending in {suffix!r} cannot be read; known are {known}")
    if suffix in _TABLES:
        return read_edge_table(path, columns)
    if path.suffix.lower() == ".gz":
        raise DataError(f"{path.name} is compressed, and only tables can be; unpack it with gunzip")
    if columns.bipartite and suffix in _MATRICES:
        return _MATRICES[suffix](path, bipartite=True)
    return _FILES[suffix](path)


def _tu_name(folder: Path) -> str | None:
    """``NAME`` of the one ``NAME_A.txt`` in a folder, which may itself be called otherwise."""
    found = [file.name.removesuffix("_A.txt") for file in folder.glob("*_A.txt")]
    return found[0] if folder.is_dir() and len(found) == 1 else None


_TABLES = (".csv", ".tsv", ".txt", ".edges", ".edgelist", ".parquet", ".pq", "")
_MATRICES: dict[str, Callable[..., RawGraph]] = {".npz": read_npz, ".mtx": read_matrix_market}
_FILES: dict[str, Callable[[Path], RawGraph | GraphSet]] = {
    ".jsonl": read_graph_lines,
    **_MATRICES,
    **dict.fromkeys(NETWORKX_FILES, read_networkx_file),
    ".mat": read_mat,
    ".pt": read_torch_file,
    ".pth": read_torch_file,
}


def _read_dataset(info: DatasetInfo, root: str | Path | None) -> RawGraph | GraphSet:
    """Read a dataset of the catalogue from its published files."""
    if info.built_in:
        return BUILT_IN[info.name]()
    place = locate(info, root)
    return _FAMILIES[info.family](place, info)


_FAMILIES: dict[str, Callable[[Path, DatasetInfo], RawGraph | GraphSet]] = {
    "planetoid": lambda folder, info: read_planetoid(folder, info.name),
    "amazon": lambda folder, info: read_shchur(folder / info.files[0], info.name),
    "coauthor": lambda folder, info: read_shchur(folder / info.files[0], info.name),
    "tu": lambda place, info: read_tu(place, info.name, published=True),
}
