"""Truncated SVD of features that may be sparse, by randomised subspace iteration."""

from __future__ import annotations

import torch
from torch import Tensor

from graphrank.nn.features import FeatureMatrix

_OVERSAMPLING = 16
_ROWS_AT_ONCE = 65_536


def right_singular_vectors(features: FeatureMatrix, rank: int, iterations: int = 4) -> Tensor:
    """Leading right singular vectors of X, ``[features, rank]``, orthonormal.

    Randomised range finder with re-orthonormalised power iterations (Halko, Martinsson & Tropp,
    2011), drawing from torch's global random state. Directions beyond the rank of X are zero.

    Args:
        features: the matrix X.
        rank: number of vectors; at most the number of feature columns.
        iterations: power iterations; more sharpen the last vectors.
    """
    rows, columns = features.shape
    if min(rows, columns) <= 2 * rank:
        return _exact(features, rank)
    width = min(rank + _OVERSAMPLING, rows, columns)
    basis = torch.randn(columns, width, device=features.device, dtype=features.dtype)
    for _ in range(iterations):
        basis = torch.linalg.qr(features.project_transposed(features.project(basis))).Q
    # The small problem: X restricted to the subspace, by its Gram matrix.
    projected = features.project(basis)
    _, vectors = torch.linalg.eigh(projected.T @ projected)
    return _without_null(features, basis @ vectors.flip(1)[:, :rank])


def _exact(features: FeatureMatrix, rank: int) -> Tensor:
    """The same by a full decomposition of the smaller Gram matrix, for small matrices."""
    rows, columns = features.shape
    if columns <= rows:
        _, vectors = torch.linalg.eigh(_gram(features))
        return _without_null(features, vectors.flip(1)[:, :rank].to(features.dtype))
    dense = features.to_dense().double()
    values, left = torch.linalg.eigh(dense @ dense.T)
    found = dense.T @ left.flip(1)[:, :rank]
    lengths = values.flip(0)[:rank].clamp_min(0).sqrt()
    kept = lengths > 1e-6 * lengths[:1].clamp_min(1e-12)
    vectors = torch.where(kept, found / lengths.clamp_min(1e-12), 0.0)
    out = vectors.new_zeros(columns, rank)
    out[:, : vectors.size(1)] = vectors
    return out.to(features.dtype)


def _gram(features: FeatureMatrix) -> Tensor:
    """``X.T X`` in double precision, of very many rows by some at a time."""
    rows, columns = features.shape
    if rows <= _ROWS_AT_ONCE:
        dense = features.to_dense().double()
        return dense.T @ dense
    total = torch.zeros(columns, columns, dtype=torch.double, device=features.device)
    for start in range(0, rows, _ROWS_AT_ONCE):
        some = torch.arange(start, min(start + _ROWS_AT_ONCE, rows), device=features.device)
        dense = features.select_rows(some).to_dense().double()
        total.addmm_(dense.T, dense)
    return total


def _without_null(features: FeatureMatrix, vectors: Tensor) -> Tensor:
    """Set directions that X does not have to zero: any vectors of its null space would do."""
    length = features.project(vectors).norm(dim=0)
    return torch.where(length > 1e-5 * length.max(), vectors, 0.0)
