"""Splits of nodes into training, validation and test, as index tensors."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch_geometric.data import Data

from graphrank.errors import DataError


@dataclass(frozen=True)
class NodeSplit:
    """Three disjoint sets of nodes.

    Attributes:
        train: Positions of the training nodes, int64.
        val: Positions of the validation nodes, int64.
        test: Positions of the test nodes, int64.
    """

    train: Tensor
    val: Tensor
    test: Tensor


def random_split(num_nodes: int, seed: int, train: float = 0.1, val: float = 0.1) -> NodeSplit:
    """Split the nodes at random; the rest after training and validation is test.

    The same arguments give the same split on every machine; torch's global state is neither
    used nor changed.

    Args:
        num_nodes: Number of nodes.
        seed: Seed of the split.
        train: Share of the training nodes.
        val: Share of the validation nodes.

    Raises:
        DataError: If one of the three sets would be empty.

    Example:
        >>> split = random_split(100, seed=0)
        >>> len(split.train), len(split.val), len(split.test)
        (10, 10, 80)
    """
    first = int(num_nodes * train)
    second = first + int(num_nodes * val)
    if not 0 < first < second < num_nodes:
        raise DataError(
            f"{num_nodes} nodes cannot be split with shares of {train:.0%} for training and"
            f" {val:.0%} for validation; every part needs at least one node"
        )
    order = torch.randperm(num_nodes, generator=torch.Generator().manual_seed(seed))
    return NodeSplit(order[:first], order[first:second], order[second:])


def public_split(data: Data) -> NodeSplit:
    """Return the split published with the dataset.

    Args:
        data: A graph with ``train_mask``, ``val_mask`` and ``test_mask``.

    Raises:
        DataError: If the dataset has no published split.
    """
    parts = []
    for name in ("train_mask", "val_mask", "test_mask"):
        mask = data.get(name)
        if mask is None:
            raise DataError(
                f"{data.get('name') or 'this graph'} has no public split ({name} is missing);"
                " use a random split"
            )
        parts.append(mask.nonzero().view(-1))
    return NodeSplit(*parts)
