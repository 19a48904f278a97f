"""Similarities of chosen pairs of rows, with gradients that are sparse products.

The gradient of ``s[i, t] = <a_i, b_index[i, t]>`` is ``C b`` for the anchors and ``C.T a`` for the
others, with C the sparse matrix of the incoming gradients: no ``[nodes, pairs, width]`` tensor is
kept, rows that meet are summed in a fixed order, and the result is the same to the bit every time
(torch's own backward of ``b[index]`` adds with atomics, in an order that changes).
"""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor

from graphrank.nn.sparse import SparsePattern, sampled_product

SimilarityName = Literal["dot", "cosine"]


class _PairSimilarity(torch.autograd.Function):
    """Dot products or cosines of pairs, see :func:`pair_similarity`."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor, index: Tensor, cosine: bool) -> Tensor:
        a, b = a.contiguous(), b.contiguous()
        scale_a = _inverse_length(a) if cosine else None
        scale_b = _inverse_length(b) if cosine else None
        chosen = SparsePattern.of_columns(index, b.size(0))
        similarity = sampled_product(chosen, a, b).view(index.shape)
        if scale_a is not None and scale_b is not None:
            similarity *= scale_a.unsqueeze(1) * scale_b[index]
        ctx.save_for_backward(a, b, index, similarity, scale_a, scale_b)
        return similarity

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Tensor, Tensor, None, None]:
        (gradient,) = gradients
        a, b, index, similarity, scale_a, scale_b = ctx.saved_tensors
        weight = gradient
        if scale_a is not None:
            weight = gradient * scale_a.unsqueeze(1) * scale_b[index]
        chosen = SparsePattern.of_columns(index, b.size(0))
        turned, order = chosen.transpose
        values = weight.flatten()
        to_a, to_b = chosen.multiply(values, b), turned.multiply(values[order], a)
        if scale_a is not None:
            # The part along the row itself leaves its direction, and so the cosine, as it is.
            along = gradient * similarity
            to_a.addcmul_(a, (along.sum(dim=1) * scale_a.square()).unsqueeze(1), value=-1)
            along_b = turned.row_sums(along.flatten()[order])
            to_b.addcmul_(b, (along_b * scale_b.square()).unsqueeze(1), value=-1)
        return to_a, to_b, None, None


def pair_similarity(
    anchor: Tensor, other: Tensor, index: Tensor, kind: SimilarityName = "dot"
) -> Tensor:
    """Similarity of each anchor row to some rows of ``other``.

    Time is ``O(nodes * pairs * width)``, memory ``O(nodes * (pairs + width))``.

    Args:
        anchor: ``[nodes, width]``.
        other: ``[others, width]``.
        index: ``[nodes, pairs]`` rows of ``other``.
        kind: ``dot`` or ``cosine``; a row of zeros has cosine zero to everything.

    Returns:
        ``[nodes, pairs]``.

    Example:
        >>> pair_similarity(torch.eye(2), torch.eye(2), torch.tensor([[0, 1], [1, 0]]))
        tensor([[1., 0.],
                [1., 0.]])
    """
    similarity: Tensor = _PairSimilarity.apply(anchor, other, index, kind == "cosine")  # type: ignore[no-untyped-call]
    return similarity


def _inverse_length(rows: Tensor) -> Tensor:
    """One over the length of each row; zero for rows of zeros."""
    length = torch.linalg.vector_norm(rows, dim=1)
    return torch.where(length > 0, 1 / length.clamp_min(1e-30), 0.0)
