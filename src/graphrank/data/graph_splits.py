"""Splits of a set of graphs into training, validation and test."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class GraphSplit:
    """Three disjoint parts of a set of graphs.

    Attributes:
        train: Positions of the training graphs, int64.
        val: Positions of the validation graphs, int64.
        test: Positions of the test graphs, int64.
    """

    train: Tensor
    val: Tensor
    test: Tensor


def hold_out(graphs: Tensor, y: Tensor, share: float, seed: int) -> tuple[Tensor, Tensor]:
    """Take a part of every class out of some graphs, drawn by the seed alone.

    Args:
        graphs: ``[chosen]`` positions in the set.
        y: Class of every graph of the set.
        share: How much of each class is taken, one graph at least.
        seed: Seed of the draw; torch's global state is neither used nor changed.

    Returns:
        What is left and what was taken, both in the order of ``graphs``.

    Example:
        >>> left, taken = hold_out(torch.arange(20), torch.arange(20) % 2, 0.1, seed=0)
        >>> len(left), sorted((taken % 2).tolist())
        (18, [0, 1])
    """
    random = torch.Generator().manual_seed(seed)
    is_taken = torch.zeros(graphs.numel(), dtype=torch.bool)
    for label in torch.unique(y[graphs]):
        members = (y[graphs] == label).nonzero().flatten()
        order = torch.randperm(members.numel(), generator=random)
        is_taken[members[order[: max(1, round(share * members.numel()))]]] = True
    return graphs[~is_taken], graphs[is_taken]
