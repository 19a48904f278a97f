"""GRACE: tell every node's other view from all other nodes of both views.

Reference: Zhu, Xu, Yu, Liu, Wu & Wang, "Deep Graph Contrastive Representation Learning", ICML
Workshop on Graph Representation Learning and Beyond, 2020.

Two views drop edges and mask feature columns at random; the loss draws the two projections of a
node together and pushes them away from those of all other nodes, in the same view and in the
other one.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Annotated, ClassVar, cast

from torch import Tensor, nn

from graphrank.augment.views import Corruption, clean_view, corrupt
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.encoders import ActivationName, GCNEncoder
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.heads import basis_of_outputs, elu_projector
from graphrank.nn.infonce import info_nce, recommended_block
from graphrank.nn.scaling import FeatureScalingName

_log = logging.getLogger("graphrank")


class GraceModule(nn.Module):
    """One encoder for both views, and a projector that only the loss sees.

    Args:
        num_features: number of feature columns.
        channels: width of the embedding; the layer before has twice as many.
        projector: width of the projector's hidden layer.
        act: activation after both layers of the encoder.
    """

    def __init__(
        self, num_features: int, channels: int, projector: int, act: ActivationName
    ) -> None:
        super().__init__()
        self.encoder = GCNEncoder(num_features, 2 * channels, channels, act=act, last_act=True)
        self.projector = elu_projector(channels, projector)

    def project(self, *embeddings: Tensor) -> list[Tensor]:
        """What the loss compares: cosines of the projections are all that counts in it.

        Where the projector is narrower than the embedding, its outputs are given in as many
        coordinates as they span, for the loss compares all pairs of nodes.
        """
        basis = basis_of_outputs(cast(nn.Linear, self.projector[-1]))
        projections = [self.projector(embedding) for embedding in embeddings]
        return projections if basis is None else [z @ basis for z in projections]


@dataclass(kw_only=True, eq=False, repr=False)
class Grace(TrainedMethod[GraceModule]):
    """Embeddings learnt by telling every node from all others, in time quadratic in nodes.

    Example:
        >>> from graphrank.methods.grace import Grace
        >>> Grace(seed=0, epochs=2, channels=8).fit_transform("karate").shape
        torch.Size([34, 8])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="grace",
        title="GRACE",
        level="node",
        family="contrastive",
        paper="Zhu et al., Deep Graph Contrastive Representation Learning, 2020",
        time="O(N²d+Ed)",
        memory="O((N+E)d)",
    )

    scale_features: Annotated[
        FeatureScalingName,
        Option("rows: each row sums to one, as the authors have it; the others as elsewhere"),
    ] = "rows"
    channels: Annotated[int, Option("width of the embedding", low=1)] = 128
    projector: Annotated[int, Option("hidden width of the MLP before the loss", low=1)] = 128
    act: Annotated[ActivationName, Option("activation after both layers")] = "relu"

    edge_drop_1: Annotated[float, Option("edges dropped in view 1", low=0, below=1)] = 0.2
    edge_drop_2: Annotated[float, Option("edges dropped in view 2", low=0, below=1)] = 0.4
    feature_mask_1: Annotated[float, Option("columns masked in view 1", low=0, below=1)] = 0.3
    feature_mask_2: Annotated[float, Option("columns masked in view 2", low=0, below=1)] = 0.4

    temperature: Annotated[float, Option("what cosines are divided by", low=0.02)] = 0.4
    block: Annotated[
        int,
        Option(
            "rows of similarities in memory at once; 0: all on small graphs, few on large", low=0
        ),
    ] = 0

    epochs: Annotated[int, Option("passes over the graph", low=0)] = 200
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 5e-4
    weight_decay: Annotated[float, Option("L2 penalty on the weights", low=0)] = 1e-5

    def build(self, num_features: int) -> GraceModule:
        """One encoder, shared by both views, and the projector."""
        return GraceModule(num_features, self.channels, self.projector, self.act)

    def initialize(self, module: GraceModule, graph: GraphInput) -> None:
        """Leave the weights as they were drawn; say so where memory is spared for time."""
        rows = recommended_block(graph.num_nodes)
        if self.block == 0 and rows > 0:
            _log.info(
                "%s compares %d nodes in blocks of %d rows and computes similarities twice, "
                "to spare memory; set block to change that",
                self.info.title,
                graph.num_nodes,
                rows,
            )

    def training_step(self, module: GraceModule, graph: GraphInput) -> Tensor:
        """Two views, their projections, and the contrast of the two."""
        view_1 = corrupt(graph, self.corruption(graph, 1))
        view_2 = corrupt(graph, self.corruption(graph, 2))
        return self.contrast(*module.project(module.encoder(view_1), module.encoder(view_2)))

    def corruption(self, graph: GraphInput, number: int) -> Corruption:
        """How view 1 or 2 is corrupted: the same chance for all edges, and for all columns."""
        return Corruption(*self._rates(number), pairwise=False)

    def contrast(self, z_1: Tensor, z_2: Tensor) -> Tensor:
        """The loss of the projections of two views."""
        return info_nce(z_1, z_2, self.temperature, self.block)

    def encode(self, module: GraceModule, graph: GraphInput) -> Tensor:
        """Embed the clean graph with the trained encoder; the projector is left out."""
        embedding: Tensor = module.encoder(clean_view(graph))
        return embedding

    def _rates(self, number: int) -> tuple[float, float]:
        """Chances of an edge and of a feature column in view 1 or 2."""
        if number == 1:
            return self.edge_drop_1, self.feature_mask_1
        return self.edge_drop_2, self.feature_mask_2
