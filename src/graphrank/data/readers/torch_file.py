"""Graphs saved with ``torch.save``, read without running any code that they may hold."""

from __future__ import annotations

from pathlib import Path

import torch
from torch_geometric.data import Data, HeteroData
from torch_geometric.data.data import DataEdgeAttr, DataTensorAttr
from torch_geometric.data.storage import BaseStorage, EdgeStorage, GlobalStorage, NodeStorage

from graphrank.data.graphset import GraphSet
from graphrank.data.pack import pack
from graphrank.data.raw import RawGraph
from graphrank.data.readers.hetero import read_hetero
from graphrank.data.readers.pyg import read_pyg
from graphrank.data.report import LoadReport
from graphrank.errors import DataError

_CLASSES = [
    Data, HeteroData, DataEdgeAttr, DataTensorAttr, BaseStorage, GlobalStorage, NodeStorage,
    EdgeStorage, LoadReport,
]  # fmt: skip


def read_torch_file(path: Path) -> RawGraph | GraphSet:
    """Read a PyG ``Data`` or ``HeteroData`` object or a dictionary of tensors with ``edge_index``.

    A list or tuple of them is a set of graphs, packed as :func:`graphrank.data.load` packs one.

    Raises:
        DataError: If the file holds anything else.
    """
    try:
        with torch.serialization.safe_globals(_CLASSES):
            content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # a damaged or hostile file can raise anything
        raise DataError(_how_to_save(path)) from error
    if isinstance(content, list | tuple):
        return pack([_graph(each, path) for each in content], path.stem)
    if isinstance(content, HeteroData):
        return read_hetero(content, path.stem)
    graph = _graph(content, path)
    return read_pyg(graph, graph.get("name") or path.stem)


def _graph(content: object, path: Path) -> Data:
    """One graph of the file."""
    if isinstance(content, dict) and "edge_index" in content:
        return Data.from_dict(content)
    if isinstance(content, Data):
        return content
    raise DataError(_how_to_save(path))


def _how_to_save(path: Path) -> str:
    """Say what a readable file holds."""
    return (
        f"{path.name} holds neither a PyG Data object, a dictionary of tensors, nor a list of such;"
        " save it with torch.save({'edge_index': data.edge_index, 'x': data.x, 'y': data.y}, path)"
    )
