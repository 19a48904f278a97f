"""An embedding in fewer numbers: its leading directions, found once and kept for other graphs."""

from __future__ import annotations

import logging

import torch
from torch import Tensor

from graphrank.nn.features import FeatureMatrix
from graphrank.nn.sized_by_data import SizedByData
from graphrank.nn.svd import right_singular_vectors

_log = logging.getLogger("graphrank")

# Directions are found on so many rows: a few hundred of them are well told by some thousands.
_ROWS = 20_000


class Narrowing(SizedByData):
    """Embeddings turned to the leading directions of one of them, and cut.

    Rows are not centred: of all turns to so many numbers this one changes dot products least, so
    that cosines stay near what they were. Until :meth:`measure` embeddings stay as they are.
    """

    directions: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("directions", torch.empty(0, 0))

    def measure(self, embedding: Tensor, width: int) -> None:
        """Find the directions, drawing from torch's global random state.

        Args:
            embedding: ``[rows, columns]``.
            width: numbers a row to keep; where there are no more, all stay as they are.
        """
        rows, columns = embedding.shape
        if width >= columns:
            _log.warning("the embedding has %d numbers: dimensions=%d keeps all", columns, width)
            self.remember("directions", embedding.new_empty(0, 0))
            return
        if rows > _ROWS:
            embedding = embedding[torch.randperm(rows)[:_ROWS].to(embedding.device)]
        found = right_singular_vectors(FeatureMatrix(embedding, embedding.device), width)
        self.remember("directions", found)

    def forward(self, embedding: Tensor) -> Tensor:
        """``[rows, width]``, or the embedding itself where nothing was measured."""
        return embedding @ self.directions if self.directions.numel() else embedding
