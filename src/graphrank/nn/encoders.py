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
from graphrank.nn.dropout import Dropout
from graphrank.nn.prelu import PReLU
from graphrank.nn.shortcut import layer_shortcuts

EncoderName = Literal["linear", "gcn", "gat"]
ActivationName = Literal["relu", "prelu", "elu", "rrelu", "none"]
NormName = Literal["none", "batch", "layer"]

ACTIVATIONS: dict[str, Callable[[], nn.Module]] = {
    "relu": nn.ReLU,
    "prelu": PReLU,
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
        return self.columns(view, self.weight)

    def columns(self, view: View, weight: Tensor) -> Tensor:
        """The columns of the embedding that some columns of the weight matrix make."""
        hidden = view.project(weight)
        for _ in range(self.hops):
            hidden = view.propagate(hidden)
        return hidden


class GCNEncoder(nn.Module):
    """Graph convolutions ``act(norm(A H W + b))`` (Kipf & Welling, 2017), plus H where residual.

    Args:
        in_channels: number of feature columns.
        hidden_channels: width of the inner layers.
        out_channels: width of the embedding.
        num_layers: number of convolutions.
        act: activation between layers.
        norm: normalisation before each activation.
        dropout: chance of an inner activation to be dropped in training.
        last_act: normalisation and activation after the last layer as well.
        residual: add to each layer's output its input, mapped linearly where widths differ.
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
        residual: bool = False,
    ) -> None:
        super().__init__()
        widths = [in_channels, *[hidden_channels] * (num_layers - 1), out_channels]
        finished = widths[1:] if last_act else widths[1:-1]
        self.weights = nn.ParameterList(torch.empty(a, b) for a, b in pairwise(widths))
        self.biases = nn.ParameterList(torch.zeros(b) for b in widths[1:])
        self.norms = nn.ModuleList(NORMS[norm](b) for b in finished)
        self.acts = nn.ModuleList(ACTIVATIONS[act]() for _ in finished)
        self.dropout = Dropout(dropout)
        self.shortcuts = layer_shortcuts(widths) if residual else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weights anew."""
        for weight in self.weights:
            nn.init.xavier_uniform_(weight)
        for bias in self.biases:
            nn.init.zeros_(bias)
        for shortcut in self.shortcuts or ():
            shortcut.reset_parameters()  # type: ignore[operator]

    def forward(self, view: View, projected: Tensor | None = None) -> Tensor:
        """Embed the nodes of ``view``.

        Args:
            view: the view.
            projected: its features times the first weights, where views share that product.
        """
        hidden = self._layer(view, None, 0, projected)
        for number in range(1, len(self.weights)):
            hidden = self._layer(view, hidden, number)
        return hidden

    def _layer(
        self, view: View, given: Tensor | None, number: int, projected: Tensor | None = None
    ) -> Tensor:
        """One layer, from what the one before it gave, or from the view's features."""
        if projected is None:
            weight = self.weights[number]
            projected = view.project(weight) if given is None else self.dropout(given) @ weight
        hidden: Tensor = view.propagate(projected) + self.biases[number]
        if number < len(self.acts):
            hidden = self.acts[number](self.norms[number](hidden))
        return hidden if self.shortcuts is None else hidden + self.shortcuts[number](view, given)


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
        residual: add to each layer's output its input, mapped linearly where widths differ.
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
        residual: bool = False,
    ) -> None:
        super().__init__()
        widths = [in_channels, *[hidden_channels] * (num_layers - 1), out_channels]
        finished = widths[1:] if last_act else widths[1:-1]
        self.layers = nn.ModuleList(
            AttentionLayer(a, b, heads, dropout=attention_dropout) for a, b in pairwise(widths)
        )
        self.norms = nn.ModuleList(NORMS[norm](b) for b in finished)
        self.acts = nn.ModuleList(ACTIVATIONS[act]() for _ in finished)
        self.dropout = Dropout(dropout)
        self.shortcuts = layer_shortcuts(widths) if residual else None

    def forward(self, view: View) -> Tensor:
        """Embed the nodes of ``view``."""
        hidden = self._layer(view, None, 0)
        for number in range(1, len(self.layers)):
            hidden = self._layer(view, hidden, number)
        return hidden

    def _layer(self, view: View, given: Tensor | None, number: int) -> Tensor:
        """One layer, from what the one before it gave, or from the view's features."""
        layer = cast("AttentionLayer", self.layers[number])
        weight = layer.weight
        projected = view.project(weight) if given is None else self.dropout(given) @ weight
        hidden: Tensor = layer(view, projected)
        if number < len(self.acts):
            hidden = self.acts[number](self.norms[number](hidden))
        return hidden if self.shortcuts is None else hidden + self.shortcuts[number](view, given)


def make_encoder(
    name: EncoderName,
    in_channels: int,
    channels: int,
    num_layers: int,
    act: ActivationName,
    norm: NormName,
    dropout: float,
    heads: int,
    residual: bool = False,
) -> nn.Module:
    """An encoder by its name, every layer as wide as the embedding.

    Linear propagation has hops for layers, and no use for the options of the others.
    """
    if name == "linear":
        return LinearPropagation(in_channels, channels, num_layers)
    widths = (in_channels, channels, channels, num_layers)
    if name == "gcn":
        return GCNEncoder(*widths, act=act, norm=norm, dropout=dropout, residual=residual)
    return GATEncoder(*widths, heads=heads, act=act, norm=norm, dropout=dropout, residual=residual)
