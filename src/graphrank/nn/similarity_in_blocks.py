"""Similarities of rows that are never there as a whole, for graphs with very many nodes.

A dot product is a sum over columns, and so is the square of a length. Both sides are made some
columns at a time; what is kept are sums for each pair and each row. For the gradient the columns
are made again, in the same blocks. The similarities and their gradient are those of
:func:`graphrank.nn.similarity.pair_similarity`, for making the columns twice and a fraction of the
memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from graphrank.nn.similarity import Pull, SimilarityName, inverse_length
from graphrank.nn.sparse import SparsePattern, sampled_product

Sides = Callable[[Tensor], tuple[Tensor, Tensor]]
"""From columns of a weight matrix to the same columns of both sides, ``[nodes, width]`` each."""


class _InBlocks(torch.autograd.Function):
    """See :func:`similarity_in_blocks`."""

    @staticmethod
    def forward(
        ctx: Any, weight: Tensor, sides: Sides, index: Tensor, others: int, cosine: bool, block: int
    ) -> Tensor:
        chosen = SparsePattern.of_columns(index, others)
        similarity = weight.new_zeros(index.numel())
        squares_a, squares_b = weight.new_zeros(index.size(0)), weight.new_zeros(others)
        for columns in torch.split(weight, block, dim=1):
            a, b = (side.contiguous() for side in sides(columns))
            similarity += sampled_product(chosen, a, b)
            squares_a += torch.linalg.vector_norm(a, dim=1).square_()
            squares_b += torch.linalg.vector_norm(b, dim=1).square_()
        similarity = similarity.view(index.shape)
        scale_a = inverse_length(squares_a.sqrt()) if cosine else None
        scale_b = inverse_length(squares_b.sqrt()) if cosine else None
        if scale_a is not None and scale_b is not None:
            similarity *= scale_a.unsqueeze(1) * scale_b[index]
        ctx.save_for_backward(weight, index, similarity, scale_a, scale_b)
        ctx.sides, ctx.others, ctx.block = sides, others, block
        return similarity

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Tensor, None, None, None, None, None]:
        (gradient,) = gradients
        weight, index, similarity, scale_a, scale_b = ctx.saved_tensors
        pull = Pull.of(gradient, similarity, index, ctx.others, scale_a, scale_b)
        to_weight: list[Tensor] = []
        for some in torch.split(weight, ctx.block, dim=1):
            columns = some.detach().requires_grad_()
            with torch.enable_grad():
                both = ctx.sides(columns)
            pulled = pull.on(*(side.detach() for side in both))
            to_weight += torch.autograd.grad(both, columns, pulled)
        return torch.cat(to_weight, dim=1), None, None, None, None, None


def similarity_in_blocks(
    weight: Tensor, sides: Sides, index: Tensor, others: int, kind: SimilarityName, block: int
) -> Tensor:
    """Similarity of each row of one side to some rows of the other, both made of one matrix.

    Args:
        weight: ``[inputs, columns]``, what the gradient is for.
        sides: makes columns of both sides from columns of ``weight``; each on its own, and the same
            whenever it is asked.
        index: ``[nodes, pairs]`` rows of the other side.
        others: how many rows the other side has.
        kind: ``dot`` or ``cosine``.
        block: columns that are there at a time.

    Returns:
        ``[nodes, pairs]``.

    Example:
        >>> pairs = torch.tensor([[0, 1], [1, 0]])
        >>> similarity_in_blocks(torch.eye(2), lambda w: (w, w), pairs, 2, "dot", block=1)
        tensor([[1., 0.],
                [1., 0.]])
    """
    cosine = kind == "cosine"
    similarity: Tensor = _InBlocks.apply(weight, sides, index, others, cosine, block)  # type: ignore[no-untyped-call]
    return similarity
