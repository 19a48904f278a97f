"""Class-balanced likelihood of a graph's links, from embeddings of its nodes.

Nearly all pairs of nodes have no edge between them. Auto-encoders since Kipf & Welling (2016)
weigh the two kinds so that each makes up about half of the cost: with S edges among N² pairs, a
pair that is linked weighs ``1 / 2S`` and one that is not ``1 / 2(N² - S)``. Every node counts as
linked to itself, which the weights do not reckon with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal
from weakref import WeakKeyDictionary

import torch
import torch.nn.functional as F
from torch import Tensor

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.drawn_columns import DrawnColumns
from graphrank.nn.reconstruction import (
    EntryCost,
    FormName,
    exact_cost,
    folded,
    sampled_cost,
)
from graphrank.nn.softplus import summed_softplus
from graphrank.nn.sparse import SparsePattern

LinkDecoderName = Literal["inner", "bernoulli-poisson"]

# Beyond this logarithm of a rate, the rate goes on as its tangent: finite, and with a gradient.
_LARGEST = 15.0
# Below the first, -log(1 - exp(-e^s)) is -s to the last digit of single precision; above the
# second it is zero.
_RARE, _CERTAIN = -17.0, 5.0

# The folded patterns of graphs in use; they go when the graphs do.
_FOLDED: WeakKeyDictionary[Adjacency, SparsePattern] = WeakKeyDictionary()


def class_weights(present: int, entries: int) -> tuple[float, float]:
    """Weights of an entry that is there and of one that is not: either class has half in all."""
    return 0.5 / max(present, 1), 0.5 / max(entries - present, 1)


def bernoulli(present: int, entries: int) -> EntryCost:
    """Weighted negative log-likelihood of entries that are there with chance ``sigmoid(s)``."""
    there, not_there = class_weights(present, entries)
    return EntryCost(
        lambda logits: not_there * F.softplus(logits),
        lambda logits, _: there * F.softplus(-logits),
        lambda logits: not_there * summed_softplus(logits),
    )


def bernoulli_poisson(present: int, entries: int) -> EntryCost:
    """The same with a chance of ``1 - exp(-e^s)``: that a Poisson count of rate e^s is not zero.

    Reference: Zhou, "Infinite Edge Partition Models for Overlapping Community Detection and Link
    Prediction", AISTATS 2015.
    """
    there, not_there = class_weights(present, entries)
    return EntryCost(
        lambda rates: not_there * _rate(rates),
        lambda rates, _: there * _surprise(rates),
    )


_COSTS: dict[str, Callable[[int, int], EntryCost]] = {
    "inner": bernoulli,
    "bernoulli-poisson": bernoulli_poisson,
}


def link_cost(
    adjacency: Adjacency,
    embedding: Tensor,
    form: FormName,
    *,
    decoder: LinkDecoderName = "inner",
    num_edges: float | None = None,
    drawn: DrawnColumns | None = None,
) -> Tensor:
    """Balanced negative log-likelihood of all links and loops, given ``embedding @ embedding.T``.

    Args:
        adjacency: which pairs are linked; weights of edges do not count.
        embedding: ``[nodes, width]``.
        form: all pairs, or a sample with the same expectation.
        decoder: how a product becomes a chance.
        num_edges: number of edges, each direction one, that the classes are balanced for; those
            of ``adjacency`` unless another number is given.
        drawn: what a sample looks at where no link is; drawn anew unless it is given.

    Example:
        >>> edges = torch.tensor([[0, 1], [1, 0]])
        >>> link_cost(Adjacency(edges, 3), torch.zeros(3, 2), "dense")
        tensor(1.0645)
    """
    pattern, nodes = adjacency.pattern, adjacency.num_nodes
    present = pattern.num_entries - nodes if num_edges is None else int(num_edges)
    cost = _COSTS[decoder](present, nodes * nodes)
    values = embedding.new_ones(pattern.num_entries)
    if form == "dense":
        return exact_cost(embedding, None, _folded_once(adjacency), values, cost)
    drawn = DrawnColumns.draw(pattern) if drawn is None else drawn
    return sampled_cost(embedding, embedding, pattern, values, cost, drawn)


def mean_link_cost(
    adjacency: Adjacency,
    embeddings: Sequence[Tensor],
    form: FormName,
    *,
    decoder: LinkDecoderName = "inner",
) -> Tensor:
    """The mean :func:`link_cost` of several embeddings of one graph; a sample serves them all.

    Args:
        adjacency: which pairs are linked.
        embeddings: each ``[nodes, width]``.
        form: all pairs, or a sample with the same expectation.
        decoder: how a product becomes a chance.
    """
    drawn = DrawnColumns.draw(adjacency.pattern) if form == "sampled" else None
    costs = [
        link_cost(adjacency, embedding, form, decoder=decoder, drawn=drawn)
        for embedding in embeddings
    ]
    return torch.stack(costs).mean()


def _rate(log_rate: Tensor) -> Tensor:
    """``e^s``, continued by its tangent where it grows out of hand."""
    within = log_rate.clamp_max(_LARGEST)
    return within.exp() * (1 + log_rate - within)


def _surprise(log_rate: Tensor) -> Tensor:
    """``-log(1 - exp(-e^s))`` without loss of digits at either end."""
    within = log_rate.clamp(_RARE, _CERTAIN)
    return torch.where(log_rate < _RARE, -log_rate, -torch.log(-torch.expm1(-within.exp())))


def _folded_once(adjacency: Adjacency) -> SparsePattern:
    """The folded pattern of a graph, made on first use."""
    if adjacency not in _FOLDED:
        _FOLDED[adjacency] = folded(adjacency.pattern)
    return _FOLDED[adjacency]
