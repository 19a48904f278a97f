"""InfoGraph: a node tells which graph of the batch it is from.

Reference: Sun, Hoffmann, Verma & Tang, "InfoGraph: Unsupervised and Semi-supervised Graph-Level
Representation Learning via Mutual Information Maximization", ICLR 2020. Graphs are embedded so that
their nodes, at every depth, can be told from those of other graphs: there are no views.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import torch
from torch import Tensor, nn

from graphrank.augment.views import clean_view
from graphrank.methods.graph_level import FeatureChoosingMethod
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.gin import GINEncoder
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.heads import infograph_encoder, shortcut_head
from graphrank.nn.local_global import local_global_loss
from graphrank.nn.pooling import pool_layers


class InfoGraphModule(nn.Module):
    """An encoder, and heads that only the loss sees.

    Args:
        encoder: from a view to the outputs of all layers.
        node_head: from the layers of a node to what is compared.
        graph_head: from the embedding of a graph to what is compared.
    """

    def __init__(self, encoder: GINEncoder, node_head: nn.Module, graph_head: nn.Module) -> None:
        super().__init__()
        self.encoder, self.node_head, self.graph_head = encoder, node_head, graph_head


@dataclass(kw_only=True, eq=False, repr=False)
class InfoGraph(FeatureChoosingMethod[InfoGraphModule]):
    """Embeddings of whole graphs by the mutual information with their nodes.

    Example:
        >>> import networkx as nx
        >>> graphs = [nx.cycle_graph(size) for size in range(3, 9)]
        >>> InfoGraph(seed=0, epochs=1, channels=8).fit_transform(graphs).shape
        torch.Size([6, 40])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="infograph",
        title="InfoGraph",
        level="graph",
        family="contrastive",
        paper="Sun et al., InfoGraph, ICLR 2020",
        time="O((NB+E)d), graphs in batches of B",
        memory="O((N+E)d+NB), N and E of a batch",
    )

    channels: Annotated[int, Option("width of each layer", low=1)] = 32
    num_layers: Annotated[int, Option("layers, whose outputs are concatenated", low=1)] = 5

    epochs: Annotated[int, Option("passes over the set", low=0)] = 20
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 1e-3
    batch_graphs: Annotated[int, Option("graphs of a training batch at most", low=1)] = 128

    def build(self, num_features: int) -> InfoGraphModule:
        """The encoder and a head each for nodes and for graphs."""
        encoder = infograph_encoder(num_features, self.channels, self.num_layers)
        width = self.channels * self.num_layers
        return InfoGraphModule(encoder, shortcut_head(width), shortcut_head(width))

    def graph_loss(self, module: InfoGraphModule, batch: GraphBatch) -> Tensor:
        """Every node of the batch with every graph of it."""
        layers = module.encoder(clean_view(batch))
        nodes = module.node_head(torch.cat(layers, dim=1))
        graphs = module.graph_head(pool_layers(layers, batch, "sum"))
        return local_global_loss(nodes, graphs, batch.graph_of_node)

    def encode_graphs(self, module: InfoGraphModule, batch: GraphBatch) -> Tensor:
        """The summed layers of the graphs, without a head."""
        return pool_layers(module.encoder(clean_view(batch)), batch, "sum")
