"""Random columns of each row of a sparse matrix: a sample of the places where nothing is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from graphrank.nn.sparse import SparsePattern


@dataclass(frozen=True, eq=False)
class DrawnColumns:
    """Some columns of each row, as many in all of them.

    What is sorted or looked up for them is so once, however many matrices they serve.

    Args:
        places: ``[rows, columns]`` pattern of what was drawn; a place may stand there twice.
        filled: ``[rows * k]`` whether the matrix has something at each of them.
    """

    places: SparsePattern
    filled: Tensor

    @classmethod
    def of(cls, pattern: SparsePattern, columns: Tensor) -> Self:
        """These columns.

        Args:
            pattern: what the matrix has.
            columns: ``[rows, k]``.
        """
        places = SparsePattern.of_columns(columns, pattern.shape[1])
        return cls(places, _is_filled(pattern, columns).flatten())

    @classmethod
    def draw(cls, pattern: SparsePattern) -> Self:
        """Uniform ones, about as many in all as the pattern has entries."""
        rows, columns = pattern.shape
        k = max(1, math.ceil(pattern.num_entries / rows))
        return cls.of(pattern, torch.randint(columns, (rows, k), device=pattern.column.device))

    @property
    def share(self) -> float:
        """The share of all columns that a row has here."""
        rows, columns = self.places.shape
        return self.places.num_entries / max(1, rows * columns)


def _is_filled(pattern: SparsePattern, columns: Tensor) -> Tensor:
    """``[rows, k]`` whether the pattern has an entry at each of these columns of each row."""
    if pattern.num_entries == 0:
        return torch.zeros_like(columns, dtype=torch.bool)
    key = pattern.row * pattern.shape[1] + pattern.column
    rows = torch.arange(pattern.shape[0], device=columns.device).unsqueeze(1)
    asked = rows * pattern.shape[1] + columns
    place = torch.searchsorted(key, asked).clamp_max(key.numel() - 1)
    return key[place] == asked
