"""Coordinates whose dot products are a kernel, for graphs seen and unseen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]

# Eigenvalues below this share of the largest are rounding noise of double precision.
_NOISE = 1e-10


def kernel_projection(gram: Reals) -> Reals:
    """The matrix ``P`` with ``(gram @ P) @ (gram @ P).T == gram``.

    Of a new item with kernel values ``k`` to the training items, ``k @ P`` are the coordinates:
    their dot products with the training items are ``k`` as far as the training items span it. The
    first coordinates carry the most. The kernel is not centred, so that dot products are the
    kernel itself.

    Args:
        gram: ``[items, items]`` positive semi-definite.

    Returns:
        ``[items, coordinates]``.
    """
    values, vectors = np.linalg.eigh(gram)
    kept = values > _NOISE * values[-1]
    values, vectors = values[kept][::-1], vectors[:, kept][:, ::-1]
    # An eigenvector is free in its sign: the entry of the largest size is made positive.
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(len(values))])
    projection: Reals = np.ascontiguousarray(vectors * (signs / np.sqrt(values)))
    return projection
