"""Graphs saved with ``torch.save``, read without running any code that they may hold."""

from __future__ import annotations

from pathlib import Path

import torch
from torch_geometric.data import Data
from torch_geometric.data.data import DataEdgeAttr, DataTensorAttr
from torch_geometric.data.storage import EdgeStorage, GlobalStorage, NodeStorage

from graphrank.data.raw import RawGraph
from graphrank.data.readers.pyg import read_pyg
from graphrank.data.report import LoadReport
from graphrank.errors import DataError

_CLASSES = [Data, DataEdgeAttr, DataTensorAttr, GlobalStorage, NodeStorage, EdgeStorage, LoadReport]


def read_torch_file(path: Path) -> RawGraph:
    """Read a PyG ``Data`` object or a dictionary of tensors with ``edge_index``.

    Raises:
        DataError: If the file holds anything else.
    """
    try:
        with torch.serialization.safe_globals(_CLASSES):
            content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # a damaged or hostile file can raise anything
        raise DataError(_how_to_save(path)) from error
    if isinstance(content, dict) and "edge_index" in content:
        content = Data.from_dict(content)
    if not isinstance(content, Data):
        raise DataError(_how_to_save(path))
    return read_pyg(content, content.get("name") or path.stem)


def _how_to_save(path: Path) -> str:
    """Say what a readable file holds."""
    return (
        f"{path.name} holds neither one PyG Data object nor a dictionary of tensors; save it with"
        " torch.save({'edge_index': data.edge_index, 'x': data.x, 'y': data.y}, path)"
    )
