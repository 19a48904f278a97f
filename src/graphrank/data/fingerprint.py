"""A short name for the content of a graph."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import torch
from torch import Tensor
from torch_geometric.data import Data


def fingerprint(data: Data) -> str:
    """Return the SHA-256 of edges, weights and features, as 64 hexadecimal digits.

    Labels, ids and names do not count: two graphs with the same fingerprint train alike.
    """
    digest = hashlib.sha256()
    for name in ("edge_index", "edge_weight", "x"):
        value = data.get(name)
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
