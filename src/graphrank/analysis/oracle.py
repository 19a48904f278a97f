"""Methods that are told the classes, to measure what false negatives cost. Diagnostics, all.

By contract methods never see labels. The ones here do, for the choice of negatives alone; they
are in no registry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol, Self, runtime_checkable

import torch
from torch import Tensor

from graphrank.errors import ConfigError, DataError
from graphrank.methods.graphrank import GraphRank
from graphrank.methods.info import MethodInfo
from graphrank.nn.graph_input import GraphInput


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
        if not hasattr(self, "classes_"):
            raise ConfigError("oracle negatives need the classes; call reveal(y) before fit")
        return other_class_negatives(self.classes_.to(graph.device), self.negatives)


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
    sizes = torch.bincount(y[labelled])
    if int((sizes > 0).sum()) < 2:
        raise DataError("oracle negatives need labels of at least two classes; label more nodes")
    by_class = labelled[y[labelled].argsort(stable=True)]
    own = y.clamp_min(0)
    size = torch.where(y >= 0, sizes[own], 0).unsqueeze(1)
    start = (sizes.cumsum(0) - sizes)[own].unsqueeze(1)
    drawn = torch.randint(1 << 62, (y.numel(), count), device=y.device) % (labelled.numel() - size)
    # Whoever is drawn at or past the first of the own class stands behind its last one.
    return by_class[drawn + size * (drawn >= start)]
