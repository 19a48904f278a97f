"""One function for every kind of graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torch_geometric.data import Data

from graphrank.data.assemble import assemble
from graphrank.data.builtin import BUILT_IN
from graphrank.data.catalog import DatasetInfo, dataset_info
from graphrank.data.locate import locate
from graphrank.data.raw import RawGraph
from graphrank.data.readers.npz import read_shchur
from graphrank.data.readers.planetoid import read_planetoid
from graphrank.data.readers.pyg import read_pyg
from graphrank.data.synthetic import is_synthetic, make_synthetic


def load(
    source: Any,
    *,
    directed: bool = False,
    data_root: str | Path | None = None,
    structural_features: bool = True,
) -> Data:
    """Load a graph (early form)."""
    raw = _read(source, data_root)
    return assemble(raw, directed=directed, structural=structural_features)


def _read(source: Any, root: str | Path | None) -> RawGraph:
    if isinstance(source, Data):
        return read_pyg(source)
    if is_synthetic(source):
        return make_synthetic(source)
    return _read_named(dataset_info(source), root)


def _read_named(info: DatasetInfo, root: str | Path | None) -> RawGraph:
    if info.built_in:
        return BUILT_IN[info.name]()
    folder = locate(info, root)
    if info.family == "planetoid":
        return read_planetoid(folder, info.name)
    return read_shchur(folder / info.files[0], info.name)
