"""Rank levels: the node itself over a neighbour over a node two hops away over a random one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.losses import rank_loss


@dataclass(frozen=True)
class Ranking:
    """What counts as a counterpart, by how much it must lead, and how a wrong rank is charged.

    Args:
        margin: how much nearer than a random node the node itself must be.
        neighbor_margin: how much nearer a neighbour must be.
        neighbor_weight: weight of that level; 0 for none.
        two_hop_margin: how much nearer a neighbour's neighbour must be.
        two_hop_weight: weight of that level; 0 for none.
        softness: width of the bend at the margins; 0 for the hinge.
        hardest: count only the most similar of a node's negatives.
        self_weight: weight of the level of the node itself; 0 for none.
    """

    margin: float
    neighbor_margin: float = 0.5
    neighbor_weight: float = 0.0
    two_hop_margin: float = 0.25
    two_hop_weight: float = 0.0
    softness: float = 0.0
    hardest: bool = False
    self_weight: float = 1.0

    @property
    def levels(self) -> list[tuple[float, float]]:
        """Margin and weight of each level that has a weight, the nearest first."""
        levels = (
            (self.margin, self.self_weight),
            (self.neighbor_margin, self.neighbor_weight),
            (self.two_hop_margin, self.two_hop_weight),
        )
        return [level for level in levels if level[1] > 0]

    @property
    def of_neighbors(self) -> Ranking:
        """Neighbours alone, with the margin of the node itself."""
        return replace(
            self,
            self_weight=0.0,
            neighbor_margin=self.margin,
            neighbor_weight=1.0,
            two_hop_weight=0.0,
        )

    def with_margins(self, share: float) -> Ranking:
        """The same with a share of all margins."""
        return replace(
            self,
            margin=share * self.margin,
            neighbor_margin=share * self.neighbor_margin,
            two_hop_margin=share * self.two_hop_margin,
        )

    def counterparts(self, adjacency: Adjacency, nodes: Tensor) -> Iterator[Tensor]:
        """``[nodes]`` for each level: the node, a random neighbour, one of a random neighbour's."""
        if self.self_weight > 0:
            yield nodes
        if self.neighbor_weight > 0:
            yield adjacency.random_neighbor(nodes)
        if self.two_hop_weight > 0:
            yield adjacency.random_neighbor(adjacency.random_neighbor(nodes))

    def loss(self, similarities: Iterable[tuple[Tensor, Tensor]]) -> Tensor:
        """The weighted sum of all levels.

        Args:
            similarities: for each level ``[nodes]`` to the counterpart and ``[nodes, k]`` to the
                negatives; taken one after another, so that they may be computed as they are needed.
        """
        levels = [
            weight
            * rank_loss(positive, negative, margin, softness=self.softness, hardest=self.hardest)
            for (margin, weight), (positive, negative) in zip(
                self.levels, similarities, strict=True
            )
        ]
        return torch.stack(levels).sum()
