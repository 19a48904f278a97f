"""Vectors of documents for words that are given: a convex problem with one solution."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from graphrank.nn.sparse import SparsePattern, sampled_product

# Logarithm of how far the error of the first guess has to fall: to a millionth.
_ACCURACY = 14


def infer_documents(
    pattern: SparsePattern,
    share: Tensor,
    words: Tensor,
    noise: Tensor,
    negatives: int,
    penalty: float,
) -> Tensor:
    """The vector of each document that its words are most likely by, nothing drawn at random.

    Of a document with words ``w`` in shares ``p_w``, the vector ``d`` minimises

        ``Σ_w p_w softplus(-w·d) + k mean_v softplus(v·d) + penalty/2 |d|²``

    which is the loss of negative sampling in expectation. Solved by accelerated gradient steps
    from zero, whose size and number depend on the words alone: a document's vector does not
    depend on what other documents there are.

    Args:
        pattern: ``[documents, words]`` the words of each document.
        share: ``[entries]`` their shares.
        words: ``[words, channels]``.
        noise: ``[noise words, channels]`` words ``v`` that stand for the noise.
        negatives: ``k``, noise words against each word.
        penalty: positive.

    Returns:
        ``[documents, channels]``.
    """
    steepest = words.square().sum(dim=1).max()
    steepest_noise = torch.linalg.matrix_norm(noise.T @ noise / noise.size(0), ord=2)
    curvature = penalty + 0.25 * (steepest + negatives * steepest_noise)
    root = math.sqrt(penalty / float(curvature))  # each step takes this share of the error
    momentum = (1 - root) / (1 + root)
    vectors = ahead = words.new_zeros(pattern.shape[0], words.size(1))
    for _ in range(math.ceil(_ACCURACY / root)):
        missing = share * torch.sigmoid(-sampled_product(pattern, ahead, words))
        excess = torch.sigmoid(ahead @ noise.T) * (negatives / noise.size(0))
        gradient = excess @ noise - pattern.multiply(missing, words) + penalty * ahead
        moved = ahead - gradient / curvature
        ahead = moved + momentum * (moved - vectors)
        vectors = moved
    return vectors
