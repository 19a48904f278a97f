"""A flat picture of an embedding: where each node lies in two dimensions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from torch import Tensor

_MOST_NODES = 3000
_FEWEST_FOR_TSNE = 50
_PCA_WIDTH = 50
_PERPLEXITY = 30.0


@dataclass(frozen=True)
class Picture:
    """Points of a flat picture.

    Args:
        points: ``[shown, 2]`` positions.
        nodes: ``[shown]`` which nodes they are.
        method: how they were found, in words.
    """

    points: NDArray[np.float64]
    nodes: NDArray[np.int64]
    method: str


def flat_picture(embedding: Tensor, seed: int = 0) -> Picture:
    """Project an embedding to the plane, the same way for the same seed.

    Large graphs are sampled. PCA goes first; t-SNE arranges its leading 50 dimensions, except for
    tiny graphs, where PCA alone says more.

    Args:
        embedding: ``[nodes, channels]``.
        seed: seed of the sample and of t-SNE.
    """
    nodes = _sample(embedding.size(0), seed)
    reduced = _leading(embedding[nodes].double().numpy(), seed)
    if len(nodes) < _FEWEST_FOR_TSNE:
        return Picture(_two_columns(reduced), nodes, "PCA")
    perplexity = min(_PERPLEXITY, (len(nodes) - 1) / 3)
    model = TSNE(perplexity=perplexity, init="pca", random_state=seed)
    points = np.asarray(model.fit_transform(reduced), dtype=np.float64)
    return Picture(points, nodes, "t-SNE")


def _sample(count: int, seed: int) -> NDArray[np.int64]:
    if count <= _MOST_NODES:
        return np.arange(count)
    chosen = np.random.default_rng(seed).choice(count, _MOST_NODES, replace=False)
    return np.sort(chosen)


def _leading(values: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """The leading principal components; a single node lies in the origin."""
    if len(values) == 1:
        return np.zeros((1, 2))
    width = min(_PCA_WIDTH, *values.shape)
    return np.asarray(PCA(width, random_state=seed).fit_transform(values))


def _two_columns(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The first two columns, zeros where there are fewer."""
    missing = max(0, 2 - values.shape[1])
    return np.pad(values, ((0, 0), (0, missing)))[:, :2]
