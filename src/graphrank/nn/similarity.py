"""Similarities of chosen pairs of rows, with gradients that are sparse products.

The gradient of ``s[i, t] = <a_i, b_index[i, t]>`` is ``C b`` for the anchors and ``C.T a`` for the
others, with C the sparse matrix of the incoming gradients: no ``[nodes, pairs, width]`` tensor is
kept, rows that meet are summed in a fixed order, and the result is the same to the bit every time
(torch's own backward of ``b[index]`` adds with atomics, in an order that changes).
"""

from __future__ import annotations

from dataclasses import dataclass
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
        scale_a = inverse_length(torch.linalg.vector_norm(a, dim=1)) if cosine else None
        scale_b = inverse_length(torch.linalg.vector_norm(b, dim=1)) if cosine else None
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
        pull = Pull.of(gradient, similarity, index, b.size(0), scale_a, scale_b)
        return *pull.on(a, b), None, None


@dataclass(frozen=True, eq=False)
class Pull:
    """How the gradient of similarities of pairs pulls at the rows of both sides.

    Args:
        chosen: the pairs, as places of a sparse matrix.
        values: ``[pairs]`` of that matrix.
        along: for cosines, how much of itself is taken from each row of the one side and of the
            other: the part along the row leaves its direction, and so the cosine, as it is.
    """

    chosen: SparsePattern
    values: Tensor
    along: tuple[Tensor, Tensor] | None

    @classmethod
    def of(
        cls, gradient: Tensor, similarity: Tensor, index: Tensor, others: int,
        scale_a: Tensor | None, scale_b: Tensor | None,
    ) -> Pull:  # fmt: skip
        """The pull of a gradient.

        Args:
            gradient: ``[nodes, pairs]`` of the similarities.
            similarity: ``[nodes, pairs]``.
            index: ``[nodes, pairs]`` rows of the other side.
            others: how many these are.
            scale_a: ``[nodes]`` one over the lengths of rows, for cosines.
            scale_b: ``[others]`` the same of the other side.
        """
        chosen = SparsePattern.of_columns(index, others)
        if scale_a is None or scale_b is None:
            return cls(chosen, gradient.flatten(), None)
        weight = gradient * scale_a.unsqueeze(1) * scale_b[index]
        turned, order = chosen.transpose
        along = gradient * similarity
        along_a = along.sum(dim=1) * scale_a.square()
        along_b = turned.row_sums(along.flatten()[order]) * scale_b.square()
        return cls(chosen, weight.flatten(), (along_a, along_b))

    def on(self, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
        """Gradients of both sides, or of some of their columns, ``[nodes, width]`` each."""
        turned, order = self.chosen.transpose
        to_a = self.chosen.multiply(self.values, b)
        to_b = turned.multiply(self.values[order], a)
        if self.along is not None:
            along_a, along_b = self.along
            to_a.addcmul_(a, along_a.unsqueeze(1), value=-1)
            to_b.addcmul_(b, along_b.unsqueeze(1), value=-1)
        return to_a, to_b


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


def inverse_length(length: Tensor) -> Tensor:
    """One over the lengths of rows, ``[rows]``; zero for rows of zeros."""
    return torch.where(length > 0, 1 / length.clamp_min(1e-30), 0.0)
