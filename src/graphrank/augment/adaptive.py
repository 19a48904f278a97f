"""Corruptions that spare what is central: a chance to be dropped for each edge and each column.

Reference: Zhu et al., "Graph Contrastive Learning with Adaptive Augmentation", 2021, section 3.2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

import torch
from torch import Tensor

from graphrank.augment.views import Corruption
from graphrank.nn.adjacency import Adjacency
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.graph_input import GraphInput

CentralityName = Literal["degree", "pagerank", "eigenvector"]

# No edge or column is dropped more often than this, however far from the centre.
CAP = 0.7
# Logarithms of centralities that differ by less are equal but for rounding.
_EQUAL = 1e-9


@dataclass(frozen=True, eq=False)
class DropWeights:
    """How much more often than on average each part of a graph is dropped.

    Args:
        edge: ``[entries]`` of the adjacency pattern, mean one over edges; self-loops have zero.
        column: ``[features]``, mean one over columns that occur.
    """

    edge: Tensor
    column: Tensor


# A graph's weights are worked out once; they go when the graph goes.
_KNOWN: WeakKeyDictionary[GraphInput, dict[str, DropWeights]] = WeakKeyDictionary()


def adaptive_corruption(
    graph: GraphInput, centrality: CentralityName, edge_drop: float, feature_mask: float
) -> Corruption:
    """A corruption with a chance for each directed edge and each feature column.

    Args:
        graph: the graph that will be corrupted, and no other.
        centrality: of nodes; edges into central ones and columns of central ones are spared.
        edge_drop: mean chance of an edge, before the cap of 0.7.
        feature_mask: mean chance of a column, before the cap of 0.7.
    """
    weights = drop_weights(graph, centrality)
    return Corruption(
        edge_drop=(weights.edge * edge_drop).clamp_max_(CAP),
        feature_mask=(weights.column * feature_mask).clamp_max_(CAP),
        pairwise=False,
    )


def drop_weights(graph: GraphInput, centrality: CentralityName) -> DropWeights:
    """The weights of a graph's edges and columns, from memory where they are known."""
    known = _KNOWN.setdefault(graph, {})
    if centrality not in known:
        of_node = CENTRALITIES[centrality](graph.adjacency)
        edge, column = edge_weight(graph.adjacency, of_node), column_weight(graph.features, of_node)
        known[centrality] = DropWeights(edge.float(), column.float())
    return known[centrality]


def edge_weight(adjacency: Adjacency, centrality: Tensor) -> Tensor:
    """``[entries]`` weight of each edge by the centrality of the node that it leads to."""
    is_edge = ~adjacency.is_loop
    weight = centrality.new_zeros(is_edge.numel())
    weight[is_edge] = _spared_by(centrality[adjacency.pattern.row[is_edge]])
    return weight


def column_weight(features: FeatureMatrix, centrality: Tensor) -> Tensor:
    """``[features]`` weight of each column by the centralities of the nodes that have it.

    A node has a column where its entry is not zero. Where more than half of all entries are so,
    that says little, and the size of the entry counts instead.
    """
    occurs = features.mapped(lambda x: (x != 0).to(x.dtype))
    ones = torch.ones(features.shape[0], 1, device=features.device, dtype=features.dtype)
    filled = float(occurs.project_transposed(ones).sum()) / (features.shape[0] * features.shape[1])
    counted = features.mapped(torch.abs) if filled > 0.5 else occurs
    # At most one, so that single precision holds the sums of any graph.
    share = (centrality / centrality.max().clamp_min(1e-30)).to(features.dtype)
    return _spared_by(counted.project_transposed(share.unsqueeze(1)).squeeze(1).double())


def degree(adjacency: Adjacency) -> Tensor:
    """``[nodes]`` sum of the weights of the edges that lead to a node."""
    return adjacency.pattern.row_sums(_without_loops(adjacency))


def pagerank(adjacency: Adjacency, damping: float = 0.85, iterations: int = 200) -> Tensor:
    """``[nodes]`` share of time that a walker spends at a node; all shares sum to one.

    The walker follows an edge with chance ``damping`` and otherwise, or where no edge leads on,
    starts anew at any node.
    """
    weight, pattern = _without_loops(adjacency), adjacency.pattern
    leaving = pattern.column_sums(weight)
    stuck = leaving == 0
    step = weight / leaving.clamp_min(1e-30)[pattern.column]
    at = torch.full_like(leaving, 1 / adjacency.num_nodes)
    for _ in range(iterations):
        moved = pattern.multiply(step, at.unsqueeze(1)).squeeze(1)
        anew = 1 - damping + damping * at[stuck].sum()
        at = damping * moved + anew / adjacency.num_nodes
    return at


def eigenvector(adjacency: Adjacency, iterations: int = 2000, tolerance: float = 1e-9) -> Tensor:
    """``[nodes]`` leading eigenvector of the adjacency matrix, of length one, nowhere below 1e-8.

    Found by power iteration. The mean degree is added to the diagonal, which changes no
    eigenvector and keeps graphs of two alternating sides from swinging for ever.
    """
    weight, pattern = _without_loops(adjacency), adjacency.pattern
    shift = pattern.row_sums(weight).mean().clamp_min(1e-30)
    vector = weight.new_full((adjacency.num_nodes,), adjacency.num_nodes**-0.5)
    for _ in range(iterations):
        moved = pattern.multiply(weight, vector.unsqueeze(1)).squeeze(1) + shift * vector
        moved /= torch.linalg.vector_norm(moved)
        change = float(torch.linalg.vector_norm(moved - vector))
        vector = moved
        if change < tolerance:
            break
    return vector.clamp_min(1e-8)


CENTRALITIES: dict[CentralityName, Callable[[Adjacency], Tensor]] = {
    "degree": degree,
    "pagerank": pagerank,
    "eigenvector": eigenvector,
}


def _without_loops(adjacency: Adjacency) -> Tensor:
    """``[entries]`` weights in double precision, those of the added self-loops zero."""
    return adjacency.weight.double().masked_fill(adjacency.is_loop, 0.0)


def _spared_by(centrality: Tensor) -> Tensor:
    """``(max s - s) / (max s - mean s)`` with ``s`` the logarithm: zero at the centre, mean one.

    What has no centrality counts as the least central that has one, and not in the mean. Where all
    are equal nobody is spared, and all have one.
    """
    known = centrality[centrality > 0]
    if known.numel() == 0:
        return torch.ones_like(centrality)
    score = centrality.clamp_min(float(known.min())).log()
    top = score.max()
    spread = top - known.log().mean()
    if float(spread) < _EQUAL:
        return torch.ones_like(centrality)
    return (top - score) / spread
