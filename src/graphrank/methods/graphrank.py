"""GraphRank: be more similar to yourself in another view than to a random node. Nothing else.

Reference: Hu, Ouyang, Liu, Chen, Yang, Wan, Zhang, Wang & Liu, "Graph Ranking Contrastive
Learning: A Extremely Simple yet Efficient Method", 2024.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from graphrank.augment.views import Corruption, View, clean_view, corrupt
from graphrank.methods.feature_scaling import weighs_words
from graphrank.methods.graphrank_module import GraphRankModule, PartWeights
from graphrank.methods.graphrank_options import GraphRankOptions
from graphrank.methods.graphrank_paper import PAPER
from graphrank.methods.info import MethodInfo
from graphrank.nn.column_blocks import columns_at_once
from graphrank.nn.encoders import LinearPropagation, make_encoder
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.heads import elu_projector
from graphrank.nn.hop_mlp import HopMLP, NodesAlone, SomeNodes, same_node
from graphrank.nn.losses import random_negatives
from graphrank.nn.narrowing import some_nodes
from graphrank.nn.ranking import Ranking, ranked_pairs
from graphrank.nn.readout import Part, side_by_side, walk
from graphrank.nn.scaling import standardized
from graphrank.nn.similarity import pair_similarity
from graphrank.nn.similarity_in_blocks import similarity_in_blocks
from graphrank.nn.svd import right_singular_vectors

# From here on an embedding is told of before it is made: with what it is made from, it is half of
# what many a machine has.
_LARGE_GIB = 4.0

_log = logging.getLogger("graphrank")


@dataclass(kw_only=True, eq=False, repr=False)
class GraphRank(GraphRankOptions):
    """Embeddings learnt by ranking, in time and memory linear in nodes and edges.

    Example:
        >>> from graphrank import GraphRank
        >>> GraphRank(seed=0, epochs=2).fit_transform("karate").shape[0]
        34
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="graphrank",
        title="GraphRank",
        level="node",
        family="rank",
        paper="Hu et al., Graph Ranking Contrastive Learning, 2024",
        time="O((N+E)d)",
        memory="O((N+E)d)",
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"paper": PAPER}

    def build(self, num_features: int) -> GraphRankModule:
        """One encoder, shared by both views, the projector, and room for the basis."""
        width = min(self.channels, num_features) if self.encoder == "linear" else 0
        encoder, projector = self._build_encoder(num_features), self._build_projector()
        structure = self.structure if self._is_side_by_side else 0
        mlp = self._build_mlp(width, self.mlp_hidden, self.mlp, self.mlp)
        own_mlp = self._build_mlp(width, 4 * self.own_mlp, self.own_mlp, 2 * self.own_mlp)
        return GraphRankModule(
            encoder, projector, num_features, width, mlp, structure, own_mlp,
            narrows=self.dimensions > 0,
        )  # fmt: skip

    def initialize(self, module: GraphRankModule, graph: GraphInput) -> None:
        """Find the features' basis, and start a linear encoder with random directions in it."""
        width = module.basis.size(1)
        if width == 0:
            return
        module.basis.copy_(right_singular_vectors(graph.features, width, iterations=2))
        if self.init == "svd" and isinstance(module.encoder, LinearPropagation):
            mix = nn.init.orthogonal_(torch.empty(width, self.channels, device=graph.device))
            with torch.no_grad():
                module.encoder.weight.copy_(module.basis @ mix)
        view = clean_view(graph)
        if module.has_mlp:
            module.seen = module.see(view, self.mlp_features, self.teleport)
        module.take_frame(graph, view)
        if self._is_side_by_side and self.wide_view > 0:
            module.measure_noise(graph, view)
        self._tell_if_large(module, graph.num_nodes)

    def settle(self, module: GraphRankModule, graph: GraphInput) -> None:
        """Let go of what the MLPs were trained on, and find the directions to keep."""
        module.seen = module.seen.new_empty(0)
        if module.narrowing is not None:
            module.eval()
            with torch.no_grad():
                chosen = some_nodes(graph.num_nodes, graph.device)
                parts = (part.of(chosen) for part in self._parts(module, clean_view(graph)))
                sample = side_by_side(parts, self._columns_read_out(module))
                module.narrowing.measure(sample, self.dimensions)

    def batches(self, graph: GraphInput) -> Iterator[GraphInput]:
        """The whole graph, then some of its nodes for each MLP."""
        yield graph
        kinds = [SomeNodes] * (self.mlp_steps if self.mlp > 0 else 0)
        kinds += [NodesAlone] * (self.own_mlp_steps if self.own_mlp > 0 else 0)
        for kind in kinds if self._is_side_by_side else ():
            nodes = torch.randperm(graph.num_nodes, device=graph.device)[: self.mlp_batch]
            yield kind(graph.features, graph.adjacency, nodes)

    def before_epoch(self, module: GraphRankModule, epoch: int) -> None:
        """Let the margins grow with the epochs, where they do not start at their value."""
        rising = self.margin_rise * self.epochs
        module.margin_share = min(1.0, (epoch + 1) / rising) if rising > 0 else 1.0

    def training_step(self, module: GraphRankModule, graph: GraphInput) -> Tensor:
        """Rank the nodes of the whole graph, or those of a batch as an MLP sees them."""
        if isinstance(graph, SomeNodes):
            ranking = self._ranking.with_margins(module.margin_share)
            return module.mlp_loss(graph, ranking, self.spared)
        return self._rank_all(module, graph)

    def _rank_all(self, module: GraphRankModule, graph: GraphInput) -> Tensor:
        """Algorithm 1 of the paper: two views, one positive, k random negatives, the rank loss."""
        views = [
            corrupt(graph, Corruption.of_options(self, number, pairwise=self.pairwise_drop))
            for number in (1, 2)
        ]
        compared = self._comparison(module, views, graph.num_nodes)
        nodes = torch.arange(graph.num_nodes, device=graph.device)
        ranking = self._ranking.with_margins(module.margin_share)
        counterparts = list(ranking.counterparts(graph.adjacency, nodes))
        pairs = ranked_pairs(counterparts, self.draw_negatives(graph))
        return ranking.loss_of_pairs(compared(pairs), counterparts)

    def _comparison(
        self, module: GraphRankModule, views: Sequence[View], num_nodes: int
    ) -> Callable[[Tensor], Tensor]:
        """From ``[nodes, pairs]`` other nodes to how similar they are in the other view."""
        encoder, kind = module.encoder, self.similarity
        at_once = columns_at_once(num_nodes, self.channels)
        if at_once == self.channels or self.projector or not isinstance(encoder, LinearPropagation):
            z_1, z_2 = (self._standardized(module.projector(encoder(view))) for view in views)
            return lambda pairs: pair_similarity(z_1, z_2, pairs, kind)

        def both(weight: Tensor) -> tuple[Tensor, Tensor]:
            z_1, z_2 = (self._standardized(encoder.columns(view, weight)) for view in views)
            return z_1, z_2

        return lambda pairs: similarity_in_blocks(
            encoder.weight, both, pairs, num_nodes, kind, at_once
        )

    def draw_negatives(self, graph: GraphInput) -> Tensor:
        """``[nodes, negatives]`` random nodes, any but the node itself."""
        return random_negatives(graph.num_nodes, self.negatives, graph.device)

    def spared(self, rows: Tensor, columns: Tensor) -> Tensor:
        """``[rows, columns]``: nodes of a batch that are no negatives of each other."""
        return same_node(rows, columns)

    def encode(self, module: GraphRankModule, graph: GraphInput) -> Tensor:
        """Embed the clean graph with the trained encoder."""
        parts = self._parts(module, clean_view(graph))
        if module.narrowing is not None and module.narrowing.cuts:
            return module.narrowing.of_parts(parts)
        return side_by_side(parts, self._columns_read_out(module))

    def _parts(self, module: GraphRankModule, view: View) -> Iterator[Part]:
        """All that the encoder, and what stands beside it, tell of a clean graph, one by one."""
        encoder = module.encoder
        if not isinstance(encoder, LinearPropagation) or self.readout == "last":
            yield Part(encoder(view), None)
        elif self.readout == "hops":
            weights = [self.hop_weight] * self.num_layers + [1.0]
            yield from map(Part, walk(view, view.project(encoder.weight), self.num_layers), weights)
        else:
            yield from module.diffusion_parts(
                view, encoder.weight, self.mlp_features, self.teleport, self._part_weights(module)
            )

    def _columns_read_out(self, module: GraphRankModule) -> int:
        """How many numbers a node all parts have."""
        if self.encoder != "linear" or self.readout == "last":
            return self.channels
        if self.readout == "hops":
            return self.channels * (self.num_layers + 1)
        return module.columns_read_out(self._part_weights(module), self.channels)

    def _part_weights(self, module: GraphRankModule) -> PartWeights:
        return PartWeights(
            self.hop_weight,
            wide=self.wide_view * bool(module.noisy),
            own=self.own_words * self._hands_over_words,
        )

    def _tell_if_large(self, module: GraphRankModule, num_nodes: int) -> None:
        """Say beforehand that an embedding will fill the memory, and what to do about it."""
        columns = self._columns_read_out(module)
        gib = num_nodes * columns * 4 / 2**30
        if module.narrowing is None and gib > _LARGE_GIB:
            _log.warning(
                "the embedding will have %s numbers for each of %s nodes, %.0f GiB in all; "
                "dimensions=256 keeps its leading directions alone, %.1f GiB",
                f"{columns:,}", f"{num_nodes:,}", gib, gib * 256 / columns,
            )  # fmt: skip

    @property
    def _ranking(self) -> Ranking:
        return Ranking(
            self.margin, self.neighbor_margin, self.neighbor_weight, self.two_hop_margin,
            self.two_hop_weight, self.softness, self.hardest, chain=self.chain,
        )  # fmt: skip

    @property
    def _is_side_by_side(self) -> bool:
        """Whether the readout has room for the MLP and for structure."""
        return self.encoder == "linear" and self.readout == "diffusion"

    @property
    def has_wide_view(self) -> bool:
        """Whether features of the training graph were found to be noisy, and the readout wide."""
        return bool(self.module_.noisy)

    @property
    def _hands_over_words(self) -> bool:
        """Whether a node's own features are a part of the embedding."""
        weighed = weighs_words(self.scale_features, self.scaling_)
        return weighed and self.own_words > 0 and self._is_side_by_side

    def _standardized(self, embedding: Tensor) -> Tensor:
        return standardized(embedding) if self.standardize else embedding

    def _build_projector(self) -> nn.Module:
        return elu_projector(self.channels, self.projector) if self.projector else nn.Identity()

    def _build_mlp(self, basis: int, hidden: int, width: int, projector: int) -> HopMLP | None:
        if width == 0 or not self._is_side_by_side:
            return None
        columns = min(self.mlp_features, basis)
        return HopMLP(columns, hidden, width, projector, self.mlp_dropout, self.mlp_mask)

    def _build_encoder(self, num_features: int) -> nn.Module:
        return make_encoder(
            self.encoder, num_features, self.channels, self.num_layers, self.act, self.norm,
            self.dropout, self.heads, self.residual,
        )  # fmt: skip
