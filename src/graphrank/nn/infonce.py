"""InfoNCE between two views, as in GRACE: each node against all others of both views.

With the rows of both views stacked, the denominators of both directions are row sums of one
symmetric matrix of exponentials. Only its upper triangle is computed, tile by tile; a tile is
either kept for the gradient or computed again there, so that memory is a choice and the loss is
the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

# Up to here all similarities are kept for the gradient, which spares a third of the products.
# At 8,000 nodes they are half a GiB.
KEPT_NODES = 8000
# Rows and columns of a tile where nobody says otherwise: 1 MiB of floats stays near the core.
_TILE = 512


class _ExponentialSums(torch.autograd.Function):
    """Sums of exponentials of dot products, see :func:`_exponential_sums`."""

    @staticmethod
    def forward(ctx: Any, points: Tensor, classes: Tensor | None, block: int, keep: bool) -> Tensor:
        sums = points.new_zeros(points.size(0))
        kept = []
        for rows, columns in _upper_tiles(points.size(0), block):
            tile = _exponentials(points, classes, rows, columns)
            sums[rows] += tile.sum(dim=1)
            if rows != columns:
                sums[columns] += tile.sum(dim=0)
            if keep:
                kept.append(tile)
        ctx.block = block
        ctx.save_for_backward(points, classes, *kept)
        return sums

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Tensor, None, None, None]:
        (gradient,) = gradients
        points, classes, *kept = ctx.saved_tensors
        to_points = torch.zeros_like(points)
        for number, (rows, columns) in enumerate(_upper_tiles(points.size(0), ctx.block)):
            tile = kept[number] if kept else _exponentials(points, classes, rows, columns)
            # The pair (k, j) stands in the sums of both, so both gradients pull at it.
            pull = (gradient[rows].unsqueeze(1) + gradient[columns]).mul_(tile)
            to_points[rows].addmm_(pull, points[columns])
            if rows != columns:
                to_points[columns].addmm_(pull.T, points[rows])
        return to_points, None, None, None


def info_nce(
    z_1: Tensor, z_2: Tensor, temperature: float, block: int = 0, classes: Tensor | None = None
) -> Tensor:
    """GRACE's loss: tell a node's other view from all other nodes of both views.

    For a node ``i`` with projections ``u_i`` and ``v_i`` and cosines ``c`` it is the mean over both
    directions of ``-log exp(c(u_i, v_i)/t) / (sum_k exp(c(u_i, v_k)/t) + sum_{k≠i}
    exp(c(u_i, u_k)/t))``. Time is ``O(nodes² · width)``, memory ``O(block² + nodes · width)``.

    Reference: Zhu et al., "Deep Graph Contrastive Representation Learning", 2020, equation 1.

    Args:
        z_1: ``[nodes, width]`` projections of view 1.
        z_2: ``[nodes, width]`` projections of view 2.
        temperature: what cosines are divided by; 0.02 and above keep within single precision.
        block: rows and columns of similarities that are in memory at once, computed again for the
            gradient; 0 keeps them all for small graphs and chooses for large ones.
        classes: ``[nodes]``; pairs of one class are then no negatives (for diagnostics alone).

    Returns:
        The loss, a scalar.

    Example:
        >>> info_nce(torch.ones(2, 3), torch.ones(2, 3), temperature=0.5).exp()
        tensor(3.)
    """
    keep = block == 0 and recommended_block(z_1.size(0)) == 0
    points = torch.cat([F.normalize(z_1, dim=1), F.normalize(z_2, dim=1)]) / temperature**0.5
    stacked = None if classes is None else classes.repeat(2)
    sums = _exponential_sums(points, stacked, block or _TILE, keep)
    first, second = points.chunk(2)
    positive = (first * second).sum(dim=1)
    if classes is not None:
        # The classes took the positive away with the rest of its class.
        sums = sums + positive.exp().repeat(2)
    loss: Tensor = sums.log().mean() - positive.mean()
    return loss


def recommended_block(num_nodes: int) -> int:
    """The block that ``block=0`` stands for: 0, which keeps all similarities, or some rows."""
    return 0 if num_nodes <= KEPT_NODES else _TILE


def _exponential_sums(points: Tensor, classes: Tensor | None, block: int, keep: bool) -> Tensor:
    """``[points]`` sum of ``exp(<p_k, p_j>)`` over all ``j`` but ``k``, or all of other classes."""
    sums: Tensor = _ExponentialSums.apply(points, classes, block, keep)  # type: ignore[no-untyped-call]
    return sums


def _upper_tiles(size: int, block: int) -> Iterator[tuple[slice, slice]]:
    """Rows and columns of the tiles on and above the diagonal of a symmetric matrix."""
    for row in range(0, size, block):
        for column in range(row, size, block):
            yield slice(row, row + block), slice(column, column + block)


def _exponentials(points: Tensor, classes: Tensor | None, rows: slice, columns: slice) -> Tensor:
    """One tile: ``exp(<p_k, p_j>)``, zero where ``j`` is no negative of ``k``."""
    tile = (points[rows] @ points[columns].T).exp_()
    if classes is not None:
        tile.masked_fill_(classes[rows].unsqueeze(1) == classes[columns], 0.0)
    elif rows == columns:
        tile.fill_diagonal_(0.0)
    return tile
