"""BGRL for whole graphs: predict what a slowly moving copy of the encoder says of another view.

Reference: Thakoor, Tallec, Azar, Azabou, Dyer, Munos, Veličković & Valko, "Large-Scale
Representation Learning on Graphs via Bootstrapping", ICLR 2022, which embeds nodes. What is
predicted here is the embedding of a whole graph, pooled from its nodes; nothing else is changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from torch import Tensor, nn

from graphrank.augment.views import Corruption, View, clean_view, corrupt
from graphrank.methods.bootstrapped import Bootstrapped
from graphrank.methods.graph_level import TrainedGraphMethod, as_batch
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.bootstrap import Bootstrap, predictor_of
from graphrank.nn.gin import GINEncoder
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.pooling import PoolingName, pool_layers


class PooledEncoder(nn.Module):
    """From a view of a batch to one row a graph: the pooled layers side by side.

    Args:
        encoder: from a view to the outputs of all layers.
        pooling: from the nodes of a graph to its embedding.
    """

    def __init__(self, encoder: GINEncoder, pooling: PoolingName) -> None:
        super().__init__()
        self.encoder, self.pooling = encoder, pooling

    def forward(self, view: View) -> Tensor:
        """``[graphs, layers times channels]``."""
        return pool_layers(self.encoder(view), as_batch(view.graph), self.pooling)


@dataclass(kw_only=True, eq=False, repr=False)
class BGRLGraph(Bootstrapped, TrainedGraphMethod[Bootstrap]):
    """Embeddings of whole graphs learnt by bootstrapping.

    Example:
        >>> import networkx as nx
        >>> graphs = [nx.cycle_graph(size) for size in range(3, 9)]
        >>> BGRLGraph(epochs=1, channels=8, num_layers=2).fit_transform(graphs).shape
        torch.Size([6, 16])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="bgrl-graph",
        title="BGRL",
        level="graph",
        family="bootstrap",
        paper="Thakoor et al., Large-Scale Representation Learning on Graphs via Bootstrapping, "
        "ICLR 2022",
        time="O((N+E)d)",
        memory="O((N+E)d), N and E of a batch",
    )

    encoder: Annotated[Literal["gin", "gcn"], Option("sums and MLPs, or GCN's convolutions")] = (
        "gin"
    )
    channels: Annotated[int, Option("width of each layer", low=1)] = 128
    num_layers: Annotated[int, Option("layers, whose outputs are concatenated", low=1)] = 3
    pooling: Annotated[PoolingName, Option("from the nodes of a graph to its embedding")] = "sum"
    edge_drop_1: Annotated[float, Option("edges dropped in view 1", low=0, below=1)] = 0.2
    edge_drop_2: Annotated[float, Option("edges dropped in view 2", low=0, below=1)] = 0.1
    feature_mask_1: Annotated[float, Option("columns masked in view 1", low=0, below=1)] = 0.2
    feature_mask_2: Annotated[float, Option("columns masked in view 2", low=0, below=1)] = 0.1

    epochs: Annotated[int, Option("passes over the set", low=0)] = 40

    def build(self, num_features: int) -> Bootstrap:
        """Online and target encoder, each with its own first weights, and the predictor."""
        predictor = predictor_of(self.channels * self.num_layers, self.predictor_channels)
        online, target = (self._build_encoder(num_features) for _ in range(2))
        return Bootstrap(online, target, predictor)

    def graph_loss(self, module: Bootstrap, batch: GraphBatch) -> Tensor:
        """Each view predicts what the target network says of the graphs in the other one."""
        loss: Tensor = module(*(corrupt(batch, self._corruption(number)) for number in (1, 2)))
        return loss

    def encode_graphs(self, module: Bootstrap, batch: GraphBatch) -> Tensor:
        """Embed the clean graphs with the online encoder."""
        embedding: Tensor = module.online(clean_view(batch))
        return embedding

    def _corruption(self, number: int) -> Corruption:
        # As in the node-level form.
        return Corruption.of_options(self, number, pairwise=False)

    def _build_encoder(self, num_features: int) -> PooledEncoder:
        is_gcn = self.encoder == "gcn"
        encoder = GINEncoder(
            num_features, self.channels, self.num_layers,
            mlp_layers=1 if is_gcn else 2, act="prelu", normalized=is_gcn,
        )  # fmt: skip
        return PooledEncoder(encoder, self.pooling)
