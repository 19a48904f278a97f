"""How well a node's own features tell which neighbourhood is its own; no label is needed for it.

Where they tell it nearly always, a node can be believed. Where they do better than chance and no
more, single nodes are noisy, and only averages over many of them say what is around.
"""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.losses import random_negatives
from graphrank.nn.sparse import spmm

# Other neighbourhoods that each node is compared with.
_OTHERS = 8


def neighborhood_agreement(adjacency: Adjacency, rows: Tensor) -> float:
    """How often a node's features are nearer to its neighbours' sum than to another node's.

    By cosine, a tie counts half, and nodes without neighbours are left out. The other nodes are
    drawn from torch's global random state.

    Args:
        adjacency: the graph.
        rows: ``[nodes, columns]`` features.

    Returns:
        Between 0 and 1; one half says that features and edges have nothing to do with each other,
        and 1 is returned where no two nodes have neighbours.
    """
    around = _neighbor_sums(adjacency, rows)
    joined = (around.abs().sum(dim=1) > 0).nonzero().flatten()
    if joined.numel() < 2:
        return 1.0
    own, around = F.normalize(rows[joined], dim=1), F.normalize(around[joined], dim=1)
    to_own = (own * around).sum(dim=1)
    wins = 0.0
    for others in random_negatives(joined.numel(), _OTHERS, joined.device).T:
        to_other = (own * around[others]).sum(dim=1)
        wins += float(((to_own - to_other).sign() + 1).mean()) / 2
    return wins / _OTHERS


def _neighbor_sums(adjacency: Adjacency, rows: Tensor) -> Tensor:
    """The sum of the neighbours' rows, by the weights of their edges, without the node itself."""
    weight = adjacency.weight.masked_fill(adjacency.is_loop, 0.0).to(rows.dtype)
    return spmm(adjacency.pattern, weight, rows, symmetric=adjacency.is_symmetric)
