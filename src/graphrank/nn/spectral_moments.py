"""The spectrum of each graph in a few numbers, the same for every numbering of its nodes.

Eigenvalues of the normalised adjacency matrix lie between -1 and 1; the Chebyshev moments of their
distribution tell its shape, the second one how often a walk is back at once, later ones finer and
finer detail. Graphs of all sizes have as many of them.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_blocks import block, normalized_matrix

# The first moment is zero without self-loops, and the one before is one.
FIRST = 2
# Most nodes of a graph whose eigenvalues are computed; larger ones are probed, in linear time.
_EXACT = 256
_PROBES = 128
# Smaller ones are rounding where there is nothing, as in odd moments of a graph without odd cycles.
_LEAST = 1e-9

Moments = NDArray[np.float64]


def spectral_moments(batch: GraphBatch, count: int) -> Tensor:
    """Means of ``T_k`` over the eigenvalues of each graph, for ``count`` orders k from two on.

    Args:
        batch: the graphs; edges count in both directions.
        count: number of columns.

    Returns:
        ``[graphs, count]`` in the number type of the features, without gradient. A graph without
        nodes has zeros.
    """
    step = normalized_matrix(batch)
    if not batch.adjacency.is_symmetric:
        step = sp.csr_array((step + step.T) / 2)
    found = np.zeros((batch.num_graphs, count))
    for place, (first, last) in enumerate(pairwise(batch.ptr.tolist())):
        if last - first > _EXACT:
            found[place] = _probed(block(step, first, last), count)
        elif last > first:
            found[place] = _exact(block(step, first, last), count)
    found[np.abs(found) < _LEAST] = 0.0
    return torch.from_numpy(found).to(batch.device, batch.features.dtype)


def _exact(step: sp.csr_array, count: int) -> Moments:
    angle = np.arccos(np.clip(np.linalg.eigvalsh(step.toarray()), -1, 1))
    moments: Moments = np.cos(np.outer(np.arange(FIRST, FIRST + count), angle)).mean(axis=1)
    return moments


def _probed(step: sp.csr_array, count: int) -> Moments:
    """By random signs z: the mean of ``z T_k z`` over many is the trace (Hutchinson, 1990).

    Two orders come from one product, by ``T_2k = 2 T_k² - T_0`` and ``T_2k+1 = 2 T_k T_k+1 - T_1``.
    """
    nodes = step.shape[0]
    # The same signs for graphs of the same size, whenever they are looked at.
    signs = np.random.default_rng(nodes).integers(0, 2, (nodes, _PROBES)) * 2.0 - 1.0
    before, now = signs, step @ signs
    start, first = nodes * _PROBES, float((signs * now).sum())
    moments = np.zeros(count + 2)
    for order in range(1, (count + 1) // 2 + 1):
        following = 2 * (step @ now) - before
        moments[2 * order - FIRST] = 2 * float((now * now).sum()) - start
        moments[2 * order + 1 - FIRST] = 2 * float((now * following).sum()) - first
        before, now = now, following
    kept: Moments = moments[:count] / start
    return kept
