"""Who a node's neighbours are: its row of the adjacency matrix, in a few leading directions.

Features tell what a node is, and their averages what is around it; which nodes those are, neither
tells. The rows of the adjacency matrix do, and a truncated SVD makes them as narrow as features.
Singular vectors belong to one graph: those of another are turned to how they lay in training.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.svd import right_singular_vectors

_ITERATIONS = 2
# Without features to tell directions by, they stay as they are: how much that is preferred.
_AS_IT_IS = 1e-4


def neighbor_rows(adjacency: Adjacency) -> FeatureMatrix:
    """``D^-1/2 A D^-1/2`` without self-loops, each degree raised by the mean one.

    The raise (Qin & Rohe, 2013) keeps the leading directions from small components and pendant
    nodes, which would fill them: each component has an eigenvalue of one where degrees are as they
    are.
    """
    pattern = adjacency.pattern
    weight = adjacency.weight.masked_fill(adjacency.is_loop, 0.0)
    into, out_of = pattern.row_sums(weight), pattern.column_sums(weight)
    raised = into.mean().clamp_min(1e-12)
    value = weight * ((into + raised)[pattern.row] * (out_of + raised)[pattern.column]).rsqrt()
    rows = torch.sparse_csr_tensor(pattern.row_pointer, pattern.column, value, pattern.shape)
    return FeatureMatrix(rows, value.device)


def neighbor_coordinates(adjacency: Adjacency, rank: int) -> Tensor:
    """Rows of the adjacency matrix in its leading right singular vectors, ``[nodes, rank]``.

    They are found from random directions, drawn from torch's global random state. Each column's
    sign is such that its largest entries are above zero; columns that the graph does not have are
    zero.

    Args:
        adjacency: the graph.
        rank: number of columns.
    """
    rows = neighbor_rows(adjacency)
    kept = min(rank, adjacency.num_nodes)
    found = rows.project(right_singular_vectors(rows, kept, _ITERATIONS))
    found = found * torch.where(found.pow(3).sum(dim=0) < 0, -1.0, 1.0)
    return F.pad(found, (0, rank - kept))


def frame_of(coordinates: Tensor, features: Tensor) -> Tensor:
    """How coordinates lie to features: ``[columns, rank]`` mean products over the nodes."""
    return features.T @ coordinates / coordinates.size(0)


def turned(coordinates: Tensor, features: Tensor, frame: Tensor) -> Tensor:
    """Coordinates of any graph, turned to lie to its features as a frame says.

    The turn is the orthogonal one that brings the two frames nearest to each other. On the graph of
    the frame it changes nothing.

    Args:
        coordinates: ``[nodes, rank]``, of the graph itself.
        features: ``[nodes, columns]``, of the same columns as when the frame was taken.
        frame: ``[columns, rank]`` of :func:`frame_of`.
    """
    match = (frame_of(coordinates, features).T @ frame).double()
    scale = _AS_IT_IS * frame.square().sum().double()
    left, _, right = torch.linalg.svd(match + scale * torch.eye(match.size(0), device=match.device))
    turn: Tensor = (left @ right).to(coordinates.dtype)
    return coordinates @ turn
