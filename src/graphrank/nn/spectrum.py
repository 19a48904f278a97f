"""Directions of an embedding brought nearer to one size.

An embedding's few largest directions decide its dot products, although the small ones tell nodes
apart that the large ones do not. Dividing each direction by a power of its singular value lets
them speak: power 0 changes nothing, power 1 makes all directions equal (whitening).
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from graphrank.nn.features import FeatureMatrix
from graphrank.nn.svd import right_singular_vectors

_ITERATIONS = 2


def flattened(embedding: Tensor, power: float, rank: int = 512) -> Tensor:
    """Unit rows in their leading singular directions, centred, each divided by size^power.

    Draws from torch's global random state, as the truncated SVD does.

    Args:
        embedding: ``[nodes, channels]``.
        power: how far the sizes are evened out, 0 to 1.
        rank: directions kept; smaller ones are noise.

    Returns:
        ``[nodes, min(rank, channels)]``.
    """
    rows = F.normalize(embedding, dim=1)
    width = min(rank, rows.size(1))
    basis = right_singular_vectors(FeatureMatrix(rows, rows.device), width, _ITERATIONS)
    projected = rows @ basis
    sizes = projected.norm(dim=0)
    centred = projected - projected.mean(dim=0)
    return torch.where(sizes > 0, centred / sizes.clamp_min(1e-12) ** power, 0.0)
