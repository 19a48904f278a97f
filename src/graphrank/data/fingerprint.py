"""A short name for the content of a graph."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

import torch
from torch import Tensor
from torch_geometric.data import Data

from graphrank.data.graphset import GraphSet

_OF_GRAPH = ("edge_index", "edge_weight", "x")
_OF_SET = ("edge_index", "ptr", "x", "node_label")
_JUDGED_BY = ("y", "train_mask", "val_mask", "test_mask")


def fingerprint(data: Data | GraphSet, *, with_labels: bool = False) -> str:
    """Return the SHA-256 of edges, weights and features, as 64 hexadecimal digits.

    Labels, ids and names do not count: two graphs with the same fingerprint train alike. In a set
    of graphs the labels of nodes are features, and count with their names.

    Args:
        data: The graph, or the set of graphs.
        with_labels: Whether labels and masks count, too: two graphs with the same fingerprint are
            then judged alike.
    """
    digest = hashlib.sha256()
    if isinstance(data, GraphSet):
        digest.update(json.dumps(list(data.label_names)).encode())
    names = _OF_SET if isinstance(data, GraphSet) else _OF_GRAPH
    for name in (*names, *(_JUDGED_BY if with_labels else ())):
        value = getattr(data, name, None)
        for tensor in () if value is None else _parts(value):
            dense = tensor.detach().cpu().contiguous()
            digest.update(f"{name} {dense.dtype} {list(dense.shape)};".encode())
            digest.update(dense.numpy().data)
    return digest.hexdigest()


def _parts(value: Tensor) -> Iterator[Tensor]:
    """Yield the dense tensors that make up ``value``."""
    if value.layout != torch.sparse_csr:
        yield value
        return
    yield torch.tensor(value.shape)
    yield value.crow_indices()
    yield value.col_indices()
    yield value.values()
