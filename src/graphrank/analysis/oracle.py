"""Methods that are told the classes, to measure what false negatives cost. Diagnostics, all.

By contract methods never see labels. The ones here do, for the choice of negatives alone; they
are in no registry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

import torch
from torch import Tensor

from graphrank.errors import ConfigError, DataError
from graphrank.methods.base import Method
from graphrank.methods.grace import Grace
from graphrank.methods.graphrank import GraphRank
from graphrank.methods.info import MethodInfo
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.hop_mlp import same_node
from graphrank.nn.infonce import info_nce


@runtime_checkable
class Oracle(Protocol):
    """A method made for the study, which is told the classes before it is fitted."""

    def reveal(self, y: Tensor) -> Self:
        """Keep ``[nodes]`` classes, negative where a node has none."""


@dataclass(kw_only=True, eq=False, repr=False)
class OracleGraphRank(GraphRank):
    """GraphRank with negatives of other classes only; a diagnostic, since it sees labels."""

    info: ClassVar[MethodInfo] = MethodInfo(
        name="graphrank-oracle",
        title="GraphRank with oracle negatives",
        level="node",
        family="diagnostic",
        paper="Hu et al., Graph Ranking Contrastive Learning, 2024, figure 1",
        time="O((N+E)d)",
        memory="O((N+E)d)",
    )

    def reveal(self, y: Tensor) -> Self:
        """Keep the classes that negatives are chosen by."""
        self.classes_ = y
        return self

    def draw_negatives(self, graph: GraphInput) -> Tensor:
        """``[nodes, negatives]`` random nodes of other classes."""
        return other_class_negatives(_revealed(self).to(graph.device), self.negatives)

    def spared(self, rows: Tensor, columns: Tensor) -> Tensor:
        """``[rows, columns]``: a node of its own, one of its class, and any without a label."""
        y = _revealed(self).to(rows.device)
        alike = same_node(y[rows], y[columns]) | (y[columns] < 0)
        return alike | same_node(rows, columns)


@dataclass(kw_only=True, eq=False, repr=False)
class OracleGrace(Grace):
    """GRACE with negatives of other classes only; a diagnostic, since it sees labels.

    Nodes without a label are left out of the loss: whom they may be pushed from is not known.
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="grace-oracle",
        title="GRACE with oracle negatives",
        level="node",
        family="diagnostic",
        paper="Hu et al., Graph Ranking Contrastive Learning, 2024, figure 1",
        time=Grace.info.time,
        memory=Grace.info.memory,
    )

    def reveal(self, y: Tensor) -> Self:
        """Keep the classes that negatives are chosen by."""
        self.classes_ = y
        return self

    def contrast(self, z_1: Tensor, z_2: Tensor) -> Tensor:
        """The loss of the projections of two views, without pairs of one class."""
        y = _revealed(self).to(z_1.device)
        labelled = y >= 0
        _check_two_classes(y[labelled])
        return info_nce(
            z_1[labelled], z_2[labelled], self.temperature, self.block, classes=y[labelled]
        )


def _revealed(method: Method[Any]) -> Tensor:
    """The classes that a method was told; a :class:`ConfigError` if it was told none."""
    classes: Tensor | None = getattr(method, "classes_", None)
    if classes is None:
        raise ConfigError("oracle negatives need the classes; call reveal(y) before fit")
    return classes


def _check_two_classes(labels: Tensor) -> None:
    if labels.unique().numel() < 2:  # type: ignore[no-untyped-call]
        raise DataError("oracle negatives need labels of at least two classes; label more nodes")


def other_class_negatives(y: Tensor, count: int) -> Tensor:
    """Random nodes of another class for each node, uniform over all of them, in linear time.

    A node without a label is nobody's negative, and its own negatives are any labelled nodes.

    Args:
        y: ``[nodes]`` class of each node, negative where it has none.
        count: negatives of each node.

    Returns:
        ``[nodes, count]``.

    Raises:
        DataError: If there are fewer than two classes.
    """
    labelled = (y >= 0).nonzero().flatten()
    _check_two_classes(y[labelled])
    sizes = torch.bincount(y[labelled])
    by_class = labelled[y[labelled].argsort(stable=True)]
    own = y.clamp_min(0)
    size = torch.where(y >= 0, sizes[own], 0).unsqueeze(1)
    start = (sizes.cumsum(0) - sizes)[own].unsqueeze(1)
    drawn = torch.randint(1 << 62, (y.numel(), count), device=y.device) % (labelled.numel() - size)
    # Whoever is drawn at or past the first of the own class stands behind its last one.
    return by_class[drawn + size * (drawn >= start)]
