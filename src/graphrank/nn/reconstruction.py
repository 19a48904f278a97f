"""The cost of a sparse matrix rebuilt from two narrow factors: over all entries, or a sample.

Auto-encoders of graphs compare ``L R.T`` with the adjacency or the features. That product is as
large as the matrix would be if it were dense, so it is never kept: the exact cost goes through it
in blocks of rows and takes the gradients along, the sampled one looks at what is there and at as
many random places.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from graphrank.nn.drawn_columns import DrawnColumns
from graphrank.nn.sparse import SparsePattern, sampled_product

_log = logging.getLogger("graphrank")

ReconstructionName = Literal["auto", "dense", "sampled"]
FormName = Literal["dense", "sampled"]

# Up to so many entries, those of a graph of 5,000 nodes, `auto` compares them all.
_DENSE_ENTRIES = 25_000_000
# Numbers of the product at a time: a block stays in a core's cache.
_NUMBERS_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class EntryCost:
    """What the factors' product costs at one place of the matrix.

    Args:
        absent: from the product's numbers to their costs where the matrix has nothing.
        present: from the numbers and the matrix's values to the costs where it has something.
        absent_by_column: the column sums of ``absent``, where there is a quicker way to them.
    """

    absent: Callable[[Tensor], Tensor]
    present: Callable[[Tensor, Tensor], Tensor]
    absent_by_column: Callable[[Tensor], Tensor] | None = None

    def after(self, function: Callable[[Tensor], Tensor]) -> EntryCost:
        """The same cost of numbers that pass through a function first."""
        return EntryCost(
            lambda numbers: self.absent(function(numbers)),
            lambda numbers, values: self.present(function(numbers), values),
            lambda numbers: self.sums_of_absent(function(numbers)),
        )

    def sums_of_absent(self, numbers: Tensor) -> Tensor:
        """``[columns]`` costs of ``[rows, columns]`` numbers where the matrix has nothing."""
        if self.absent_by_column is not None:
            return self.absent_by_column(numbers)
        return self.absent(numbers).sum(dim=0)


def form_of(reconstruction: ReconstructionName, shape: tuple[int, int]) -> FormName:
    """Whether a matrix of this shape is compared as a whole or by a sample."""
    if reconstruction == "auto":
        return "dense" if shape[0] * shape[1] <= _DENSE_ENTRIES else "sampled"
    return reconstruction


def log_form(what: str, form: FormName, shape: tuple[int, int]) -> None:
    """Say which form was taken: it is a matter of cost, and of noise in the gradients."""
    told = {"dense": "all of them", "sampled": "those that are there and as many random others"}
    _log.info("%s, %d x %d entries: each step compares %s", what, *shape, told[form])


class _ExactCost(torch.autograd.Function):
    """The sum over all entries and its gradients in one pass, see :func:`exact_cost`."""

    @staticmethod
    def forward(
        ctx: Any,
        left: Tensor,
        right: Tensor | None,
        pattern: SparsePattern,
        values: Tensor,
        cost: EntryCost,
    ) -> Tensor:
        other = left if right is None else right
        to_left = torch.zeros_like(left)
        to_other = to_left if right is None else torch.zeros_like(other)
        total = left.new_zeros(())
        size = max(1, _NUMBERS_AT_ONCE // max(1, other.size(0)))
        for start in range(0, left.size(0), size):
            # Of a symmetric product only the blocks on the diagonal and to the right of it.
            rows, columns = slice(start, start + size), slice(start if right is None else 0, None)
            numbers = left[rows] @ other[columns].T
            times = torch.ones_like(numbers[0])
            if right is None:
                times[numbers.size(0) :] = 2
            places, filled = _places_within(pattern, start, size, columns.start)
            part, gradient = _block_cost(numbers, times, places, values[filled], cost)
            total += part
            to_left[rows] += gradient @ other[columns]
            to_other[columns] += gradient.T @ left[rows]
        ctx.save_for_backward(to_left, None if right is None else to_other)
        return total

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Tensor, Tensor | None, None, None, None]:
        (gradient,) = gradients
        to_left, to_right = ctx.saved_tensors
        if to_right is not None:
            to_right = gradient * to_right
        return gradient * to_left, to_right, None, None, None


def exact_cost(
    left: Tensor, right: Tensor | None, pattern: SparsePattern, values: Tensor, cost: EntryCost
) -> Tensor:
    """Sum of the costs of all entries of ``left @ right.T``, a scalar.

    Time is ``O(rows * columns * width)``; memory is that of the factors and one block.

    Args:
        left: ``[rows, width]``.
        right: ``[columns, width]``, or none for ``left`` itself. Then every entry off the
            diagonal is met once and counted twice, and ``pattern`` must be :func:`folded`.
        pattern: the places of what is there.
        values: ``[entries]`` its values.
        cost: what an entry costs.

    Example:
        >>> nothing = SparsePattern(torch.zeros(3, dtype=torch.long), torch.empty(0).long(), (2, 2))
        >>> cost = EntryCost(torch.square, lambda numbers, values: (numbers - values).square())
        >>> exact_cost(torch.ones(2, 3), torch.ones(2, 3), nothing, torch.empty(0), cost)
        tensor(36.)
    """
    total: Tensor = _ExactCost.apply(left, right, pattern, values, cost)  # type: ignore[no-untyped-call]
    return total


def sampled_cost(
    left: Tensor,
    right: Tensor,
    pattern: SparsePattern,
    values: Tensor,
    cost: EntryCost,
    drawn: DrawnColumns,
) -> Tensor:
    """An estimate of :func:`exact_cost` from what is there and from drawn columns of each row.

    Its mean over uniform draws is the exact cost, and with every column drawn once it is the same.
    Time is ``O((entries + drawn) * width)``; memory is that of the factors and of the entries.

    Args:
        left: ``[rows, width]``.
        right: ``[columns, width]``.
        pattern: the places of what is there, as they are.
        values: ``[entries]`` its values.
        cost: what an entry costs.
        drawn: columns of each row; those where something is do not count.
    """
    absent = cost.absent(entry_products(drawn.places, left, right))
    absent = absent.masked_fill(drawn.filled, 0.0)
    present = cost.present(entry_products(pattern, left, right), values)
    return absent.sum() / drawn.share + present.sum()


def folded(pattern: SparsePattern) -> SparsePattern:
    """The same entries with those below the diagonal mirrored to above it, none of them lost."""
    row = torch.minimum(pattern.row, pattern.column)
    column = torch.maximum(pattern.row, pattern.column)
    order = (row * pattern.shape[1] + column).argsort(stable=True)
    counts = torch.bincount(row, minlength=pattern.shape[0])
    return SparsePattern(F.pad(counts.cumsum(0), (1, 0)), column[order], pattern.shape)


class _EntryProducts(torch.autograd.Function):
    """``left @ right.T`` at the places of a pattern, with gradients that are sparse products."""

    @staticmethod
    def forward(ctx: Any, pattern: SparsePattern, left: Tensor, right: Tensor) -> Tensor:
        ctx.pattern = pattern
        ctx.save_for_backward(left, right)
        return sampled_product(pattern, left, right)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[None, Tensor | None, Tensor | None]:
        (gradient,) = gradients
        left, right = ctx.saved_tensors
        turned, order = ctx.pattern.transpose
        return None, ctx.pattern.multiply(gradient, right), turned.multiply(gradient[order], left)


def entry_products(pattern: SparsePattern, left: Tensor, right: Tensor) -> Tensor:
    """Entries of ``left @ right.T`` at the places of ``pattern``, ``[entries]``, with gradients."""
    products: Tensor = _EntryProducts.apply(pattern, left, right)  # type: ignore[no-untyped-call]
    return products


def _places_within(
    pattern: SparsePattern, start: int, size: int, first_column: int
) -> tuple[Tensor, slice]:
    """Where the entries of some rows stand in their flat block, and which entries they are."""
    stop = min(start + size, pattern.shape[0])
    filled = slice(int(pattern.row_pointer[start]), int(pattern.row_pointer[stop]))
    width = pattern.shape[1] - first_column
    row, column = pattern.row[filled] - start, pattern.column[filled] - first_column
    return row * width + column, filled


def _block_cost(
    numbers: Tensor, times: Tensor, places: Tensor, values: Tensor, cost: EntryCost
) -> tuple[Tensor, Tensor]:
    """The cost of one block and its gradient by the block's numbers.

    All are counted as absent first, ``times`` per column; what is there is corrected, once each.
    """
    # Two gradients, not one: that of the few entries that are there is added at their places.
    there = numbers.flatten().index_select(0, places).requires_grad_()
    with torch.enable_grad():
        total = cost.sums_of_absent(numbers.requires_grad_()) @ times
        correction = (cost.present(there, values) - cost.absent(there)).sum()
        (gradient,) = torch.autograd.grad(total, numbers)
        (to_there,) = torch.autograd.grad(correction, there)
    gradient = gradient.contiguous()
    gradient.view(-1).index_add_(0, places, to_there)
    return (total + correction).detach(), gradient
