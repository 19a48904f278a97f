"""BGRL: predict what a slowly moving copy of the encoder says of the same node in another view.

Reference: Thakoor, Tallec, Azar, Azabou, Dyer, Munos, Veličković & Valko, "Large-Scale
Representation Learning on Graphs via Bootstrapping", ICLR 2022. There are no negatives: what keeps
the embedding from collapsing is that the target is not trained but follows the trained encoder.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from torch import Tensor, nn

from graphrank.augment.views import Corruption, clean_view, corrupt
from graphrank.methods.bootstrapped import Bootstrapped
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.batch_norm import NodeBatchNorm
from graphrank.nn.bootstrap import Bootstrap, predictor_of
from graphrank.nn.encoders import GCNEncoder
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.scaling import FeatureScalingName

# The weight of the newest statistics, as torch counts it: they are those of the last view seen.
_NORM_MOMENTUM = 0.99


@dataclass(kw_only=True, eq=False, repr=False)
class BGRL(Bootstrapped):
    """Embeddings learnt by bootstrapping; the defaults are the authors' for Amazon Computers.

    Example:
        >>> from graphrank.methods.bgrl import BGRL
        >>> BGRL(epochs=2, channels=16).fit_transform("karate").shape
        torch.Size([34, 16])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="bgrl",
        title="BGRL",
        level="node",
        family="bootstrap",
        paper="Thakoor et al., Large-Scale Representation Learning on Graphs via Bootstrapping, "
        "ICLR 2022",
        time="O((N+E)d)",
        memory="O((N+E)d)",
    )

    hidden_channels: Annotated[int, Option("width of the first layer", low=1)] = 256
    channels: Annotated[int, Option("width of the embedding", low=1)] = 128
    edge_drop_1: Annotated[float, Option("edges dropped in view 1", low=0, below=1)] = 0.5
    edge_drop_2: Annotated[float, Option("edges dropped in view 2", low=0, below=1)] = 0.4
    feature_mask_1: Annotated[float, Option("columns masked in view 1", low=0, below=1)] = 0.2
    feature_mask_2: Annotated[float, Option("columns masked in view 2", low=0, below=1)] = 0.1

    epochs: Annotated[int, Option("passes over the graph", low=0)] = 10_000
    scale_features: Annotated[
        FeatureScalingName,
        Option(
            "rows: each row sums to one, as the authors have it; l2: it has length one; "
            "standard: z-scores"
        ),
    ] = "rows"

    def build(self, num_features: int) -> Bootstrap:
        """Online and target encoder, each with its own first weights, and the predictor."""
        predictor = predictor_of(self.channels, self.predictor_channels)
        online, target = (self._build_encoder(num_features) for _ in range(2))
        return Bootstrap(online, target, predictor)

    def training_step(self, module: Bootstrap, graph: GraphInput) -> Tensor:
        """Each view predicts what the target network says of the other one."""
        view_1 = corrupt(graph, self._corruption(1))
        view_2 = corrupt(graph, self._corruption(2))
        loss: Tensor = module(view_1, view_2)
        return loss

    def encode(self, module: Bootstrap, graph: GraphInput) -> Tensor:
        """Embed the clean graph with the online encoder."""
        embedding: Tensor = module.online(clean_view(graph))
        return embedding

    def _corruption(self, number: int) -> Corruption:
        # The authors drop each direction of an edge for itself.
        return Corruption.of_options(self, number, pairwise=False)

    def _build_encoder(self, num_features: int) -> GCNEncoder:
        """Two convolutions, each with batch norm and PReLU."""
        widths = (self.hidden_channels, self.channels)
        encoder = GCNEncoder(num_features, *widths, num_layers=2, act="prelu", last_act=True)
        encoder.norms = nn.ModuleList(NodeBatchNorm(b, momentum=_NORM_MOMENTUM) for b in widths)
        # A norm takes the bias before it out again. Its gradient is rounding noise, which Adam
        # would blow up to steps of full size.
        encoder.biases.requires_grad_(False)
        return encoder
