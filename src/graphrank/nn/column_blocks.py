"""Matrices of very many nodes, some columns at a time."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

# What a matrix of all nodes may take: training holds some ten of them at a time.
_MOST_BYTES = 128 << 20
# Products of fewer columns spend their time on finding rows.
_FEWEST = 16


def columns_at_once(nodes: int, columns: int, item_bytes: int = 4) -> int:
    """How many columns of a ``[nodes, columns]`` matrix are there at a time: all of a small one."""
    most = _MOST_BYTES // (item_bytes * max(nodes, 1))
    return min(columns, max(most, _FEWEST))


def by_columns(function: Callable[[Tensor], Tensor], hidden: Tensor) -> Tensor:
    """What a function makes of ``[nodes, channels]``, where it makes each column for itself.

    Of very many nodes it is given some columns at a time, so that what it needs on its way is
    small. Without gradients.
    """
    nodes, channels = hidden.shape
    at_once = columns_at_once(nodes, channels)
    if at_once == channels:
        return function(hidden)
    found = torch.empty_like(hidden)
    for start in range(0, channels, at_once):
        some = slice(start, start + at_once)
        found[:, some] = function(hidden[:, some].contiguous())
    return found
