"""DGI: tell the nodes of the graph from nodes with shuffled features, by the graph's summary.

Reference: Veličković, Fedus, Hamilton, Liò, Bengio & Hjelm, "Deep Graph Infomax", ICLR 2019.

A node of the real graph should go with the mean of all its nodes, and a node whose neighbourhood
was filled with the features of others should not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from torch import Tensor, nn

from graphrank.augment.views import View, clean_view, shuffled_view
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.encoders import GCNEncoder
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.mutual_information import BilinearCritic, discrimination_loss, summarize
from graphrank.nn.scaling import FeatureScalingName


class DGIModule(nn.Module):
    """One graph convolution with PReLU, and the critic that only the loss uses.

    Args:
        num_features: number of feature columns.
        channels: width of the embedding.
    """

    def __init__(self, num_features: int, channels: int) -> None:
        super().__init__()
        self.encoder = GCNEncoder(
            num_features, channels, channels, num_layers=1, act="prelu", last_act=True
        )
        self.critic = BilinearCritic(channels)


@dataclass(kw_only=True, eq=False, repr=False)
class DGI(TrainedMethod[DGIModule]):
    """Embeddings whose nodes belong to their graph, in time and memory linear in it.

    Example:
        >>> DGI(channels=8, epochs=2).fit_transform("karate").shape
        torch.Size([34, 8])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="dgi",
        title="DGI",
        level="node",
        family="contrastive",
        paper="Veličković et al., Deep Graph Infomax, ICLR 2019",
        time="O((N+E)d)",
        memory="O((N+E)d)",
    )

    channels: Annotated[int, Option("width of the embedding", low=1)] = 512
    scale_features: Annotated[
        FeatureScalingName, Option("rows: each row sums to one; l2: it has length one")
    ] = "rows"
    epochs: Annotated[int, Option("most passes over the graph", low=0)] = 10_000
    stop: Annotated[
        Literal["none", "plateau", "best"],
        Option("best: when `patience` epochs bring no smaller loss, at the weights of the least"),
    ] = "best"

    def build(self, num_features: int) -> DGIModule:
        """The encoder and the critic."""
        return DGIModule(num_features, self.channels)

    def training_step(self, module: DGIModule, graph: GraphInput) -> Tensor:
        """The critic's cross-entropy on real and shuffled nodes against the real summary."""
        clean, shuffled = clean_view(graph), shuffled_view(graph)
        projected = clean.project(module.encoder.weights[0])
        real = module.encoder(clean, projected)
        fake = module.encoder(shuffled, projected.index_select(0, _order_of(shuffled)))
        summary = summarize(real)
        return discrimination_loss(module.critic(real, summary), module.critic(fake, summary))

    def encode(self, module: DGIModule, graph: GraphInput) -> Tensor:
        """Embed the clean graph, ``[nodes, channels]``."""
        embedding: Tensor = module.encoder(clean_view(graph))
        return embedding


def _order_of(shuffled: View) -> Tensor:
    """``[nodes]`` whose features each node of a shuffled view has."""
    if shuffled.node_order is None:
        raise AssertionError("a shuffled view has an order of its nodes")
    return shuffled.node_order
