"""Graphs given as PyG ``Data`` objects, which are read and never changed."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.data.storage import BaseStorage

from graphrank.data.features import feature_matrix
from graphrank.data.raw import IntArray, NodeIds, RawGraph
from graphrank.errors import DataError

_LOGGER = logging.getLogger("graphrank")
_MASKS = ("train_mask", "val_mask", "test_mask")


def read_pyg(data: Data, name: str | None = None) -> RawGraph:
    """Read what the package knows of a PyG graph; other attributes are left behind.

    Labels that are not one whole number a node are left out with a warning, because learning
    without labels does not need them.

    Args:
        data: The graph; sparse features of any layout are taken as CSR.
        name: How the graph is called; by default ``data.name``.

    Raises:
        DataError: If there is no usable ``edge_index``.
    """
    name = name or data.get("name") or "graph"
    row, col = read_edges(data, name)
    nodes = int(data.num_nodes or 0)
    x = data.get("x")
    return RawGraph(
        row,
        col,
        nodes,
        name,
        weight=weights_of(data, name),
        x=None if x is None or _was_structural(data) else feature_matrix(x),
        y=labels_of(data, nodes, name),
        class_names=data.get("class_names"),
        node_id=ids_of(data.get("node_id")),
        feature_names=None if _was_structural(data) else data.get("feature_names"),
        masks=masks_of(data),
        kind=_kind(data),
        kind_names=_kind_names(data),
    )


def read_edges(data: Data | BaseStorage, name: str) -> tuple[IntArray, IntArray]:
    """Return both ends of the edges.

    Raises:
        DataError: If ``edge_index`` is missing or has another shape.
    """
    edge_index = data.get("edge_index")
    if not isinstance(edge_index, Tensor) or edge_index.dim() != 2 or len(edge_index) != 2:
        raise DataError(f"{name} has no edge_index of shape [2, edges]; set data.edge_index")
    if edge_index.is_floating_point() or edge_index.dtype == torch.bool:
        raise DataError(f"edge_index of {name} must be whole numbers; convert it with .long()")
    row, col = edge_index.detach().cpu().to(torch.int64).numpy()
    return row, col


def weights_of(data: Data | BaseStorage, name: str) -> NDArray[Any] | None:
    """Return ``edge_weight``, or ``edge_attr`` where it is one real number an edge."""
    for key in ("edge_weight", "edge_attr"):
        weight = data.get(key)
        if weight is None or weight.dim() > 2 or weight.numel() != weight.size(0):
            continue
        if key == "edge_attr" and not weight.is_floating_point():
            _LOGGER.warning(
                "%s: edge_attr has whole numbers, taken as kinds of edges and left out; set"
                " edge_weight if they are weights",
                name,
            )
            continue
        return np.asarray(weight.detach().cpu().reshape(-1).to(torch.float64).numpy())
    return None


def labels_of(data: Data | BaseStorage, nodes: int, name: str) -> IntArray | None:
    """Return ``y`` where it is one whole number a node."""
    y = data.get("y")
    if y is None:
        return None
    if y.is_floating_point() or y.is_complex() or y.numel() != nodes:
        _LOGGER.warning("%s: y is not one class for each node and is left out", name)
        return None
    return np.asarray(y.detach().cpu().reshape(-1).to(torch.int64).numpy())


def ids_of(given: Tensor | NDArray[Any] | Iterable[Any] | None) -> NodeIds | None:
    """Return the ids as a list."""
    if given is None:
        return None
    return given.tolist() if isinstance(given, Tensor | np.ndarray) else list(given)


def masks_of(data: Data | BaseStorage) -> dict[str, NDArray[np.bool_]]:
    """Return the masks that are a single split."""
    return {key: data[key].cpu().numpy() for key in _MASKS if _is_mask(data.get(key))}


def _is_mask(mask: object) -> bool:
    """Tell whether ``mask`` is a single split."""
    return isinstance(mask, Tensor) and mask.dtype == torch.bool and mask.dim() == 1


def _kind(data: Data) -> IntArray | None:
    """Return the kinds of nodes of a graph that was loaded with two."""
    kind = data.get("node_kind")
    return None if kind is None or "kind_names" not in data else kind.cpu().numpy()


def _kind_names(data: Data) -> tuple[str, str] | None:
    """Return what these kinds are called."""
    if _kind(data) is None:
        return None
    first, second = data.kind_names
    return first, second


def _was_structural(data: Data) -> bool:
    """Tell whether the features were derived from the structure, and so are derived again."""
    return bool(data.get("feature_source") == "structural")
