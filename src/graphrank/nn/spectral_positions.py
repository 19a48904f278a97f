"""Where a node stands in its graph: the leading eigenvectors of the normalised adjacency matrix.

They are those of the smallest eigenvalues of the Laplacian. An eigenvector has no sign of its own,
and those of one eigenvalue may be turned into one another; what is taken here is the same for all
of these choices, and so for every numbering of the nodes.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray
from scipy.sparse.linalg import ArpackNoConvergence, eigsh
from torch import Tensor

from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_blocks import block, normalized_matrix

# Eigenvalues that lie nearer to each other than this count as one.
_SAME = 1e-6
# Most nodes of a graph whose whole spectrum is computed.
_WHOLE = 500
# Shorter rows are noise where there should be zeros, and stay as short.
_SHORTEST = 1e-6
# Eigenvalues computed beyond those asked for, to see whether the last one goes on.
_BEYOND = 4

Matrix = NDArray[np.float64]


def spectral_positions(batch: GraphBatch, size: int) -> Tensor:
    """The size of each node's entry in each leading eigenvector, scaled to rows of length one.

    An entry is the root of the mean square over the eigenvectors of one eigenvalue: with a single
    one, its absolute value. The largest eigenvalue is in the first column; a graph of fewer nodes
    than columns leaves the last ones at zero.

    Args:
        batch: the graphs.
        size: number of columns.

    Returns:
        ``[nodes, size]`` in the number type of the features, without gradient.
    """
    positions = np.zeros((batch.num_nodes, size))
    bounds = batch.ptr.tolist()
    step = normalized_matrix(batch)
    for first, last in pairwise(bounds):
        found = _magnitudes(block(step, first, last), size)
        positions[first:last, : found.shape[1]] = found
    return torch.from_numpy(positions).to(batch.device, batch.features.dtype)


def _magnitudes(step: sp.csr_array, size: int) -> Matrix:
    """``[nodes, min(nodes, size)]`` of one graph."""
    values, vectors = _leading(step, size)
    # Eigenvectors of one eigenvalue follow each other.
    is_new = np.concatenate([[True], -np.diff(values) > _SAME])
    starts, group = np.flatnonzero(is_new), np.cumsum(is_new) - 1
    square = np.add.reduceat(np.square(vectors), starts, axis=1) / np.bincount(group)
    entries = np.sqrt(square[:, group[:size]])
    length = np.linalg.norm(entries, axis=1, keepdims=True)
    scaled: Matrix = entries / np.maximum(length, _SHORTEST)
    return scaled


def _leading(step: sp.csr_array, size: int) -> tuple[Matrix, Matrix]:
    """Eigenvalues from the largest on, and their eigenvectors as columns."""
    if step.shape[0] <= max(_WHOLE, size + _BEYOND + 1):
        values, vectors = np.linalg.eigh(step.toarray())
    else:
        values, vectors = _part_of_spectrum(step, size + _BEYOND)
    order = np.argsort(-values, kind="stable")
    return values[order], vectors[:, order]


def _part_of_spectrum(step: sp.csr_array, count: int) -> tuple[Matrix, Matrix]:
    """The largest eigenvalues by Lanczos iteration; the whole spectrum where it does not end."""
    # Any start will do that is not orthogonal to what is looked for.
    start = np.random.RandomState(0).uniform(0.5, 1.5, step.shape[0])
    try:
        values, vectors = eigsh(step, k=count, which="LA", v0=start)
    except ArpackNoConvergence:
        values, vectors = np.linalg.eigh(step.toarray())
    return values, vectors
