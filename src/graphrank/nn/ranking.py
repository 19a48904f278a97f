"""Rank levels: the node itself over a neighbour over a node two hops away over a random one.

Each level is ranked over random nodes, or in a chain over the next level.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.losses import rank_loss
from graphrank.nn.similarity import SimilarityName, pair_similarity

# Similarities of each node to its counterpart, ``[nodes]``, and to its negatives, ``[nodes, k]``.
Level = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class Ranking:
    """What counts as a counterpart, by how much it must lead, and how a wrong rank is charged.

    Args:
        margin: how much nearer than what it is ranked over the node itself must be.
        neighbor_margin: how much nearer a neighbour must be.
        neighbor_weight: weight of that level; 0 for none.
        two_hop_margin: how much nearer a neighbour's neighbour must be.
        two_hop_weight: weight of that level; 0 for none.
        softness: width of the bend at the margins; 0 for the hinge.
        hardest: count only the most similar of a node's negatives.
        self_weight: weight of the level of the node itself; 0 for none.
        chain: rank each level over the next one, and only the last over random nodes.
    """

    margin: float
    neighbor_margin: float = 0.5
    neighbor_weight: float = 0.0
    two_hop_margin: float = 0.25
    two_hop_weight: float = 0.0
    softness: float = 0.0
    hardest: bool = False
    self_weight: float = 1.0
    chain: bool = False

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

    def loss(self, levels: Sequence[Level], counterparts: Sequence[Tensor] = ()) -> Tensor:
        """The weighted sum of all levels.

        Args:
            levels: similarities to counterparts and to random nodes, the nearest level first.
            counterparts: ``[nodes]`` for each level, as they were drawn; a chain needs them.
        """
        if self.chain:
            levels = over_the_next(levels, counterparts)
        losses = [
            weight
            * rank_loss(positive, negative, margin, softness=self.softness, hardest=self.hardest)
            for (margin, weight), (positive, negative) in zip(self.levels, levels, strict=True)
        ]
        return torch.stack(losses).sum()

    def loss_between(
        self,
        anchor: Tensor,
        other: Tensor,
        counterparts: Sequence[Tensor],
        negatives: Tensor,
        kind: SimilarityName,
    ) -> Tensor:
        """The loss of all nodes of one view among those of another, in ``O(nodes * k)``.

        Args:
            anchor: ``[nodes, width]`` embeddings of the one.
            other: ``[nodes, width]`` embeddings of the other.
            counterparts: ``[nodes]`` for each level.
            negatives: ``[nodes, k]`` random nodes.
            kind: what the ranks compare.
        """
        pairs = ranked_pairs(counterparts, negatives)
        return self.loss_of_pairs(pair_similarity(anchor, other, pairs, kind), counterparts)

    def loss_of_pairs(self, similarity: Tensor, counterparts: Sequence[Tensor]) -> Tensor:
        """The loss from similarities ``[nodes, levels + k]`` of :func:`ranked_pairs`."""
        near, far = similarity.tensor_split([len(counterparts)], dim=1)
        return self.loss([(positive, far) for positive in near.unbind(dim=1)], counterparts)


def ranked_pairs(counterparts: Sequence[Tensor], negatives: Tensor) -> Tensor:
    """``[nodes, levels + k]`` whom each node is compared with: counterparts, then random nodes."""
    return torch.cat([torch.stack(list(counterparts), dim=1), negatives], dim=1)


def over_the_next(levels: Sequence[Level], counterparts: Sequence[Tensor]) -> list[Level]:
    """Each level's counterparts over those of the next; the last over its random nodes.

    A step to a neighbour may stay where it is, and a second one may lead back. Where a level has
    drawn a node that is a nearer level's as well, there is nothing to rank, and nothing is charged.
    """
    chained = []
    for number, (positive, _) in enumerate(levels[:-1], start=1):
        nearer = torch.stack(list(counterparts[:number]))
        is_nearer = (counterparts[number] == nearer).any(dim=0)
        following = levels[number][0].masked_fill(is_nearer, -math.inf)
        chained.append((positive, following.unsqueeze(1)))
    return [*chained, *levels[-1:]]
