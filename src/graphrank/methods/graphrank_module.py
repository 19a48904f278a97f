"""The modules of GraphRank: what is trained, what is found beforehand, what is let go."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn

from graphrank.augment.views import View
from graphrank.nn.adjacency import Adjacency
from graphrank.nn.agreement import neighborhood_agreement
from graphrank.nn.column_blocks import by_columns
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.hop_mlp import (
    HopMLP,
    NodesAlone,
    SomeNodes,
    Spared,
    distances,
    seen_from_distances,
)
from graphrank.nn.narrowing import Narrowing
from graphrank.nn.ranking import Ranking
from graphrank.nn.readout import Part, diffusion, propagated, walk
from graphrank.nn.structure import frame_of, neighbor_coordinates, turned
from graphrank.training.randomness import seeded

# How far around a node the readout averages what is made of own features, and how many hops more
# what is diffused already.
_OWN_HOPS = 2
_WIDE_HOPS = 2

# A node's features tell its own neighbours from those of others this often where they are noisy:
# clearly better than chance, or neighbours are unlike and averages mislead, but far from always.
_NOISY = (0.51, 0.8)

_log = logging.getLogger("graphrank")

# Of graphs that are still in use: training asks for them, and embedding the same graph asks again.
_COORDINATES: WeakKeyDictionary[Adjacency, dict[int, Tensor]] = WeakKeyDictionary()


@dataclass(frozen=True)
class PartWeights:
    """How much each part of the readout `diffusion` counts, beside one for what is far around.

    Args:
        near: of the node, its neighbours and who they are.
        wide: of what is far around, averaged over more hops; 0 to leave it out.
        own: of the node's own features in the basis; 0 to leave them out.
    """

    near: float
    wide: float = 0.0
    own: float = 0.0


class GraphRankModule(nn.Module):
    """One encoder for both views, a projector that only the loss sees, and the features' basis.

    Args:
        encoder: from a view to embeddings.
        projector: from embeddings to what the loss compares.
        num_features: number of feature columns.
        basis_width: number of the features' leading singular vectors to keep; 0 for none.
        mlp: for nodes as they are seen from several distances; none where there is no such part.
        structure: number of directions of the adjacency matrix in the readout; 0 for none.
        own_mlp: for the nodes' own features; none where there is no such part.
        narrows: whether the readout is cut to its leading directions.
    """

    basis: Tensor
    frame: Tensor
    seen: Tensor
    noisy: Tensor

    def __init__(
        self,
        encoder: nn.Module,
        projector: nn.Module,
        num_features: int,
        basis_width: int,
        mlp: HopMLP | None = None,
        structure: int = 0,
        own_mlp: HopMLP | None = None,
        *,
        narrows: bool = False,
    ) -> None:
        super().__init__()
        self.encoder, self.projector = encoder, projector
        self.mlp, self.own_mlp = mlp, own_mlp
        self.narrowing = Narrowing() if narrows else None
        # How far the margins have grown; a function of the epoch, and so never stored either.
        self.margin_share = 1.0
        self.register_buffer("basis", torch.zeros(num_features, basis_width))
        # How directions of the training graph lie to its neighbours' features in that basis. Not
        # stored where there are none: models from before structure are read as they are.
        frame = torch.zeros(basis_width, structure)
        self.register_buffer("frame", frame, persistent=structure > 0)
        # Whether single nodes of the training graph are noisy.
        self.register_buffer("noisy", torch.tensor(False))
        # What the MLP sees of the training graph; there while it is trained, and never stored.
        self.register_buffer("seen", torch.empty(0), persistent=False)

    def _load_from_state_dict(self, state: dict[str, Tensor], prefix: str, *rest: Any) -> None:
        """Take weights from before noise was measured as those of a graph without."""
        state.setdefault(f"{prefix}noisy", torch.tensor(False))
        super()._load_from_state_dict(state, prefix, *rest)

    @property
    def has_mlp(self) -> bool:
        """Whether there is any MLP beside the encoder."""
        return self.mlp is not None or self.own_mlp is not None

    def mlp_loss(self, batch: SomeNodes, ranking: Ranking, spared: Spared) -> Tensor:
        """What the MLP that a batch is for loses on it."""
        if isinstance(batch, NodesAlone):
            assert self.own_mlp is not None
            return self.own_mlp.loss(self.seen[:1], batch, ranking.of_neighbors, spared)
        assert self.mlp is not None
        return self.mlp.loss(self.seen, batch, ranking, spared)

    def see(self, view: View, columns: int, teleport: float) -> Tensor:
        """What MLPs see of a graph: ``[3, nodes, columns]``, from as much of the basis."""
        return seen_from_distances(view, self.basis[:, :columns], teleport)

    def columns_read_out(self, weights: PartWeights, channels: int) -> int:
        """How many columns :meth:`diffusion_parts` make.

        Args:
            weights: of the parts.
            channels: of the linear encoder.
        """
        basis, structure = self.frame.shape if self.frame.numel() else (self.basis.size(1), 0)
        mlps = 0 if self.mlp is None else 3 * self.mlp.channels
        mlps += 0 if self.own_mlp is None else (1 + _OWN_HOPS) * self.own_mlp.channels
        near = channels if self.mlp is not None else 2 * channels
        optional = (weights.wide > 0) * channels + (weights.own > 0) * basis
        return structure + basis + near + mlps + channels + optional

    def diffusion_parts(
        self, view: View, weight: Tensor, columns: int, teleport: float, weights: PartWeights
    ) -> Iterator[Part]:
        """The parts of the readout `diffusion`: what is near, what is far, and what is optional.

        Args:
            view: the clean graph.
            weight: of the linear encoder.
            columns: of the basis, for the MLPs.
            teleport: chance of a walk to end at each step.
            weights: of the parts.
        """
        # Each part is made when it is asked for, and no name is left on it when the next one is: on
        # a large graph every one is gigabytes.
        around = self.around(view)
        yield from _near(self.neighbors(view.graph, around), weights)
        # Beside what was learnt, the neighbours' features as they are, in their own basis.
        yield Part(around, weights.near)
        del around
        projected = view.project(weight)
        yield from _near(walk(view, projected, 0 if self.mlp is not None else 1), weights)
        if self.has_mlp:
            yield from _near(self.mlp_parts(view, columns, teleport), weights)
        far = by_columns(lambda some: diffusion(view, some, teleport), projected)
        del projected
        yield Part(far, 1.0)
        if weights.wide > 0:
            far = by_columns(lambda some: propagated(view, some, _WIDE_HOPS), far)
            yield Part(far, weights.wide)
        if weights.own > 0:
            yield Part(view.project(self.basis), weights.own)

    def mlp_parts(self, view: View, columns: int, teleport: float) -> Iterator[Tensor]:
        """What the MLPs make of a graph: its three distances, and own features over two hops."""
        own: Tensor | None = None
        for seen in distances(view, self.basis[:, :columns], teleport):
            if own is None and self.own_mlp is not None:
                own = self.own_mlp.of_all(seen)
            if self.mlp is None:
                break
            yield self.mlp.of_all(seen)
        if own is not None:
            yield from walk(view, own, _OWN_HOPS)

    def around(self, view: View) -> Tensor:
        """The neighbours' features in the basis."""
        return view.propagate(view.project(self.basis))

    def take_frame(self, graph: GraphInput, view: View) -> None:
        """Keep how the directions of the graph lie to its features, where structure is wanted."""
        rank = self.frame.size(1)
        if rank > 0:
            self.frame.copy_(frame_of(coordinates(graph, rank), self.around(view)))

    def measure_noise(self, graph: GraphInput, view: View) -> None:
        """Find out whether features of single nodes are noisy; the graph alone decides it."""
        with seeded(0, graph.device):
            found = neighborhood_agreement(graph.adjacency, view.project(self.basis))
        self.noisy.fill_(_NOISY[0] < found < _NOISY[1])
        _log.info(
            "features tell a node's neighbours from another's in %.0f %% of cases: %s",
            100 * found,
            "single nodes are noisy, and have a wide view" if self.noisy else "no wide view",
        )

    def neighbors(self, graph: GraphInput, around: Tensor) -> list[Tensor]:
        """Who the neighbours are, turned to the frame; nothing where structure is not wanted."""
        rank = self.frame.size(1)
        return [turned(coordinates(graph, rank), around, self.frame)] if rank > 0 else []


def _near(parts: Iterable[Tensor], weights: PartWeights) -> Iterator[Part]:
    """Parts that count as what is near."""
    return (Part(rows, weights.near) for rows in parts)


def coordinates(graph: GraphInput, rank: int) -> Tensor:
    """Neighbour coordinates of a graph, the same whenever they are asked for."""
    known = _COORDINATES.setdefault(graph.adjacency, {})
    if rank not in known:
        with seeded(0, graph.device):
            known[rank] = neighbor_coordinates(graph.adjacency, rank)
    return known[rank]
