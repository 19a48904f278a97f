"""Node features of a set of graphs: its own, or made of node labels or degrees, or none at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from graphrank.data.graphset import GraphSet
from graphrank.errors import ModelError

GraphFeatureSource: TypeAlias = Literal["given", "node-labels", "degree", "constant"]
# What nodes have for features where their set says nothing of them.
MissingFeatures: TypeAlias = Literal["degree", "constant"]

# Degrees past this one share a column, as in the field's protocol.
DEGREE_CAP = 400


@dataclass(frozen=True)
class GraphFeatures:
    """Which features the nodes of a set have, decided once, by the set that is trained on.

    Made of structure and node labels alone, they mean the same on every set: a node of an unseen
    set gets the columns that it would have had in training.

    Attributes:
        source: The set's own features, one column for each node label, one for each degree, or a
            one for every node.
        columns: Number of columns.
        label_names: Name of the node label that each column stands for, where they are labels.

    Example:
        >>> path = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> graphs = GraphSet("path", path, torch.tensor([0, 3]))
        >>> GraphFeatures.of(graphs).matrix(graphs).to_dense().tolist()
        [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """

    source: GraphFeatureSource
    columns: int
    label_names: Sequence[str] | None = None

    @classmethod
    def of(cls, graphs: GraphSet, missing: MissingFeatures = "degree") -> GraphFeatures:
        """Decide the features of a set: its own if it has any, else node labels, else ``missing``.

        Args:
            graphs: the set.
            missing: what to take where the set has neither.
        """
        if graphs.x is not None:
            return cls("given", graphs.x.size(1))
        if graphs.node_label is not None:
            return cls("node-labels", len(graphs.label_names), list(graphs.label_names))
        if missing == "constant":
            return cls("constant", 1)
        degrees = degree(graphs)
        largest = int(degrees.max()) if degrees.numel() else 0
        return cls("degree", min(largest, DEGREE_CAP) + 1)

    def matrix(self, graphs: GraphSet) -> Tensor:
        """The features of all nodes of a set, seen or unseen, ``[N, columns]``.

        Its own as they are, labels and degrees as CSR with a single one in each row. A degree that
        is larger than all in training falls into the last column.

        Raises:
            ModelError: If the set lacks what the features are made of.
        """
        if self.source == "given":
            return self._given(graphs)
        if self.source == "constant":
            return torch.ones(graphs.num_nodes, 1)
        if self.source == "degree":
            return _one_hot(degree(graphs).clamp_max(self.columns - 1), self.columns)
        return _one_hot(self._labels(graphs), self.columns)

    def _given(self, graphs: GraphSet) -> Tensor:
        if graphs.x is None:
            raise ModelError(
                f"the model was trained on {self.columns} node features and {graphs.name} has "
                "none; give each graph its features x"
            )
        if graphs.x.size(1) != self.columns:
            raise ModelError(
                f"the model was trained on {self.columns} features and {graphs.name} has "
                f"{graphs.x.size(1)}; give it the same feature columns"
            )
        return graphs.x

    def _labels(self, graphs: GraphSet) -> Tensor:
        """``[N]`` the column of each node, found by the name of its label."""
        if graphs.node_label is None:
            raise ModelError(
                f"the model was trained on node labels and {graphs.name} has none; label its nodes"
            )
        place = {name: column for column, name in enumerate(self.label_names or ())}
        column = torch.tensor(
            [place.get(name, -1) for name in graphs.label_names], dtype=torch.long
        )
        labels = column[graphs.node_label]
        unknown = (labels < 0).nonzero()
        if unknown.numel():
            name = graphs.label_names[int(graphs.node_label[unknown[0, 0]])]
            raise ModelError(
                f"{graphs.name} has the node label {name!r}, which the model has not seen in "
                "training; fit a model on graphs that have it"
            )
        return labels


def degree(graphs: GraphSet) -> Tensor:
    """Number of edges into every node of a set, int64 ``[N]``."""
    return torch.bincount(graphs.edge_index[1], minlength=graphs.num_nodes)


def _one_hot(column: Tensor, columns: int) -> Tensor:
    """CSR ``[N, columns]`` with a one in the given column of each row."""
    return torch.sparse_csr_tensor(
        torch.arange(column.numel() + 1),
        column,
        torch.ones(column.numel()),
        size=(column.numel(), columns),
        check_invariants=False,
    )
