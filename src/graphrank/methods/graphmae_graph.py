"""GraphMAE for whole graphs: hide the features of most nodes, and guess them from the others.

Reference: Hou, Liu, Cen, Dong, Yang, Wang & Tang, "GraphMAE: Self-Supervised Masked Graph
Autoencoders", KDD 2022.

A GIN sees a learnt token in the place of hidden features; its output at the hidden nodes is hidden
again, and one more GIN layer rebuilds them. A graph is embedded by pooling its clean nodes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import torch
from torch import Tensor, nn

from graphrank.augment.views import clean_view
from graphrank.methods.graph_level import TrainedGraphMethod
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.dropout import dropped_out
from graphrank.nn.encoders import ActivationName, NormName
from graphrank.nn.gin import GINEncoder, GINLayer
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.masking import draw_node_mask, hidden_again, noisy_masked_view
from graphrank.nn.pooling import POOLINGS, PoolingName
from graphrank.nn.scaled_cosine import decoded_cosine, scaled_cosine_error


class GraphMAEGraphModule(nn.Module):
    """Encoder, the map to the decoder's input, decoder, and the token of hidden nodes.

    Args:
        num_features: number of feature columns.
        channels: width of every layer.
        num_layers: layers of the encoder.
        act: activation.
        norm: normalisation.
        dropout: dropout of each layer's input.
        eps: how much more than a neighbour a node counts.
    """

    def __init__(
        self,
        num_features: int,
        channels: int,
        num_layers: int,
        act: ActivationName,
        norm: NormName,
        dropout: float,
        eps: float,
    ) -> None:
        super().__init__()
        self.encoder = GINEncoder(
            num_features, channels, num_layers, act=act, norm=norm, eps=eps, dropout=dropout
        )
        self.to_decoder = nn.Linear(channels, channels, bias=False)
        self.decoder = GINLayer(channels, channels, mlp_layers=1, act=act, norm=norm, eps=eps)
        self.to_features = nn.Linear(channels, num_features)
        self.token = nn.Parameter(torch.zeros(num_features))


@dataclass(kw_only=True, eq=False, repr=False)
class GraphMAEGraph(TrainedGraphMethod[GraphMAEGraphModule]):
    """Embeddings of whole graphs learnt by rebuilding hidden features; defaults as for MUTAG.

    Example:
        >>> import networkx as nx
        >>> graphs = [nx.cycle_graph(size) for size in range(3, 9)]
        >>> GraphMAEGraph(epochs=1, channels=8).fit_transform(graphs).shape
        torch.Size([6, 8])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="graphmae-graph",
        title="GraphMAE",
        level="graph",
        family="generative",
        paper="Hou et al., GraphMAE: Self-Supervised Masked Graph Autoencoders, KDD 2022",
        time="O(Ed + (N+F)d²)",
        memory="O(E + (N+F)d), N and E of a batch",
    )

    channels: Annotated[int, Option("width of each layer and of the embedding", low=1)] = 32
    num_layers: Annotated[int, Option("layers of the encoder", low=1)] = 5
    act: Annotated[ActivationName, Option("activation")] = "prelu"
    norm: Annotated[NormName, Option("normalisation within and after each layer")] = "batch"
    dropout: Annotated[float, Option("dropout of each layer's input", low=0, below=1)] = 0.2
    self_loops: Annotated[
        bool, Option("count a node twice in its own sum, as the authors' self-loops do")
    ] = True
    pooling: Annotated[PoolingName, Option("from the nodes of a graph to its embedding")] = "sum"
    mask_rate: Annotated[float, Option("share of nodes to hide", low=0, below=1)] = 0.75
    replace_rate: Annotated[
        float, Option("share of those with another node's features, not the token", low=0, high=1)
    ] = 0.1
    alpha: Annotated[float, Option("exponent of the cosine error", low=1)] = 2.0

    epochs: Annotated[int, Option("passes over the set", low=0)] = 20
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 5e-4
    schedule: Annotated[
        Literal["none", "cosine"], Option("cosine: the learning rate falls to zero along one")
    ] = "none"
    batch_graphs: Annotated[int, Option("graphs of a training batch at most", low=1)] = 64

    def build(self, num_features: int) -> GraphMAEGraphModule:
        """Encoder and decoder, and a token of zeros."""
        return GraphMAEGraphModule(
            num_features, self.channels, self.num_layers, self.act, self.norm, self.dropout,
            eps=1.0 if self.self_loops else 0.0,
        )  # fmt: skip

    def graph_loss(self, module: GraphMAEGraphModule, batch: GraphBatch) -> Tensor:
        """Hide, encode, hide again, decode, compare: at the hidden nodes of the batch alone."""
        mask = draw_node_mask(batch.num_nodes, self.mask_rate, self.replace_rate, batch.device)
        view = noisy_masked_view(batch, mask, module.token, self.dropout)
        kept = module.to_decoder(module.encoder(view)[-1].index_select(0, mask.kept))
        code = hidden_again(dropped_out(kept, self.dropout), mask)
        around = module.decoder(view, code).index_select(0, mask.hidden)
        weight, bias = module.to_features.weight.T, module.to_features.bias
        cosine = decoded_cosine(batch.features, mask.hidden, around, weight, bias)
        return scaled_cosine_error(cosine, self.alpha)

    def encode_graphs(self, module: GraphMAEGraphModule, batch: GraphBatch) -> Tensor:
        """The pooled last layer of the clean graphs, nothing hidden."""
        return POOLINGS[self.pooling](module.encoder(clean_view(batch))[-1], batch)

    def learning_rate_at(self, epoch: int) -> float:
        """The same at all epochs, or half a cosine from the full rate towards zero."""
        if self.schedule == "none":
            return self.learning_rate
        return self.learning_rate * (1 + math.cos(math.pi * epoch / self.epochs)) / 2
