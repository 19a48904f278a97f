"""Directions of an embedding brought nearer to one size.

An embedding's few largest directions decide its dot products, although the small ones tell nodes
apart that the large ones do not. Dividing each direction by a power of its singular value lets
them speak: power 0 changes nothing, power 1 makes all directions equal (whitening).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import torch
import torch.nn.functional as F
from torch import Tensor

from graphrank.nn.features import FeatureMatrix
from graphrank.nn.svd import right_singular_vectors

_ITERATIONS = 2


@dataclass(frozen=True, eq=False)
class Spectrum:
    """An embedding's unit rows in their leading singular directions.

    Args:
        rows: ``[nodes, directions]``, centred.
        sizes: ``[directions]`` singular values, zero where there is no such direction.
    """

    rows: Tensor
    sizes: Tensor

    @classmethod
    def of(cls, embedding: Tensor, rank: int = 512) -> Self:
        """Decompose ``[nodes, channels]``; directions past ``rank`` are left out as noise.

        Draws from torch's global random state, as the truncated SVD does.
        """
        unit = F.normalize(embedding, dim=1)
        width = min(rank, unit.size(1))
        basis = right_singular_vectors(FeatureMatrix(unit, unit.device), width, _ITERATIONS)
        projected = unit @ basis
        return cls(projected - projected.mean(dim=0), projected.norm(dim=0))

    def flattened(self, power: float) -> Tensor:
        """Rows ``[nodes, directions]``, each direction divided by ``size^power``."""
        scaled = self.rows / self.sizes.clamp_min(1e-12) ** power
        return torch.where(self.sizes > 0, scaled, 0.0)
