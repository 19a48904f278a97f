"""Splits of edges into training, validation and test, with pairs without an edge beside them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch_geometric.data import Data

from graphrank.data.negatives import Accept, PairSet, pair_keys, pairs_of, sample_non_edges
from graphrank.errors import DataError


@dataclass(frozen=True, eq=False)
class EdgeSplit:
    """Edges in three disjoint parts, and as many pairs without an edge beside the held-out ones.

    An edge is an unordered pair: both of its directions are on the same side of the split.

    Attributes:
        train: ``[2, P]`` training edges with ``u < v``, int64.
        val: ``[2, V]`` validation edges.
        test: ``[2, T]`` test edges, in random order.
        val_negatives: ``[2, V]`` pairs without an edge in the whole graph.
        test_negatives: ``[2, T]`` others.
        edge_index: ``[2, E]`` the training edges as the graph holds them, both directions.
        edge_weight: ``[E]`` their weights, where the graph has some.
    """

    train: Tensor
    val: Tensor
    test: Tensor
    val_negatives: Tensor
    test_negatives: Tensor
    edge_index: Tensor
    edge_weight: Tensor | None = None


def split_edges(
    data: Data,
    seed: int,
    val: float = 0.05,
    test: float = 0.1,
    *,
    keep: Accept | None = None,
    accept_negative: Accept | None = None,
) -> EdgeSplit:
    """Split the edges at random; the rest after validation and test is training.

    Self-loops are left out. Negatives are uniform among the pairs without an edge in the whole
    graph, each at most once. The same arguments give the same split; torch's global state is
    neither used nor changed. Time and memory are linear in the edges, up to sorting.

    Args:
        data: A graph with ``edge_index`` and perhaps ``edge_weight``.
        seed: Seed of the split.
        val: Share of the validation edges.
        test: Share of the test edges.
        keep: Tells for each of ``[2, P]`` pairs whether the edge takes part; others are dropped.
        accept_negative: Tells for each of ``[2, P]`` pairs whether it may be a negative.

    Raises:
        DataError: If there are too few edges, or too few pairs without one.

    Example:
        >>> from graphrank.data import load
        >>> split = split_edges(load("karate"), seed=0)
        >>> split.train.size(1), split.val.size(1), split.test.size(1)
        (68, 3, 7)
    """
    generator = torch.Generator().manual_seed(seed)
    known = PairSet.of(data.edge_index, data.num_nodes)
    keys = known.keys if keep is None else known.keys[keep(known.pairs)]
    num_val, num_test = _sizes(keys.numel(), val, test)
    chosen = torch.randperm(keys.numel(), generator=generator)[: num_val + num_test]
    held_out = keys[chosen]
    negatives = sample_non_edges(known, held_out.numel(), generator, accept_negative)
    train = torch.ones_like(keys, dtype=torch.bool).index_fill_(0, chosen, False)
    entries = _entries(data, PairSet(held_out.sort().values, data.num_nodes), keep)
    weight = data.get("edge_weight")
    return EdgeSplit(
        train=pairs_of(keys[train], data.num_nodes),
        val=pairs_of(held_out[:num_val], data.num_nodes),
        test=pairs_of(held_out[num_val:], data.num_nodes),
        val_negatives=negatives[:, :num_val],
        test_negatives=negatives[:, num_val:],
        edge_index=data.edge_index[:, entries],
        edge_weight=None if weight is None else weight[entries],
    )


def _sizes(edges: int, val: float, test: float) -> tuple[int, int]:
    """Number of validation and of test edges, both rounded down as is usual."""
    num_val, num_test = (int(edges * share + 1e-9) for share in (val, test))
    if num_val < 1 or num_test < 1 or num_val + num_test >= edges:
        needed = math.ceil(1 / min(val, test) - 1e-9)
        raise DataError(
            f"the graph has {edges:,} usable edges, and {val:.0%} for validation and {test:.0%} "
            f"for test take at least {needed}; use a larger graph"
        )
    return num_val, num_test


def _entries(data: Data, held_out: PairSet, keep: Accept | None) -> Tensor:
    """Tell for each entry of ``edge_index`` whether it belongs to a training edge."""
    edge_index: Tensor = data.edge_index
    visible = edge_index[0] != edge_index[1]
    visible &= ~held_out.contains_keys(pair_keys(edge_index, data.num_nodes))
    return visible if keep is None else visible & keep(edge_index)
