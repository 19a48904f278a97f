"""The scaled cosine error of decoded features, without the decoded features.

A linear decoder of width d is asked for one number a node: the cosine of ``z = h W + b`` and the
node's features x. Both parts of it are had in width d. The product ``x · z`` is that of h and a row
of ``X W.T``, and the length of z follows from the Gram matrix ``W W.T``. Rows of z, as wide as the
features, are written out only where that is no wider than h.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from graphrank.nn.features import FeatureMatrix

# What a decoded row is divided by where it is shorter. Its cosine is then next to zero and the
# gradient of it huge, as in the authors' code. That is no slip to be mended: at the first step it
# drives the decoder's bias off zero, and Adam holds it there ever after (docs/methods/graphmae.md).
_SHORTEST = 1e-12


def scaled_cosine_error(cosine: Tensor, alpha: float) -> Tensor:
    """Mean of ``(1 - cosine)^alpha``: an exponent above one makes light of what is easy.

    Reference: Hou et al., "GraphMAE: Self-Supervised Masked Graph Autoencoders", equation 2.

    Args:
        cosine: ``[rows]``.
        alpha: the exponent, at least one.

    Example:
        >>> scaled_cosine_error(torch.tensor([1.0, 0.0, -1.0]), alpha=3)
        tensor(3.)
    """
    return (1 - cosine).clamp_min(0).pow(alpha).mean()


def decoded_cosine(
    features: FeatureMatrix, nodes: Tensor, hidden: Tensor, weight: Tensor, bias: Tensor
) -> Tensor:
    """Cosine of each node's features and its decoded ``hidden @ weight + bias``.

    Args:
        features: the features of all nodes.
        nodes: ``[rows]`` the nodes to compare.
        hidden: ``[rows, width]`` what is decoded for each of them.
        weight: ``[width, features]``.
        bias: ``[features]``.

    Returns:
        ``[rows]``; zero where the features or the decoded row are zero.
    """
    # The bias is the weight of an input that is always one.
    inputs = F.pad(hidden, (0, 1), value=1.0)
    affine = torch.cat([weight, bias.unsqueeze(0)])
    target = features.row_normalized()
    if features.shape[1] <= hidden.size(1):
        decoded = inputs @ affine
        along = (decoded * target.to_dense().index_select(0, nodes)).sum(dim=1)
        square = decoded.square().sum(dim=1)
    else:
        along = (inputs * target.project(affine.T).index_select(0, nodes)).sum(dim=1)
        square = (inputs @ (affine @ affine.T) * inputs).sum(dim=1)
    directed = square > _SHORTEST**2
    length = torch.where(directed, torch.where(directed, square, 1.0).sqrt(), _SHORTEST)
    # A length lost to rounding must not make a cosine beyond one.
    return (along / length).clamp(-1, 1)
