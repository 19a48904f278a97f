"""Features from the structure alone, for graphs that come without any."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from graphrank.data.raw import CsrMatrix, FloatArray

_BIN_EDGES = (1, 2, 3, 5, 9, 17, 33, 65)
_POSITIONS = 16
_DENSE_BELOW = 64


def structural_features(adjacency: CsrMatrix) -> tuple[FloatArray, list[str]]:
    """Describe every node by its degree, its neighbours' degrees and its position.

    The degree part means the same in every graph, so a model trained on it can be used on
    another one. The position is the truncated singular value decomposition of the normalised
    adjacency with fixed signs; it is zero beyond the rank, so the width is the same for all
    graphs. Directions and weights are not looked at.

    Args:
        adjacency: The graph ``[N, N]`` without self-loops.

    Returns:
        The features ``[N, 28]`` and their names.
    """
    pattern = _undirected_pattern(adjacency)
    degree = np.diff(pattern.indptr)
    blocks = [_degree_features(pattern, degree), _positions(pattern, degree)]
    return np.concatenate(blocks, axis=1).astype(np.float32), feature_names()


def feature_names() -> list[str]:
    """Return the names of the structural features, in order."""
    low = (0, *_BIN_EDGES)
    high = [str(edge - 1) for edge in _BIN_EDGES] + ["up"]
    bins = [f"degree_{a}_to_{b}" for a, b in zip(low, high, strict=True)]
    degrees = ["log_degree", *bins, "neighbour_log_degree_mean", "neighbour_log_degree_std"]
    return degrees + [f"position_{i}" for i in range(_POSITIONS)]


def _undirected_pattern(adjacency: CsrMatrix) -> CsrMatrix:
    """Return the adjacency with both directions and all weights one."""
    pattern: CsrMatrix = adjacency.astype(np.float64, copy=True)
    pattern.data[:] = 1.0
    return sparse.csr_array(pattern.maximum(pattern.T))


def _degree_features(pattern: CsrMatrix, degree: np.ndarray) -> np.ndarray:
    """Return log-degree, the one-hot degree bin, mean and deviation of the neighbours' ones."""
    log_degree = np.log1p(degree.astype(np.float64))
    bins = np.eye(len(_BIN_EDGES) + 1)[np.digitize(degree, _BIN_EDGES)]
    neighbours = np.maximum(degree, 1)
    mean = (pattern @ log_degree) / neighbours
    square = (pattern @ log_degree**2) / neighbours
    deviation = np.sqrt(np.maximum(square - mean**2, 0.0))
    return np.concatenate([log_degree[:, None], bins, mean[:, None], deviation[:, None]], axis=1)


def _positions(pattern: CsrMatrix, degree: np.ndarray) -> np.ndarray:
    """Return the leading singular vectors of D^-1/2 A D^-1/2, scaled by their values."""
    nodes = pattern.shape[0]
    positions = np.zeros((nodes, _POSITIONS))
    if pattern.nnz == 0:
        return positions
    scale = sparse.diags_array(1.0 / np.sqrt(np.maximum(degree, 1)))
    left, values = _leading_vectors(sparse.csr_array(scale @ pattern @ scale))
    strongest = np.abs(left).argmax(axis=0)
    signs = np.where(left[strongest, np.arange(left.shape[1])] < 0, -1.0, 1.0)
    positions[:, : len(values)] = left * signs * values * np.sqrt(nodes)
    return positions


def _leading_vectors(matrix: CsrMatrix) -> tuple[np.ndarray, np.ndarray]:
    """Return up to sixteen left singular vectors and values, largest first."""
    if matrix.shape[0] < _DENSE_BELOW:
        left, values, _ = np.linalg.svd(matrix.toarray())
    else:
        # Slow to import, and few graphs come without features.
        from sklearn.utils.extmath import randomized_svd  # noqa: PLC0415

        left, values, _ = randomized_svd(matrix, _POSITIONS, n_iter=4, random_state=0)
    rank = min(_POSITIONS, int((values > 1e-8).sum()))
    return left[:, :rank], values[:rank]
