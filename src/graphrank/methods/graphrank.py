"""GraphRank: be more similar to yourself in another view than to a random node. Nothing else.

Reference: Hu, Ouyang, Liu, Chen, Yang, Wan, Zhang, Wang & Liu, "Graph Ranking Contrastive
Learning: A Extremely Simple yet Efficient Method", 2024.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import torch
from torch import Tensor, nn

from graphrank.augment.views import Corruption, clean_view, corrupt
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.encoders import (
    ActivationName,
    EncoderName,
    GATEncoder,
    GCNEncoder,
    LinearPropagation,
    NormName,
)
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.losses import random_negatives, rank_loss
from graphrank.nn.readout import diffusion, hops, side_by_side
from graphrank.nn.scaling import standardized
from graphrank.nn.similarity import SimilarityName, pair_similarity
from graphrank.nn.svd import right_singular_vectors


class GraphRankModule(nn.Module):
    """One encoder for both views, a projector that only the loss sees, and the features' basis.

    Args:
        encoder: from a view to embeddings.
        projector: from embeddings to what the loss compares.
        num_features: number of feature columns.
        basis_width: number of the features' leading singular vectors to keep; 0 for none.
    """

    basis: Tensor

    def __init__(
        self, encoder: nn.Module, projector: nn.Module, num_features: int, basis_width: int
    ) -> None:
        super().__init__()
        self.encoder, self.projector = encoder, projector
        self.register_buffer("basis", torch.zeros(num_features, basis_width))


@dataclass(kw_only=True, eq=False, repr=False)
class GraphRank(TrainedMethod[GraphRankModule]):
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
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        # What the paper's text says and no more. At margin 0 the loss is zero for most triples
        # from the start, so training barely moves the encoder.
        "paper": {
            "encoder": "gcn",
            "similarity": "dot",
            "margin": 0.0,
            "standardize": False,
            "neighbor_weight": 0.0,
            "pairwise_drop": False,
            "readout": "last",
            "learning_rate": 1e-3,
            "epochs": 150,
        },
    }

    encoder: Annotated[EncoderName, Option("linear, GCN, or GAT (ignores edge weights)")] = "linear"
    channels: Annotated[
        int, Option("width of the encoder, and of each part of the readout", low=1)
    ] = 512
    num_layers: Annotated[int, Option("layers of the encoder, or hops of `linear`", low=1)] = 2
    init: Annotated[
        Literal["random", "svd"],
        Option("first weights of `linear`: random, within the features' leading subspace or not"),
    ] = "svd"
    heads: Annotated[int, Option("attention heads of `gat`", low=1)] = 4
    act: Annotated[ActivationName, Option("activation between layers")] = "relu"
    norm: Annotated[NormName, Option("normalisation between layers")] = "none"
    dropout: Annotated[float, Option("dropout between layers", low=0, below=1)] = 0.0
    projector: Annotated[int, Option("width of an MLP before the loss; 0 for none", low=0)] = 0

    edge_drop_1: Annotated[float, Option("edges dropped in view 1", low=0, below=1)] = 0.2
    edge_drop_2: Annotated[float, Option("edges dropped in view 2", low=0, below=1)] = 0.3
    feature_mask_1: Annotated[float, Option("columns masked in view 1", low=0, below=1)] = 0.2
    feature_mask_2: Annotated[float, Option("columns masked in view 2", low=0, below=1)] = 0.4
    node_mask_1: Annotated[float, Option("nodes masked in view 1", low=0, below=1)] = 0.0
    node_mask_2: Annotated[float, Option("nodes masked in view 2", low=0, below=1)] = 0.0
    pairwise_drop: Annotated[
        bool, Option("drop both directions of an edge together (the paper: each for itself)")
    ] = True

    similarity: Annotated[SimilarityName, Option("what the ranks compare")] = "cosine"
    standardize: Annotated[bool, Option("z-score every column before the loss")] = True
    margin: Annotated[float, Option("how much nearer the node itself must be", low=0)] = 1.0
    negatives: Annotated[int, Option("random nodes to rank against", low=1)] = 1
    neighbor_weight: Annotated[
        float, Option("weight of a second rank level: a neighbour over a random node", low=0)
    ] = 0.5
    neighbor_margin: Annotated[float, Option("margin of that level", low=0)] = 0.5

    readout: Annotated[
        Literal["last", "hops", "diffusion"],
        Option("of `linear`: the last hop, all hops, or hops 0 and 1 beside diffusion and SVD"),
    ] = "diffusion"
    hop_weight: Annotated[
        float, Option("weight of the early hops in `hops` and `diffusion`", low=0, high=1)
    ] = 0.5
    teleport: Annotated[
        float, Option("chance of a `diffusion` walk to end at each step", low=0.01, below=1)
    ] = 0.15

    epochs: Annotated[int, Option("passes over the graph", low=0)] = 40
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 2e-3

    def build(self, num_features: int) -> GraphRankModule:
        """One encoder, shared by both views, the projector, and room for the basis."""
        width = min(self.channels, num_features) if self.encoder == "linear" else 0
        encoder = self._build_encoder(num_features)
        return GraphRankModule(encoder, self._build_projector(), num_features, width)

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

    def training_step(self, module: GraphRankModule, graph: GraphInput) -> Tensor:
        """Algorithm 1 of the paper: two views, one positive, k random negatives, the rank loss."""
        view_1 = corrupt(graph, self._corruption(1))
        view_2 = corrupt(graph, self._corruption(2))
        z_1 = self._standardized(module.projector(module.encoder(view_1)))
        z_2 = self._standardized(module.projector(module.encoder(view_2)))
        pairs = [torch.arange(graph.num_nodes, device=graph.device).unsqueeze(1)]
        if self.neighbor_weight > 0:
            pairs.append(graph.adjacency.random_neighbor().unsqueeze(1))
        pairs.append(self.draw_negatives(graph))
        similarity = pair_similarity(z_1, z_2, torch.cat(pairs, dim=1), self.similarity)
        itself, negatives = similarity[:, 0], similarity[:, -self.negatives :]
        loss = rank_loss(itself, negatives, self.margin)
        if self.neighbor_weight > 0:
            neighbor = similarity[:, 1]
            level = rank_loss(neighbor, negatives, self.neighbor_margin)
            loss = loss + self.neighbor_weight * level
        return loss

    def draw_negatives(self, graph: GraphInput) -> Tensor:
        """``[nodes, negatives]`` random nodes, any but the node itself."""
        return random_negatives(graph.num_nodes, self.negatives, graph.device)

    def encode(self, module: GraphRankModule, graph: GraphInput) -> Tensor:
        """Embed the clean graph with the trained encoder."""
        view = clean_view(graph)
        encoder = module.encoder
        if self.readout == "last" or not isinstance(encoder, LinearPropagation):
            embedding: Tensor = encoder(view)
            return embedding
        projected = view.project(encoder.weight)
        if self.readout == "hops":
            parts = hops(view, projected, self.num_layers)
        else:
            # Beside what was learnt, the neighbours' features as they are, in their own basis.
            around = view.propagate(view.project(module.basis))
            far = diffusion(view, projected, self.teleport)
            parts = [around, *hops(view, projected, 1), far]
        return side_by_side(parts, [self.hop_weight] * (len(parts) - 1) + [1.0])

    def _corruption(self, number: int) -> Corruption:
        return Corruption(
            edge_drop=getattr(self, f"edge_drop_{number}"),
            feature_mask=getattr(self, f"feature_mask_{number}"),
            node_mask=getattr(self, f"node_mask_{number}"),
            pairwise=self.pairwise_drop,
        )

    def _standardized(self, embedding: Tensor) -> Tensor:
        return standardized(embedding) if self.standardize else embedding

    def _build_projector(self) -> nn.Module:
        if self.projector == 0:
            return nn.Identity()
        return nn.Sequential(
            nn.Linear(self.channels, self.projector),
            nn.ELU(),
            nn.Linear(self.projector, self.channels),
        )

    def _build_encoder(self, num_features: int) -> nn.Module:
        if self.encoder == "linear":
            return LinearPropagation(num_features, self.channels, self.num_layers)
        if self.encoder == "gcn":
            return GCNEncoder(
                num_features, self.channels, self.channels, self.num_layers, self.act, self.norm,
                self.dropout,
            )  # fmt: skip
        return GATEncoder(
            num_features, self.channels, self.channels, self.num_layers, self.heads, self.act,
            self.norm, self.dropout,
        )  # fmt: skip
