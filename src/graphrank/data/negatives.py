"""Pairs of nodes as sorted keys, and pairs without an edge drawn without any N × N matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from graphrank.errors import DataError

Accept = Callable[[Tensor], Tensor]

_MAX_ROUNDS = 50
_ENUMERATE_BELOW = 10_000_000
_MIN_BATCH = 256


@dataclass(frozen=True, eq=False)
class PairSet:
    """Unordered pairs of different nodes, each once, in memory linear in their number.

    Attributes:
        keys: ``[P]`` sorted int64, ``u * num_nodes + v`` with ``u < v``.
        num_nodes: Number of nodes.
    """

    keys: Tensor
    num_nodes: int

    @classmethod
    def of(cls, edge_index: Tensor, num_nodes: int) -> PairSet:
        """The pairs that some edges ``[2, E]`` join, whatever their direction; loops left out."""
        keys = pair_keys(edge_index, num_nodes)
        return cls(torch.unique(keys[edge_index[0] != edge_index[1]]), num_nodes)

    @property
    def pairs(self) -> Tensor:
        """``[2, P]`` with ``u < v``, sorted."""
        return pairs_of(self.keys, self.num_nodes)

    @property
    def num_free(self) -> int:
        """Number of pairs of different nodes that are not in the set."""
        return self.num_nodes * (self.num_nodes - 1) // 2 - self.keys.numel()

    def contains(self, pairs: Tensor) -> Tensor:
        """Tell for each of ``[2, P]`` pairs, in either order, whether it is in the set."""
        return self.contains_keys(pair_keys(pairs, self.num_nodes))

    def contains_keys(self, keys: Tensor) -> Tensor:
        """The same for keys, by binary search."""
        if not self.keys.numel():
            return torch.zeros_like(keys, dtype=torch.bool)
        place = torch.searchsorted(self.keys, keys).clamp_max(self.keys.numel() - 1)
        return self.keys[place] == keys


def pair_keys(pairs: Tensor, num_nodes: int) -> Tensor:
    """One number ``[P]`` for each unordered pair of ``[2, P]``."""
    low, high = torch.minimum(pairs[0], pairs[1]), torch.maximum(pairs[0], pairs[1])
    return low * num_nodes + high


def pairs_of(keys: Tensor, num_nodes: int) -> Tensor:
    """The pairs ``[2, P]`` with ``u < v`` that keys stand for."""
    return torch.stack([keys // num_nodes, keys % num_nodes])


def sample_non_edges(
    known: PairSet, count: int, generator: torch.Generator, accept: Accept | None = None
) -> Tensor:
    """Draw different pairs without an edge, uniformly, in memory linear in edges and ``count``.

    Pairs are drawn and those refused that are known, repeated or not accepted. Where so few are
    free that this would take long, all of them are listed: then they are few beside the edges.

    Args:
        known: The edges.
        count: How many pairs to draw.
        generator: Source of randomness; the same state gives the same pairs.
        accept: Tells for each of ``[2, P]`` pairs whether it may be taken.

    Returns:
        ``[2, count]`` pairs with ``u < v``, in random order.

    Raises:
        DataError: If there are not as many.
    """
    if count > known.num_free:
        raise _too_few(known.num_free, count)
    total = known.num_free + known.keys.numel()
    if total <= 2 * (known.keys.numel() + count):
        return _listed(known, count, generator, accept)
    found = torch.empty(0, dtype=torch.int64)
    for _ in range(_MAX_ROUNDS):
        drawn = _draw(known, 2 * (count - found.numel()) + _MIN_BATCH, generator, accept)
        found = _first_of_each(torch.cat([found, drawn]))[:count]
        if found.numel() == count:
            return pairs_of(found, known.num_nodes)
    if total <= _ENUMERATE_BELOW:
        return _listed(known, count, generator, accept)
    raise _too_few(found.numel(), count)


def sample_non_neighbours(
    known: PairSet,
    nodes: Tensor,
    count: int,
    generator: torch.Generator,
    accept: Accept | None = None,
) -> tuple[Tensor, Tensor]:
    """Draw nodes that are not joined to given ones, uniformly and with repetition.

    Args:
        known: The edges.
        nodes: ``[Q]`` nodes to find strangers of.
        count: How many for each.
        generator: Source of randomness.
        accept: Tells for each of ``[2, P]`` pairs whether it may be taken.

    Returns:
        ``[Q, count]`` nodes, and ``[Q, count]`` whether each is a stranger: a node that is joined
        to nearly all others may have none.
    """
    shape = (nodes.numel(), count)
    strangers = torch.randint(known.num_nodes, shape, generator=generator)
    valid = _are_strangers(known, nodes[:, None].expand(shape), strangers, accept)
    for _ in range(_MAX_ROUNDS):
        row, column = (~valid).nonzero(as_tuple=True)
        if not row.numel():
            break
        drawn = torch.randint(known.num_nodes, (row.numel(),), generator=generator)
        strangers[row, column] = drawn
        valid[row, column] = _are_strangers(known, nodes[row], drawn, accept)
    return strangers, valid


def _are_strangers(known: PairSet, nodes: Tensor, others: Tensor, accept: Accept | None) -> Tensor:
    pairs = torch.stack([nodes.reshape(-1), others.reshape(-1)])
    strangers = ~known.contains(pairs) & (pairs[0] != pairs[1])
    if accept is not None:
        strangers &= accept(pairs)
    return strangers.view(others.shape)


def _draw(known: PairSet, count: int, generator: torch.Generator, accept: Accept | None) -> Tensor:
    """Keys of up to ``count`` free pairs, in the order drawn."""
    pairs = torch.randint(known.num_nodes, (2, count), generator=generator)
    keys = pair_keys(pairs, known.num_nodes)
    keep = (pairs[0] != pairs[1]) & ~known.contains_keys(keys)
    if accept is not None:
        keep &= accept(pairs)
    return keys[keep]


def _first_of_each(keys: Tensor) -> Tensor:
    """Keys without repetition, in the order in which they first occur."""
    order = keys.argsort(stable=True)
    ordered = keys[order]
    first = torch.ones_like(ordered, dtype=torch.bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return keys[order[first].sort().values]


def _listed(
    known: PairSet, count: int, generator: torch.Generator, accept: Accept | None
) -> Tensor:
    """Choose among all free pairs."""
    pairs = torch.triu_indices(known.num_nodes, known.num_nodes, offset=1)
    free = ~known.contains(pairs)
    if accept is not None:
        free &= accept(pairs)
    pairs = pairs[:, free]
    if pairs.size(1) < count:
        raise _too_few(pairs.size(1), count)
    return pairs[:, torch.randperm(pairs.size(1), generator=generator)[:count]]


def _too_few(there: int, count: int) -> DataError:
    return DataError(
        f"{count:,} pairs of nodes without an edge are needed as negatives and the graph has "
        f"{there:,} that can be used; use a graph with fewer edges for its nodes"
    )
