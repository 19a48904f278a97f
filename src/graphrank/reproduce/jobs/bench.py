"""What the jobs of one run share: datasets that were read, and the last embeddings."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from torch_geometric.data import Data

from graphrank.analysis.ledger import Analysed
from graphrank.data import GraphSet, load
from graphrank.errors import DataError
from graphrank.tasks.fits import Fit, Fits


@dataclass(frozen=True)
class Bench:
    """A place to work at.

    Args:
        data_root: folder of published datasets; none for the usual one.
        fits: embeddings that several cells need, such as classification and clustering.
        analysed: fits that several studies need, such as those of geometry and false negatives.
    """

    data_root: Path | None = None
    fits: Fits[Fit] = field(default_factory=Fits)
    analysed: Fits[Analysed] = field(default_factory=Fits)

    def dataset(self, name: str) -> Data | GraphSet:
        """The graph or the set of graphs of that name."""
        return _read(name, self.data_root)

    def graph(self, name: str) -> Data:
        """The graph of that name; refuses a set of graphs."""
        found = self.dataset(name)
        if isinstance(found, GraphSet):
            raise DataError(f"{name} is a set of graphs and this needs one graph")
        return found


@lru_cache(maxsize=2)
def _read(name: str, data_root: Path | None) -> Data | GraphSet:
    return load(name, data_root=data_root)
