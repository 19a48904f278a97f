"""MVGRL for whole graphs: nodes seen along the edges, graphs seen through a diffusion, and back.

Reference: Hassani & Khasahmadi, "Contrastive Multi-View Representation Learning on Graphs",
ICML 2020.

Two encoders see each graph over its edges and over its diffusion. A node of one structure should
go with its own graph as the other one shows it, and not with another graph of the batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from torch import Tensor, nn

from graphrank.augment.views import View
from graphrank.data import GraphSet
from graphrank.data.graph_features import DEGREE_CAP
from graphrank.methods.graph_level import TrainedGraphMethod
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.diffusion import Diffusion, DiffusionName
from graphrank.nn.gin import GINEncoder
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_diffusion import DiffusedBatch, both_views
from graphrank.nn.local_global import local_global_loss
from graphrank.nn.pooling import pool_layers
from graphrank.nn.shortcut_mlp import ShortcutMLP


class MVGRLGraphModule(nn.Module):
    """One graph network for each structure, and two heads that both share.

    Args:
        num_features: number of feature columns.
        channels: width of each layer and of the heads.
        num_layers: graph convolutions of each network.
    """

    def __init__(self, num_features: int, channels: int, num_layers: int) -> None:
        super().__init__()
        self.over_edges, self.over_diffusion = (
            GINEncoder(
                num_features, channels, num_layers,
                mlp_layers=1, act="prelu", norm="none", normalized=True,
            )
            for _ in range(2)
        )  # fmt: skip
        self.node_head = ShortcutMLP(channels, channels, "prelu")
        self.graph_head = ShortcutMLP(channels * num_layers, channels, "prelu")


@dataclass(kw_only=True, eq=False, repr=False)
class MVGRLGraph(TrainedGraphMethod[MVGRLGraphModule]):
    """Embeddings of whole graphs on which edges and diffusion agree.

    Example:
        >>> import networkx as nx
        >>> graphs = [nx.cycle_graph(size) for size in range(3, 9)]
        >>> MVGRLGraph(epochs=1, channels=8).fit_transform(graphs).shape
        torch.Size([6, 8])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="mvgrl-graph",
        title="MVGRL",
        level="graph",
        family="contrastive",
        paper="Hassani & Khasahmadi, Contrastive Multi-View Representation Learning, ICML 2020",
        time="O(NBd + Σn²d), B graphs of a batch, n nodes of a graph",
        memory="O(Σn² + N(B+d)), N of a batch; Σnk where only k entries a row are kept",
    )

    channels: Annotated[int, Option("width of the layers and of the embedding", low=1)] = 512
    num_layers: Annotated[int, Option("graph convolutions of each encoder", low=1)] = 4
    join_degrees: Annotated[
        bool, Option("join the degree of each node, one-hot, to its features")
    ] = True
    diffusion: Annotated[DiffusionName, Option("personalised PageRank or the heat kernel")] = "ppr"
    teleport: Annotated[
        float, Option("chance of a `ppr` walk to end at each step", low=0.01, below=1)
    ] = 0.2
    heat_time: Annotated[float, Option("mean steps of a `heat` walk", low=0, high=100)] = 5.0
    dense_limit: Annotated[
        int, Option("most nodes of a graph whose whole diffusion matrix is kept", low=0)
    ] = 2000
    top_k: Annotated[int, Option("entries of each row kept for a larger graph", low=1)] = 64

    epochs: Annotated[int, Option("most passes over the set", low=0)] = 40
    batch_graphs: Annotated[int, Option("graphs of a training batch at most", low=1)] = 64
    stop: Annotated[
        Literal["none", "plateau", "best"],
        Option("best: when `patience` epochs bring no smaller loss, at the weights of the least"),
    ] = "best"

    def build(self, num_features: int) -> MVGRLGraphModule:
        """Two encoders and two heads."""
        return MVGRLGraphModule(num_features + self._degrees, self.channels, self.num_layers)

    def graph_loss(self, module: MVGRLGraphModule, batch: GraphBatch) -> Tensor:
        """Nodes of each structure against the graphs of the batch as the other one shows them."""
        graph_of_node = batch.graph_of_node
        near, far = self._views(batch)
        near_nodes, near_graphs = _headed(module, module.over_edges(near), batch)
        far_nodes, far_graphs = _headed(module, module.over_diffusion(far), batch)
        return local_global_loss(near_nodes, far_graphs, graph_of_node) + local_global_loss(
            far_nodes, near_graphs, graph_of_node
        )

    def encode_graphs(self, module: MVGRLGraphModule, batch: GraphBatch) -> Tensor:
        """The sum of what both structures say of each graph."""
        near, far = self._views(batch)
        pooled = (
            pool_layers(encoder(view), batch, "sum")
            for encoder, view in ((module.over_edges, near), (module.over_diffusion, far))
        )
        first, second = (module.graph_head(rows) for rows in pooled)
        embedding: Tensor = first + second
        return embedding

    @property
    def _degrees(self) -> int:
        """Columns of the degrees; as many for every set, so that a model fits all."""
        return DEGREE_CAP + 1 if self.join_degrees else 0

    def _views(self, batch: GraphBatch) -> tuple[View, View]:
        """The graphs along their edges and along their diffusion."""
        if not isinstance(batch, DiffusedBatch):
            raise AssertionError("the diffusion comes with the set that a batch is picked from")
        return both_views(batch, self._degrees)

    def _packed(self, graphs: GraphSet, x: Tensor) -> DiffusedBatch:
        """The graphs with their diffusion, which every batch takes its own from."""
        diffusion = Diffusion(
            self.diffusion, self.teleport, self.heat_time, self.dense_limit, self.top_k
        )
        return DiffusedBatch.diffused(super()._packed(graphs, x), diffusion)


def _headed(
    module: MVGRLGraphModule, layers: list[Tensor], batch: GraphBatch
) -> tuple[Tensor, Tensor]:
    """What the loss compares: nodes of the last layer, and graphs pooled from all layers."""
    return module.node_head(layers[-1]), module.graph_head(pool_layers(layers, batch, "sum"))
