"""Row gathers whose gradients are reproducible to the bit.

Torch's own backward of ``x[index]`` adds rows with atomics on several threads, in an order that
changes from run to run. Here the rows that meet in one place are summed by a sparse product,
row by row in a fixed order; where the index is a permutation nothing meets at all.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from graphrank.nn.sparse import SparsePattern


class _GatherRows(torch.autograd.Function):
    """``x[index]`` with a deterministic backward."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, index: Tensor) -> Tensor:
        ctx.index, ctx.num_rows = index, x.size(0)
        return x.index_select(0, index)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Tensor, None]:
        (gradient,) = gradients
        return scatter_rows(gradient, ctx.index, ctx.num_rows), None


def gather_rows(x: Tensor, index: Tensor) -> Tensor:
    """Rows ``index`` of ``x``: ``[len(index), width]``."""
    rows: Tensor = _GatherRows.apply(x, index)  # type: ignore[no-untyped-call]
    return rows


def scatter_rows(rows: Tensor, index: Tensor, num_rows: int) -> Tensor:
    """Sum of ``rows`` by ``index``, ``[num_rows, width]``, in a fixed order."""
    order = index.argsort(stable=True)
    counts = torch.bincount(index, minlength=num_rows)
    pointer = torch.cat([counts.new_zeros(1), counts.cumsum(0)])
    pattern = SparsePattern(pointer, order, (num_rows, index.numel()))
    return pattern.multiply(rows.new_ones(index.numel()), rows)
