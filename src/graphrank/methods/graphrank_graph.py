"""GraphRank for whole graphs: a graph is more like itself in another view than like another graph.

Reference: Hu, Ouyang, Liu, Chen, Yang, Wan, Zhang, Wang & Liu, "Graph Ranking Contrastive
Learning: A Extremely Simple yet Efficient Method", 2024. The paper says of whole graphs only that
it keeps to GraphMAE's setup; encoder and readout are those of that setup.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import torch
from torch import Tensor, nn

from graphrank.augment.views import Corruption, clean_view, corrupt
from graphrank.errors import ConfigError
from graphrank.methods.graph_level import TrainedGraphMethod, as_batch
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.batch_norm import settle_statistics
from graphrank.nn.encoders import ActivationName, NormName
from graphrank.nn.gin import GINEncoder
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.graph_readout import GraphScaling, ReadoutName, pooled
from graphrank.nn.losses import random_others, rank_loss
from graphrank.nn.pooling import PoolingName, pool_layers
from graphrank.nn.scaling import standardized
from graphrank.nn.similarity import SimilarityName, pair_similarity
from graphrank.nn.spectral_moments import spectral_moments


class GraphRankGraphModule(nn.Module):
    """One encoder for both views, a projector that only the loss sees, a scale of what is given.

    Args:
        encoder: from a view to the outputs of all layers.
        projector: from embeddings to what the loss compares.
        scale: from pooled layers to embeddings; measured when training is over.
        spectrum_scale: the same for the moments of the spectrum; none where they are left out.
    """

    def __init__(
        self,
        encoder: GINEncoder,
        projector: nn.Module,
        scale: GraphScaling,
        spectrum_scale: GraphScaling | None = None,
    ) -> None:
        super().__init__()
        self.encoder, self.projector = encoder, projector
        self.scale, self.spectrum_scale = scale, spectrum_scale


@dataclass(frozen=True, eq=False)
class SeenGraphs:
    """What the loss sees of one corrupted view.

    Args:
        kept: ``[nodes]`` which nodes of the batch are left.
        graph_of_node: ``[nodes left]`` whose they are.
        nodes: ``[nodes left, width]``; without columns where no rank level asks for them.
        graphs: ``[graphs, width]``; without columns where no rank level asks for them.
    """

    kept: Tensor
    graph_of_node: Tensor
    nodes: Tensor
    graphs: Tensor


@dataclass(kw_only=True, eq=False, repr=False)
class GraphRankGraph(TrainedGraphMethod[GraphRankGraphModule]):
    """Embeddings of whole graphs learnt by ranking, in time and memory linear in their size.

    Example:
        >>> import networkx as nx
        >>> graphs = [nx.cycle_graph(size) for size in range(3, 9)]
        >>> GraphRankGraph(seed=0, epochs=1, channels=8).fit_transform(graphs).shape[0]
        6
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="graphrank-graph",
        title="GraphRank",
        level="graph",
        family="rank",
        paper="Hu et al., Graph Ranking Contrastive Learning, 2024",
        time="O((N+E)d)",
        memory="O((N+E)d), N and E of a batch",
    )

    encoder: Annotated[Literal["gin", "gcn"], Option("sums and MLPs, or GCN's convolutions")] = (
        "gin"
    )
    channels: Annotated[int, Option("width of each layer", low=1)] = 128
    num_layers: Annotated[int, Option("layers, whose outputs are concatenated", low=1)] = 3
    act: Annotated[ActivationName, Option("activation")] = "relu"
    norm: Annotated[NormName, Option("normalisation within and after each layer")] = "batch"
    dropout: Annotated[float, Option("dropout between layers", low=0, below=1)] = 0.0
    pooling: Annotated[
        ReadoutName,
        Option("from nodes to their graph; mean-sum: means, and logarithms of sums beside them"),
    ] = "mean-sum"
    scale_readout: Annotated[
        bool, Option("z-score the columns of the embedding by the set, then rows to length one")
    ] = True
    spectrum: Annotated[
        int,
        Option(
            "moments of each graph's spectrum beside what is learnt, not trained; 0 for none",
            low=0,
            before=0,
        ),
    ] = 32
    projector: Annotated[int, Option("width of an MLP before the loss; 0 for none", low=0)] = 0

    edge_drop_1: Annotated[float, Option("edges dropped in view 1", low=0, below=1)] = 0.1
    edge_drop_2: Annotated[float, Option("edges dropped in view 2", low=0, below=1)] = 0.2
    node_drop_1: Annotated[float, Option("nodes left out in view 1", low=0, below=1)] = 0.1
    node_drop_2: Annotated[float, Option("nodes left out in view 2", low=0, below=1)] = 0.2
    feature_mask_1: Annotated[float, Option("columns masked in view 1", low=0, below=1)] = 0.0
    feature_mask_2: Annotated[float, Option("columns masked in view 2", low=0, below=1)] = 0.0
    node_mask_1: Annotated[float, Option("nodes without features in view 1", low=0, below=1)] = 0.0
    node_mask_2: Annotated[float, Option("nodes without features in view 2", low=0, below=1)] = 0.0
    pairwise_drop: Annotated[bool, Option("drop both directions of an edge together")] = True

    similarity: Annotated[SimilarityName, Option("what the ranks compare")] = "cosine"
    standardize: Annotated[bool, Option("z-score every column before the loss")] = True
    margin: Annotated[float, Option("how much nearer the graph itself must be", low=0)] = 1.0
    negatives: Annotated[int, Option("random others of the batch to rank against", low=1)] = 1
    graph_weight: Annotated[
        float, Option("weight of the rank level of graphs: itself over a random graph", low=0)
    ] = 0.0
    node_weight: Annotated[
        float, Option("weight of the rank level of nodes: itself over a random node", low=0)
    ] = 1.0
    node_to_graph_weight: Annotated[
        float, Option("weight of the rank level of nodes to graphs: its own over another", low=0)
    ] = 0.0

    epochs: Annotated[int, Option("passes over the set", low=0)] = 10
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 3e-4
    batch_graphs: Annotated[int, Option("graphs of a training batch at most", low=1)] = 64

    def build(self, num_features: int) -> GraphRankGraphModule:
        """One encoder, shared by both views, the projector, and the scale of the readout."""
        if not self.graph_weight + self.node_weight + self.node_to_graph_weight:
            raise ConfigError(
                "no rank level has a weight, so there is nothing to learn; set node_weight, "
                "graph_weight or node_to_graph_weight above 0"
            )
        is_gcn = self.encoder == "gcn"
        encoder = GINEncoder(
            num_features,
            self.channels,
            self.num_layers,
            mlp_layers=1 if is_gcn else 2,
            act=self.act,
            norm=self.norm,
            normalized=is_gcn,
            dropout=self.dropout,
        )
        width = self.channels * self.num_layers * (2 if self.pooling == "mean-sum" else 1)
        spectrum_scale = GraphScaling(self.spectrum) if self.spectrum > 0 else None
        return GraphRankGraphModule(
            encoder, self._build_projector(), GraphScaling(width), spectrum_scale
        )

    def settle(self, module: GraphRankGraphModule, graph: GraphInput) -> None:
        """Statistics of the normalisations and the scale of the embedding, of the clean set."""
        graphs = as_batch(graph)
        settle_statistics(
            module.encoder, (clean_view(graphs.select(part)) for part in self.in_order(graphs))
        )
        with torch.no_grad():
            rows = [self._pooled(module, graphs.select(part)) for part in self.in_order(graphs)]
        module.scale.measure(torch.cat(rows))
        if module.spectrum_scale is not None:
            module.spectrum_scale.measure(spectral_moments(graphs, self.spectrum))

    def graph_loss(self, module: GraphRankGraphModule, batch: GraphBatch) -> Tensor:
        """Two views of every graph, ranked against random others of the batch."""
        first = self._see(module, batch, 1)
        second = self._see(module, batch, 2)
        levels = (
            (self.graph_weight, self._graph_level),
            (self.node_weight, self._node_level),
            (self.node_to_graph_weight, self._node_to_graph_level),
        )
        losses = [weight * level(first, second) for weight, level in levels if weight > 0]
        return torch.stack(losses).sum()

    def encode_graphs(self, module: GraphRankGraphModule, batch: GraphBatch) -> Tensor:
        """The pooled layers of the clean graphs and their spectra, scaled by the training set."""
        parts = [(module.scale, self._pooled(module, batch))]
        if module.spectrum_scale is not None:
            parts.append((module.spectrum_scale, spectral_moments(batch, self.spectrum)))
        rows = [scale(part) if self.scale_readout else part for scale, part in parts]
        return torch.cat(rows, dim=1)

    def _pooled(self, module: GraphRankGraphModule, batch: GraphBatch) -> Tensor:
        return pooled(module.encoder(clean_view(batch)), batch, self.pooling)

    def _see(self, module: GraphRankGraphModule, batch: GraphBatch, number: int) -> SeenGraphs:
        """Corrupt the batch and embed what is left of it."""
        kept = torch.ones(batch.num_nodes, dtype=torch.bool, device=batch.device)
        rate: float = getattr(self, f"node_drop_{number}")
        left = batch
        if rate > 0:
            kept = torch.rand(batch.num_nodes, device=batch.device) >= rate
            left = batch.induced(kept)
        layers = module.encoder(
            corrupt(left, Corruption.of_options(self, number, pairwise=self.pairwise_drop))
        )
        nodes = layers[0].new_empty(left.num_nodes, 0)
        graphs = layers[0].new_empty(left.num_graphs, 0)
        if self.node_weight > 0 or self.node_to_graph_weight > 0:
            nodes = self._compared(module, torch.cat(layers, dim=1))
        if self.graph_weight > 0 or self.node_to_graph_weight > 0:
            graphs = self._compared(module, pool_layers(layers, left, self._loss_pooling))
        return SeenGraphs(kept, left.graph_of_node, nodes, graphs)

    def _compared(self, module: GraphRankGraphModule, embedding: Tensor) -> Tensor:
        projected: Tensor = module.projector(embedding)
        return standardized(projected) if self.standardize else projected

    def _rank(self, anchor: Tensor, other: Tensor, own: Tensor, others: Tensor) -> Tensor:
        """The rank loss of each anchor: row ``own`` of ``other`` over the rows ``others``."""
        index = torch.cat([own.unsqueeze(1), others], dim=1)
        similarity = pair_similarity(anchor, other, index, self.similarity)
        return rank_loss(similarity[:, 0], similarity[:, 1:], self.margin)

    def _graph_level(self, first: SeenGraphs, second: SeenGraphs) -> Tensor:
        """Graphs, each over random graphs of the other view."""
        itself = torch.arange(first.graphs.size(0), device=first.graphs.device)
        others = random_others(itself, second.graphs.size(0), self.negatives)
        return self._rank(first.graphs, second.graphs, itself, others)

    def _node_level(self, first: SeenGraphs, second: SeenGraphs) -> Tensor:
        """Nodes that both views have left, each over random nodes of the other view."""
        both = first.kept & second.kept
        if not bool(both.any()):
            return 0 * first.nodes.sum()  # nothing to rank, and still something to differentiate
        here, there = (seen.kept.cumsum(0)[both] - 1 for seen in (first, second))
        others = random_others(there, second.nodes.size(0), self.negatives)
        return self._rank(first.nodes.index_select(0, here), second.nodes, there, others)

    def _node_to_graph_level(self, first: SeenGraphs, second: SeenGraphs) -> Tensor:
        """Nodes of the first view: their own graph in the second over random other graphs."""
        if first.nodes.size(0) == 0:
            return 0 * first.nodes.sum()
        own = first.graph_of_node
        others = random_others(own, second.graphs.size(0), self.negatives)
        return self._rank(first.nodes, second.graphs, own, others)

    @property
    def _loss_pooling(self) -> PoolingName:
        """Means alone where both are read out: sums tell how many nodes a view has lost."""
        return "mean" if self.pooling == "mean-sum" else self.pooling

    def _build_projector(self) -> nn.Module:
        if self.projector == 0:
            return nn.Identity()
        width = self.channels * self.num_layers
        return nn.Sequential(
            nn.Linear(width, self.projector), nn.ReLU(), nn.Linear(self.projector, width)
        )
