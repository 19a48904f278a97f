"""Clusters of any size and one common shape: k-means, then a mixture of Gaussians from there.

k-means measures all directions alike and prefers clusters of one size: a few large directions
decide, and a class that holds half of the nodes is cut in two. A mixture learns how large each
cluster is and, from all of them together, in which directions nodes of one cluster differ;
distances are measured against that.

It starts from the clusters of k-means and goes to the nearest optimum. The likeliest of many starts
is no better: on some graphs it is a small dense group against all the rest.
"""

from __future__ import annotations

import warnings

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from torch import Tensor

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.sparse import spmm
from graphrank.nn.spectrum import Spectrum
from graphrank.training.randomness import seeded

_DIRECTIONS = 24
_OWN_SHARE = 0.5
_RESTARTS = 20
_LONGEST, _AT_REST = 200, 1e-4  # steps of the mixture, and the gain that ends them
_MOST_FITTED = 50_000

Rows = NDArray[np.float64]


def mixture_clusters(embedding: Tensor, adjacency: Adjacency, clusters: int, seed: int) -> Tensor:
    """Cluster of each node ``[nodes]``: a mixture with one covariance, started by k-means.

    The covariance is raised by a sphere that is the larger the fewer nodes there are, so that with
    a handful of them the mixture is close to k-means. Past 50,000 nodes it is fitted to a random
    sample of so many.

    Args:
        embedding: ``[nodes, channels]``.
        adjacency: the graph of the nodes.
        clusters: number of clusters, at most that of the nodes.
        seed: of restarts and sample.
    """
    rows = leading_rows(embedding, adjacency).double().numpy()
    rows /= max(np.square(rows).sum(axis=1).mean() ** 0.5, 1e-12)
    fitted = _sample(rows, seed)
    start = KMeans(clusters, n_init=_RESTARTS, random_state=seed).fit(fitted)
    model = _started(fitted, start.labels_, clusters)
    with warnings.catch_warnings():
        # Not at rest to the last digit: its clusters are.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(fitted)
    return torch.from_numpy(model.predict(rows).astype(np.int64))


def leading_rows(embedding: Tensor, adjacency: Adjacency) -> Tensor:
    """Rows ``[nodes, at most 24]``: leading directions, each node halfway to its neighbours.

    Halfway, a node between two groups goes with those it is joined to; all the way would be too far
    for graphs whose edges cross groups often. The same whatever was drawn before.

    Args:
        embedding: ``[nodes, channels]``.
        adjacency: the graph of the nodes.
    """
    with seeded(0, embedding.device):
        rows = Spectrum.of(embedding, _DIRECTIONS).rows
    around = spmm(adjacency.pattern, adjacency.normalized_weight.to(rows.dtype), rows)
    return _OWN_SHARE * rows + (1 - _OWN_SHARE) * around


def _started(rows: Rows, found: NDArray[np.int32], clusters: int) -> GaussianMixture:
    """A mixture with the sizes, means and common covariance of clusters that were found."""
    is_in = np.eye(clusters)[found]
    size = is_in.sum(axis=0)
    means = is_in.T @ rows / np.maximum(size, 1)[:, None]
    off = rows - means[found]
    raised = 1 / len(rows)
    covariance = off.T @ off / len(rows) + raised * np.eye(rows.shape[1])
    # A cluster that k-means left empty, as of equal rows, still needs a size above zero.
    share = np.maximum(size, 1e-9) / np.maximum(size, 1e-9).sum()
    return GaussianMixture(
        clusters,
        covariance_type="tied",
        max_iter=_LONGEST,
        tol=_AT_REST,
        reg_covar=raised,
        weights_init=share,
        means_init=means,
        precisions_init=np.linalg.inv(covariance),
    )


def _sample(rows: Rows, seed: int) -> Rows:
    if len(rows) <= _MOST_FITTED:
        return rows
    return rows[np.random.default_rng(seed).permutation(len(rows))[:_MOST_FITTED]]
