"""Graph encoders: linear propagation, GCN and GAT, all on views of a graph.

An encoder maps a :class:`~graphrank.augment.views.View` to node embeddings ``[nodes, channels]``.
The first layer multiplies the features where they lie (sparse or dense, masks folded into the
weights); every later product runs on the view's one CSR pattern.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Literal, cast

import torch
from torch import Tensor, nn

from graphrank.augment.views import View
from graphrank.nn.attention import AttentionLayer
from graphrank.nn.batch_norm import NodeBatchNorm

EncoderName = Literal["linear", "gcn", "gat"]
ActivationName = Literal["relu", "prelu", "elu", "rrelu", "none"]
NormName = Literal["none", "batch", "layer"]

ACTIVATIONS: dict[str, Callable[[], nn.Module]] = {
    "relu": nn.ReLU,
    "prelu": nn.PReLU,
    "elu": nn.ELU,
    # Authors who call the randomised leaky ReLU without saying that they train get its mean slope.
    "rrelu": lambda: nn.LeakyReLU((1 / 8 + 1 / 3) / 2),
    "none": nn.Identity,
}
NORMS: dict[str, Callable[[int], nn.Module]] = {
    "none": lambda _: nn.Identity(),
    "batch": NodeBatchNorm,
    "layer": nn.LayerNorm,
}


class LinearPropagation(nn.Module):
    """``A^hops X W``: propagation without activation (SGC; Wu et al., 2019).

    One weight matrix without bias: under standardised embeddings the gradient of a bias is noise.

    Args:
        in_channels: number of feature columns.
        out_channels: width of the embedding.
        hops: how often to propagate.
    """

    def __init__(self, in_channels: int, out_channels: int, hops: int = 2) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_channels, out_channels))
        self.hops = hops
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weights anew."""
        nn.init.xavier_uniform_(self.weight)

    def forward(self, view: View) -> Tensor:
        """Embed the nodes of ``view``."""
        hidden = view.project(self.weight)
        for _ in range(self.hops):
            hidden = view.propagate(hidden)
        return hidden


class GCNEncoder(nn.Module):
    """Graph convolutions ``act(norm(A H W + b))`` (Kipf & Welling, 2017).

    Args:
        in_channels: number of feature columns.
        hidden_channels: width of the inner layers.
        out_channels: width of the embedding.
        num_layers: number of convolutions.
        act: activation between layers.
        norm: normalisation before each activation.
        dropout: chance of an inner activation to be dropped in training.
        last_act: normalisation and activation after the last layer as well.
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        num_layers: int = 2,
        act: ActivationName = "relu",
        norm: NormName = "none",
        dropout: float = 0.0,
        last_act: bool = False,
    ) -> None:
        super().__init__()
        widths = [in_channels, *[hidden_channels] * (num_layers - 1), out_channels]
        finished = widths[1:] if last_act else widths[1:-1]
        self.weights = nn.ParameterList(torch.empty(a, b) for a, b in pairwise(widths))
        self.biases = nn.ParameterList(torch.zeros(b) for b in widths[1:])
        self.norms = nn.ModuleList(NORMS[norm](b) for b in finished)
        self.acts = nn.ModuleList(ACTIVATIONS[act]() for _ in finished)
        self.dropout = nn.Dropout(dropout)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weights anew."""
        for weight in self.weights:
            nn.init.xavier_uniform_(weight)
        for bias in self.biases:
            nn.init.zeros_(bias)

    def forward(self, view: View) -> Tensor:
        """Embed the nodes of ``view``."""
        hidden: Tensor = view.propagate(view.project(self.weights[0])) + self.biases[0]
        for number, (norm, act) in enumerate(zip(self.norms, self.acts, strict=True), start=1):
            hidden = act(norm(hidden))
            if number < len(self.weights):
                hidden = self.dropout(hidden) @ self.weights[number]
                hidden = view.propagate(hidden) + self.biases[number]
        return hidden


class GATEncoder(nn.Module):
    """Attention over neighbours (Veličković et al., 2018), heads concatenated in every layer.

    Args:
        in_channels: number of feature columns.
        hidden_channels: width of the inner layers, all heads together.
        out_channels: width of the embedding, all heads together.
        num_layers: number of attention layers.
        heads: attention heads per layer; must divide both widths.
        act: activation between layers.
        norm: normalisation before each activation.
        dropout: chance of an inner activation to be dropped in training.
        attention_dropout: chance of an attention weight to be dropped in training.
        last_act: normalisation and activation after the last layer as well.
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        num_layers: int = 2,
        heads: int = 4,
        act: ActivationName = "elu",
        norm: NormName = "none",
        dropout: float = 0.0,
        attention_dropout: float = 0.0,
        last_act: bool = False,
    ) -> None:
        super().__init__()
        widths = [in_channels, *[hidden_channels] * (num_layers - 1), out_channels]
        finished = widths[1:] if last_act else widths[1:-1]
        self.layers = nn.ModuleList(
            AttentionLayer(a, b, heads, dropout=attention_dropout) for a, b in pairwise(widths)
        )
        self.norms = nn.ModuleList(NORMS[norm](b) for b in finished)
        self.acts = nn.ModuleList(ACTIVATIONS[act]() for _ in finished)
        self.dropout = nn.Dropout(dropout)

    def forward(self, view: View) -> Tensor:
        """Embed the nodes of ``view``."""
        layers = cast("list[AttentionLayer]", list(self.layers))
        hidden: Tensor = layers[0](view, view.project(layers[0].weight))
        for number, (norm, act) in enumerate(zip(self.norms, self.acts, strict=True), start=1):
            hidden = act(norm(hidden))
            if number < len(layers):
                layer = layers[number]
                hidden = layer(view, self.dropout(hidden) @ layer.weight)
        return hidden


def make_encoder(
    name: EncoderName,
    in_channels: int,
    channels: int,
    num_layers: int,
    act: ActivationName,
    norm: NormName,
    dropout: float,
    heads: int,
) -> nn.Module:
    """An encoder by its name, every layer as wide as the embedding.

    Linear propagation has hops for layers, and no use for the options of the others.
    """
    if name == "linear":
        return LinearPropagation(in_channels, channels, num_layers)
    widths = (in_channels, channels, channels, num_layers)
    if name == "gcn":
        return GCNEncoder(*widths, act=act, norm=norm, dropout=dropout)
    return GATEncoder(*widths, heads=heads, act=act, norm=norm, dropout=dropout)
