"""The modules of GraphRank: what is trained, what is found beforehand, what is let go."""

from __future__ import annotations

import logging
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn

from graphrank.augment.views import View
from graphrank.nn.adjacency import Adjacency
from graphrank.nn.agreement import neighborhood_agreement
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.hop_mlp import HopMLP, NodesAlone, SomeNodes, Spared, seen_from_distances
from graphrank.nn.narrowing import Narrowing
from graphrank.nn.ranking import Ranking
from graphrank.nn.readout import diffusion, hops
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

    def diffusion_parts(
        self, view: View, projected: Tensor, columns: int, teleport: float,
        *, wide: bool = False, own: bool = False,
    ) -> list[Tensor]:  # fmt: skip
        """The parts of the readout `diffusion`: what is near, what is far, and what is optional.

        Args:
            view: the clean graph.
            projected: ``[nodes, channels]``, what the linear encoder makes of the nodes alone.
            columns: of the basis, for the MLPs.
            teleport: chance of a walk to end at each step.
            wide: whether what is far is there a second time, averaged over more hops.
            own: whether the node's own features in the basis are one of them, the last.
        """
        # Beside what was learnt, the neighbours' features as they are, in their own basis.
        alone = view.project(self.basis)
        around = view.propagate(alone)
        far = diffusion(view, projected, teleport)
        near = [projected] if self.mlp is not None else hops(view, projected, 1)
        if self.has_mlp:
            near += self.mlp_parts(view, self.see(view, columns, teleport))
        parts = [*self.neighbors(view.graph, around), around, *near, far]
        if wide:
            parts.append(hops(view, far, _WIDE_HOPS)[-1])
        return [*parts, alone] if own else parts

    def mlp_parts(self, view: View, seen: Tensor) -> list[Tensor]:
        """What the MLPs make of a graph: its three distances, and own features over two hops."""
        parts = [] if self.mlp is None else self.mlp.views(seen)
        if self.own_mlp is not None:
            (own,) = self.own_mlp.views(seen[:1])
            parts += hops(view, own, _OWN_HOPS)
        return parts

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


def coordinates(graph: GraphInput, rank: int) -> Tensor:
    """Neighbour coordinates of a graph, the same whenever they are asked for."""
    known = _COORDINATES.setdefault(graph.adjacency, {})
    if rank not in known:
        with seeded(0, graph.device):
            known[rank] = neighbor_coordinates(graph.adjacency, rank)
    return known[rank]
