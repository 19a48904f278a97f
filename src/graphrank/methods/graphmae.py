"""GraphMAE: hide the features of half the nodes, and guess their direction from the others.

Reference: Hou, Liu, Cen, Dong, Yang, Wang & Tang, "GraphMAE: Self-Supervised Masked Graph
Autoencoders", KDD 2022.

An attention encoder sees a learnt token in the place of hidden features; its output at the hidden
nodes is hidden again, so that an attention decoder must rebuild them from their neighbours. The
error is a power of one minus the cosine, which neither the features' length nor what is easy rules.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import torch
from torch import Tensor, nn

from graphrank.augment.views import clean_view
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.attention import AttentionLayer
from graphrank.nn.dropout import dropped_out
from graphrank.nn.encoders import GATEncoder
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.masking import draw_node_mask, hidden_again, noisy_masked_view
from graphrank.nn.scaled_cosine import decoded_cosine, scaled_cosine_error
from graphrank.nn.scaling import FeatureScalingName


class GraphMAEModule(nn.Module):
    """Encoder, the map to the decoder's input, decoder, and the token of hidden nodes.

    Args:
        encoder: from a view to embeddings.
        decoder: one head, from embeddings back to the features.
    """

    def __init__(self, encoder: GATEncoder, decoder: AttentionLayer) -> None:
        super().__init__()
        self.encoder, self.decoder = encoder, decoder
        channels, num_features = decoder.weight.shape
        self.to_decoder = nn.Linear(channels, channels, bias=False)
        self.token = nn.Parameter(torch.zeros(num_features))
        for layer in self.modules():
            if isinstance(layer, AttentionLayer):
                _draw_as_the_authors(layer)


@dataclass(kw_only=True, eq=False, repr=False)
class GraphMAE(TrainedMethod[GraphMAEModule]):
    """Embeddings learnt by rebuilding hidden features from those of the neighbours."""

    info: ClassVar[MethodInfo] = MethodInfo(
        name="graphmae",
        title="GraphMAE",
        level="node",
        family="generative",
        paper="Hou et al., GraphMAE: Self-Supervised Masked Graph Autoencoders, KDD 2022",
        time="O(Ed + (N+F)d²)",
        memory="O(E + (N+F)d)",
    )

    channels: Annotated[int, Option("width of the embedding, all heads together", low=1)] = 512
    num_layers: Annotated[int, Option("attention layers of the encoder", low=1)] = 2
    heads: Annotated[int, Option("attention heads of a layer; divides `channels`", low=1)] = 4
    dropout: Annotated[float, Option("dropout of each layer's input", low=0, below=1)] = 0.2
    attention_dropout: Annotated[float, Option("dropout of attention", low=0, below=1)] = 0.1
    mask_rate: Annotated[float, Option("share of nodes to hide", low=0, below=1)] = 0.5
    replace_rate: Annotated[
        float, Option("share of those with another node's features, not the token", low=0, high=1)
    ] = 0.05
    alpha: Annotated[float, Option("exponent of the cosine error", low=1)] = 3.0

    scale_features: Annotated[
        FeatureScalingName,
        Option("scaling of the features; the authors' rows sum to one"),
    ] = "rows"
    epochs: Annotated[int, Option("passes over the graph", low=0)] = 1500
    weight_decay: Annotated[float, Option("L2 penalty on the weights", low=0)] = 2e-4

    def build(self, num_features: int) -> GraphMAEModule:
        """Encoder and decoder, and a token of zeros."""
        encoder = GATEncoder(
            num_features, self.channels, self.channels, self.num_layers, self.heads, act="prelu",
            dropout=self.dropout, attention_dropout=self.attention_dropout, last_act=True,
        )  # fmt: skip
        decoder = AttentionLayer(
            self.channels, num_features, heads=1, dropout=self.attention_dropout
        )
        return GraphMAEModule(encoder, decoder)

    def training_step(self, module: GraphMAEModule, graph: GraphInput) -> Tensor:
        """Hide, encode, hide again, decode, compare: at the hidden nodes alone."""
        mask = draw_node_mask(graph.num_nodes, self.mask_rate, self.replace_rate, graph.device)
        view = noisy_masked_view(graph, mask, module.token, self.dropout)
        # What the encoder says of hidden nodes is not used, so it is not mapped either.
        kept = module.to_decoder(module.encoder(view).index_select(0, mask.kept))
        code = hidden_again(dropped_out(kept, self.dropout), mask)
        decoder = module.decoder
        around = decoder.attended_input(view, code).index_select(0, mask.hidden)
        cosine = decoded_cosine(graph.features, mask.hidden, around, decoder.weight, decoder.bias)
        return scaled_cosine_error(cosine, self.alpha)

    def encode(self, module: GraphMAEModule, graph: GraphInput) -> Tensor:
        """Embed the clean graph, nothing hidden."""
        embedding: Tensor = module.encoder(clean_view(graph))
        return embedding

    def learning_rate_at(self, epoch: int) -> float:
        """Half a cosine, from the full rate at the first epoch towards zero."""
        return self.learning_rate * (1 + math.cos(math.pi * epoch / self.epochs)) / 2


def _draw_as_the_authors(layer: AttentionLayer) -> None:
    """Normal weights, wider by √2 than the layer's own, the attention's by their whole width."""
    gain = nn.init.calculate_gain("relu")
    nn.init.xavier_normal_(layer.weight, gain)
    deviation = gain * math.sqrt(2 / (layer.channels * (layer.heads + 1)))
    for vector in (layer.to_target, layer.to_source):
        nn.init.normal_(vector, std=deviation)
