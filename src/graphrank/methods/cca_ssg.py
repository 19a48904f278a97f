"""CCA-SSG: two views agree in every standardised column, and columns do not repeat each other.

Reference: Zhang, Wu, Yan, Wipf & Yu, "From Canonical Correlation Analysis to Self-supervised Graph
Neural Networks", NeurIPS 2021. The loss compares columns and not nodes: there are no negatives,
no projector and no second network, and its cost is linear in the nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from torch import Tensor, nn

from graphrank.augment.views import Corruption, clean_view, corrupt
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.decorrelation import cca_loss
from graphrank.nn.encoders import GCNEncoder
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.mlp_encoder import MLPEncoder
from graphrank.nn.scaling import FeatureScalingName


@dataclass(kw_only=True, eq=False, repr=False)
class CCASSG(TrainedMethod[nn.Module]):
    """Embeddings learnt by canonical correlation of two views; the module is the encoder alone.

    Example:
        >>> from graphrank.methods.cca_ssg import CCASSG
        >>> CCASSG(epochs=2, channels=16).fit_transform("karate").shape
        torch.Size([34, 16])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="cca-ssg",
        title="CCA-SSG",
        level="node",
        family="decorrelation",
        paper="Zhang et al., From Canonical Correlation Analysis to Self-supervised Graph Neural "
        "Networks, NeurIPS 2021",
        time="O(Nd²+Ed)",
        memory="O((N+E)d+d²)",
    )

    encoder: Annotated[Literal["gcn", "mlp"], Option("GCN, or an MLP that sees no edges")] = "gcn"
    hidden_channels: Annotated[int, Option("width of the inner layers", low=1)] = 512
    channels: Annotated[int, Option("width of the embedding", low=1)] = 512
    num_layers: Annotated[int, Option("layers of the encoder", low=1)] = 2
    edge_drop: Annotated[float, Option("edges dropped in each view", low=0, below=1)] = 0.4
    feature_mask: Annotated[float, Option("columns masked in each view", low=0, below=1)] = 0.1
    decorrelation: Annotated[
        float, Option("weight of keeping columns apart (lambda in the paper)", low=0)
    ] = 1e-3

    epochs: Annotated[int, Option("passes over the graph", low=0)] = 50
    scale_features: Annotated[
        FeatureScalingName,
        Option(
            "rows: each row sums to one, as in the authors' citation graphs; l2: it has length "
            "one; standard: z-scores"
        ),
    ] = "rows"

    def build(self, num_features: int) -> nn.Module:
        """One encoder, shared by both views."""
        widths = (num_features, self.hidden_channels, self.channels, self.num_layers)
        if self.encoder == "mlp":
            return MLPEncoder(*widths)
        encoder = GCNEncoder(*widths, act="relu")
        # The loss takes the last bias out again. Its gradient is rounding noise, which Adam would
        # blow up to steps of full size.
        encoder.biases[-1].requires_grad_(False)
        return encoder

    def training_step(self, module: nn.Module, graph: GraphInput) -> Tensor:
        """Two views of equal strength, one encoder, the CCA loss."""
        # The authors drop each direction of an edge for itself. An MLP does not see edges.
        edge_drop = self.edge_drop if self.encoder == "gcn" else 0.0
        corruption = Corruption(edge_drop=edge_drop, feature_mask=self.feature_mask, pairwise=False)
        first, second = (module(corrupt(graph, corruption)) for _ in range(2))
        return cca_loss(first, second, self.decorrelation)

    def encode(self, module: nn.Module, graph: GraphInput) -> Tensor:
        """Embed the clean graph, as the encoder gives it: standardised in the loss alone."""
        embedding: Tensor = module(clean_view(graph))
        return embedding
