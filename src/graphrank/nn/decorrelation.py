"""The CCA loss: two views agree in every column, and no two columns say the same."""

from __future__ import annotations

import torch
from torch import Tensor

# A column that varies less is constant but for rounding: it stays at zero, with no gradient.
_LEAST_VARIANCE = 1e-12


def standardized(embedding: Tensor) -> Tensor:
    """Every column at mean zero and (unbiased) variance one; constant columns at zero.

    Unlike a batch norm it adds nothing to the variance, which is tiny where features sum to one.

    Args:
        embedding: ``[nodes, channels]``.
    """
    centred = embedding - embedding.mean(dim=0)
    variance = centred.square().sum(dim=0) / max(1, embedding.size(0) - 1)
    return centred * variance.clamp_min(_LEAST_VARIANCE).rsqrt()


def cca_loss(first: Tensor, second: Tensor, decorrelation: float) -> Tensor:
    """``-trace(Z1ᵀZ2 / N) + decorrelation · Σ_v |I - ZvᵀZv / N|²`` of standardised views ``Zv``.

    Products are ``[channels, channels]`` at most, so that cost and memory grow linearly with the
    nodes. With n nodes and d uncorrelated columns that agree in both views the loss is at its
    least, ``-d (n-1)/n`` but for terms in ``1/n²``.

    Reference: Zhang et al., "From Canonical Correlation Analysis to Self-supervised Graph Neural
    Networks", 2021.

    Args:
        first: ``[nodes, channels]`` embedding of one view, not yet standardised.
        second: ``[nodes, channels]`` embedding of the other.
        decorrelation: weight of the two terms that keep columns apart.

    Returns:
        The loss, a scalar.

    Example:
        >>> view = torch.tensor([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
        >>> cca_loss(view, view, decorrelation=0.0)
        tensor(-1.5000)
    """
    z_1, z_2 = standardized(first), standardized(second)
    # The trace of Z1ᵀZ2 needs none of its other entries.
    agreement = (z_1 * z_2).sum() / z_1.size(0)
    return decorrelation * (_redundancy(z_1) + _redundancy(z_2)) - agreement


def _redundancy(z: Tensor) -> Tensor:
    """Squared distance of the columns' correlations from the identity."""
    correlation = z.T @ z / z.size(0)
    identity = torch.eye(z.size(1), dtype=z.dtype, device=z.device)
    return (identity - correlation).square().sum()
