"""Rows that k-means divides well: what an embedding says, no direction drowned, a little smoothed.

k-means measures distances, so the few largest directions of an embedding decide, and hundreds of
small ones add noise to each distance. The leading ones at more equal sizes tell groups apart
better. Halfway to the mean of its neighbours, a node between two groups goes with those it is
joined to; all the way would be too far for graphs whose edges cross groups often.
"""

from __future__ import annotations

from torch import Tensor

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.sparse import spmm
from graphrank.nn.spectrum import Spectrum
from graphrank.training.randomness import seeded

_DIRECTIONS = 64
_POWER = 0.5
_OWN_SHARE = 0.5


def evened_rows(embedding: Tensor, adjacency: Adjacency) -> Tensor:
    """Rows ``[nodes, at most 64]`` to run k-means on; the same whatever was drawn before.

    Args:
        embedding: ``[nodes, channels]``.
        adjacency: the graph of the nodes.
    """
    with seeded(0, embedding.device):
        rows = Spectrum.of(embedding, _DIRECTIONS).flattened(_POWER)
    around = spmm(adjacency.pattern, adjacency.normalized_weight.to(rows.dtype), rows)
    return _OWN_SHARE * rows + (1 - _OWN_SHARE) * around
