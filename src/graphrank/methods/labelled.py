"""A graph with the labels that a supervised method may learn from, and no others."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Self

import torch
from torch import Tensor

from graphrank.data import NodeSplit
from graphrank.errors import DataError
from graphrank.nn.graph_input import GraphInput


@dataclass(frozen=True, eq=False)
class LabelledInput(GraphInput):
    """What supervised training computes on.

    The labels of test nodes are not in it in any form: the classes are those that training and
    validation nodes have.

    Args:
        features: the node features.
        adjacency: the structure.
        classes: ``[classes]`` the labels that occur, in ascending order.
        train: ``[t]`` training nodes.
        train_class: ``[t]`` their labels, as places in ``classes``.
        val: ``[v]`` validation nodes.
        val_class: ``[v]`` their labels, as places in ``classes``.
    """

    classes: Tensor
    train: Tensor
    train_class: Tensor
    val: Tensor
    val_class: Tensor

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
        labels = torch.as_tensor(y)
        if labels.shape != (graph.num_nodes,):
            raise DataError(
                f"{labels.numel()} labels do not fit {graph.num_nodes} nodes; give one for each "
                "node, -1 where there is none"
            )
        train, val = (part[labels[part] >= 0] for part in (split.train, split.val))
        for name, part in (("training", train), ("validation", val)):
            if part.numel() == 0:
                raise DataError(f"no {name} node has a label; label some or choose another split")
        classes = torch.unique(torch.cat([labels[train], labels[val]]))
        places = [torch.searchsorted(classes, labels[part]) for part in (train, val)]
        on_device = (
            tensor.to(graph.device) for tensor in (classes, train, places[0], val, places[1])
        )
        return cls(graph.features, graph.adjacency, *on_device)

    def label_fingerprint(self) -> str:
        """The SHA-256 of the labels and of whose they are, as hexadecimal digits."""
        digest = hashlib.sha256()
        for tensor in (self.classes, self.train, self.train_class, self.val, self.val_class):
            digest.update(f"{tensor.numel()};".encode())
            digest.update(tensor.long().cpu().numpy().tobytes())
        return digest.hexdigest()
