"""An embedding in fewer numbers: its leading directions, found once and kept for other graphs."""

from __future__ import annotations

import logging
from collections.abc import Iterable

import torch
from torch import Tensor

from graphrank.nn.features import FeatureMatrix
from graphrank.nn.readout import Part
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
            embedding: ``[rows, columns]``; :func:`some_nodes` are enough.
            width: numbers a row to keep; where there are no more, all stay as they are.
        """
        columns = embedding.size(1)
        if width >= columns:
            _log.warning("the embedding has %d numbers: dimensions=%d keeps all", columns, width)
            self.remember("directions", embedding.new_empty(0, 0))
            return
        found = right_singular_vectors(FeatureMatrix(embedding, embedding.device), width)
        self.remember("directions", found)

    @property
    def cuts(self) -> bool:
        """Whether there are directions to turn to."""
        return self.directions.numel() > 0

    def of_parts(self, parts: Iterable[Part]) -> Tensor:
        """The same as of all parts side by side, which are never there at once: ``[rows, width]``.

        Only where it :attr:`cuts`.
        """
        total: Tensor | None = None
        start = 0
        for part in parts:
            own = self.directions[start : start + part.columns]
            start += part.columns
            scaled = torch.empty_like(part.rows)
            part.put(scaled)
            del part
            total = scaled @ own if total is None else total.addmm_(scaled, own)
        assert total is not None
        return total

    def forward(self, embedding: Tensor) -> Tensor:
        """``[rows, width]``, or the embedding itself where nothing was measured."""
        return embedding @ self.directions if self.cuts else embedding


def some_nodes(nodes: int, device: torch.device) -> Tensor:
    """Nodes to measure on, drawn from torch's global random state: all, or enough of very many."""
    if nodes <= _ROWS:
        return torch.arange(nodes, device=device)
    return torch.randperm(nodes)[:_ROWS].to(device)
