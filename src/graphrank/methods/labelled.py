"""A graph with the labels that a supervised method may learn from, and no others."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self

import torch
from torch import Tensor

from graphrank.data import NodeSplit
from graphrank.errors import DataError
from graphrank.nn.graph_input import GraphInput


class Parts(Protocol):
    """A split, as far as a supervised method looks at it."""

    @property
    def train(self) -> Tensor:
        """Whose labels make the loss."""

    @property
    def val(self) -> Tensor:
        """Whose labels choose the epoch."""


@dataclass(frozen=True, eq=False)
class SeenLabels:
    """The labels of the training and validation parts of nodes, or of graphs.

    Those of the test part are not in it in any form: the classes are those that training and
    validation have.

    Args:
        classes: ``[classes]`` the labels that occur, in ascending order.
        train: ``[t]`` the training part.
        train_class: ``[t]`` its labels, as places in ``classes``.
        val: ``[v]`` the validation part.
        val_class: ``[v]`` its labels, as places in ``classes``.
    """

    classes: Tensor
    train: Tensor
    train_class: Tensor
    val: Tensor
    val_class: Tensor

    def label_fingerprint(self) -> str:
        """The SHA-256 of the labels and of whose they are, as hexadecimal digits."""
        digest = hashlib.sha256()
        for tensor in (self.classes, self.train, self.train_class, self.val, self.val_class):
            digest.update(f"{tensor.numel()};".encode())
            digest.update(tensor.long().cpu().numpy().tobytes())
        return digest.hexdigest()


def seen_labels(
    y: Any, split: Parts, count: int, each: Literal["node", "graph"], device: torch.device
) -> tuple[Tensor, ...]:
    """What :class:`SeenLabels` holds: of training and validation, the rest is left behind.

    Args:
        y: ``[count]`` whole numbers; a negative one is no label.
        split: whose labels may be seen.
        count: number of nodes or graphs.
        each: which of them has a label.
        device: where the training is.

    Raises:
        DataError: If there are too few labels to learn from.
    """
    labels = torch.as_tensor(y)
    if labels.shape != (count,):
        raise DataError(
            f"{labels.numel()} labels do not fit {count} {each}s; give one for each {each}, -1 "
            "where there is none"
        )
    train, val = (part[labels[part] >= 0] for part in (split.train, split.val))
    for name, part in (("training", train), ("validation", val)):
        if part.numel() == 0:
            raise DataError(f"no {name} {each} has a label; label some or choose another split")
    classes = torch.unique(torch.cat([labels[train], labels[val]]))
    places = [torch.searchsorted(classes, labels[part]) for part in (train, val)]
    return tuple(tensor.to(device) for tensor in (classes, train, places[0], val, places[1]))


@dataclass(frozen=True, eq=False)
class LabelledInput(SeenLabels, GraphInput):
    """What supervised training on nodes computes on: a graph and :class:`SeenLabels` of it."""

    @classmethod
    def of(cls, graph: GraphInput, y: Any, split: NodeSplit) -> Self:
        """Take the labels of training and validation nodes; leave the rest behind.

        Args:
            graph: features and structure.
            y: ``[nodes]`` whole numbers; a node with a negative one has no label.
            split: whose labels may be seen.

        Raises:
            DataError: If there are too few labels to learn from.
        """
        labels = seen_labels(y, split, graph.num_nodes, "node", graph.device)
        return cls(graph.features, graph.adjacency, *labels)
