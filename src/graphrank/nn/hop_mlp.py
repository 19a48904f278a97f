"""One MLP for a node as it is seen from three distances: alone, with its neighbours, far around.

What a node's features say and what its surroundings say are views of one node. The MLP has the
same weights for all of them, so a node's counterpart can be itself at another distance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from graphrank.augment.views import View
from graphrank.nn.dropout import ByteDropout
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.ranking import Ranking
from graphrank.nn.readout import diffusion
from graphrank.nn.scaling import standardized

# Nodes whose hidden layer is there at once when all are embedded: 64 MiB at the usual width.
_AT_A_TIME = 16_384
SLOPE = 0.25

Spared = Callable[[Tensor, Tensor], Tensor]


def distances(view: View, basis: Tensor, teleport: float) -> Iterator[Tensor]:
    """Features in a basis, of the node, its neighbours, and far around: ``[nodes, columns]`` each.

    Rows are scaled to the length of ``columns`` numbers of size one, so that no distance and no
    node is louder than another.
    """
    own, length = view.project(basis), math.sqrt(basis.size(1))
    yield F.normalize(own, dim=1).mul_(length)
    yield F.normalize(view.propagate(own), dim=1).mul_(length)
    yield F.normalize(diffusion(view, own, teleport), dim=1).mul_(length)


def seen_from_distances(view: View, basis: Tensor, teleport: float) -> Tensor:
    """All :func:`distances` in one: ``[3, nodes, columns]``."""
    seen = basis.new_empty(3, view.graph.num_nodes, basis.size(1))
    for place, one in zip(seen, distances(view, basis, teleport), strict=True):
        place.copy_(one)
    return seen


@dataclass(frozen=True, eq=False)
class SomeNodes(GraphInput):
    """A graph and some of its nodes, which are ranked against each other.

    Args:
        nodes: ``[batch]``, none of them twice.
    """

    nodes: Tensor


@dataclass(frozen=True, eq=False)
class NodesAlone(SomeNodes):
    """The same where nodes are seen by their own features, and neighbours are counterparts."""


class HopMLP(nn.Module):
    """Two layers with layer norm, leaky ReLU and dropout, and a projector that only the loss sees.

    Args:
        in_channels: columns of what is seen.
        hidden: width of the first layer.
        channels: width of the second, and of the embedding.
        projector: width of what is ranked.
        dropout: share of hidden units dropped in training.
        mask: share of input columns masked in training, anew for each view.
    """

    def __init__(
        self,
        in_channels: int,
        hidden: int,
        channels: int,
        projector: int,
        dropout: float,
        mask: float,
    ) -> None:
        super().__init__()
        self.mask, self.channels = mask, channels
        self.layers = nn.Sequential(
            *_layer(in_channels, hidden, dropout), *_layer(hidden, channels, dropout)
        )
        self.projector = nn.Sequential(
            nn.Linear(channels, projector), nn.LeakyReLU(SLOPE), nn.Linear(projector, projector)
        )

    def forward(self, seen: Tensor) -> Tensor:
        """Embed what is seen: ``[..., columns]`` to ``[..., channels]``."""
        embedding: Tensor = self.layers(seen)
        return embedding

    def of_all(self, seen: Tensor) -> Tensor:
        """Embed all nodes, ``[nodes, channels]``, with the hidden layer of only some at a time.

        Args:
            seen: ``[nodes, columns]``, from one distance.
        """
        found = seen.new_empty(seen.size(0), self.channels)
        for start in range(0, seen.size(0), _AT_A_TIME):
            found[start : start + _AT_A_TIME] = self(seen[start : start + _AT_A_TIME])
        return found

    def loss(
        self, seen: Tensor, batch: SomeNodes, ranking: Ranking, spared: Spared | None = None
    ) -> Tensor:
        """A node over the others of its batch: itself at another distance, then a neighbour.

        Args:
            seen: ``[3, nodes, columns]``, the whole graph as :func:`seen_from_distances` has it.
            batch: the nodes that are ranked.
            ranking: levels and margins.
            spared: which nodes of the batch are no negatives of which; a node of its own if none.
        """
        nodes, spared = batch.nodes, spared or same_node
        anchor = self._ranked(at_random_distance(seen, nodes))
        counterparts, levels = [], []
        for counterpart in ranking.counterparts(batch.adjacency, nodes):
            similarity = anchor @ self._ranked(at_random_distance(seen, counterpart)).T
            levels.append(over_the_others(similarity, spared(nodes, counterpart)))
            counterparts.append(counterpart)
        return ranking.loss(levels, counterparts)

    def _ranked(self, seen: Tensor) -> Tensor:
        """What the loss compares: columns masked, embedded, z-scored, rows of length one."""
        if self.mask > 0:
            seen = seen * dropped_columns(seen, self.mask)
        return F.normalize(standardized(self.projector(self(seen))), dim=1)


def at_random_distance(seen: Tensor, nodes: Tensor) -> Tensor:
    """``[batch, columns]``: every node as it is seen from a distance of its own."""
    distance = torch.randint(len(seen), nodes.shape, device=nodes.device)
    return seen[distance, nodes]


def same_node(rows: Tensor, columns: Tensor) -> Tensor:
    """``[rows, columns]``: where both are the same number."""
    return rows.unsqueeze(1) == columns.unsqueeze(0)


def over_the_others(similarity: Tensor, spared: Tensor) -> tuple[Tensor, Tensor]:
    """The positives of a batch, on the diagonal, and as negatives all else but what is spared.

    Args:
        similarity: ``[batch, batch]``.
        spared: ``[batch, batch]``, true for pairs that cost nothing, however similar.

    Returns:
        ``[batch]`` and ``[batch, batch]``, where what is no negative is infinitely far.
    """
    spared = spared.clone().fill_diagonal_(True)
    return similarity.diagonal(), similarity.masked_fill(spared, -math.inf)


def _layer(in_channels: int, channels: int, dropout: float) -> list[nn.Module]:
    return [
        nn.Linear(in_channels, channels),
        nn.LayerNorm(channels),
        nn.LeakyReLU(SLOPE),
        ByteDropout(dropout),
    ]


def dropped_columns(rows: Tensor, share: float) -> Tensor:
    """``[columns]`` factors: zero for a random share, the others such that the mean is one."""
    kept = torch.rand(rows.size(-1), device=rows.device) >= share
    return kept.to(rows.dtype) / (1 - share)
