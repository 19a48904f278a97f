"""The graph isomorphism network: sums over neighbours and small MLPs, on views of a graph.

Reference: Xu, Hu, Leskovec & Jegelka, "How Powerful are Graph Neural Networks?", ICLR 2019.
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn

from graphrank.augment.views import View
from graphrank.nn.dropout import Dropout
from graphrank.nn.encoders import ACTIVATIONS, NORMS, ActivationName, NormName


class GINLayer(nn.Module):
    """``MLP((1 + eps) h_i + sum of h_j over kept neighbours j)``, then norm and activation.

    The first weight matrix of the MLP is applied before the sum, which is the same and lets the
    first layer multiply sparse features where they lie.

    Args:
        in_channels: width of the input.
        channels: width of the output, and within the MLP.
        mlp_layers: linear maps of the MLP; one alone leaves out its inner norm and activation.
        act: activation within the MLP and at the end.
        norm: normalisation at the end.
        inner_norm: the same normalisation within the MLP.
        act_first: the last activation before the last normalisation.
        normalized: GCN's normalised propagation in place of the sum.
        train_eps: learn ``eps``, which otherwise stays as it is.
        eps: how much more than a neighbour a node counts, at first.
    """

    def __init__(
        self,
        in_channels: int,
        channels: int,
        mlp_layers: int = 2,
        act: ActivationName = "relu",
        norm: NormName = "batch",
        inner_norm: bool = True,
        act_first: bool = False,
        normalized: bool = False,
        train_eps: bool = False,
        eps: float = 0.0,
    ) -> None:
        super().__init__()
        self.normalized = normalized
        # Batch normalisation takes a constant out again: a bias right before it would only drift,
        # on gradients that are nothing but rounding.
        cancels = [norm == "batch" and inner_norm] * (mlp_layers - 1)
        cancels += [norm == "batch" and not act_first]
        self.weight = nn.Parameter(torch.empty(in_channels, channels))
        self.bias = None if cancels[0] else nn.Parameter(torch.zeros(channels))
        self.eps = nn.Parameter(torch.full((), eps)) if train_eps else (eps or None)
        inner: list[nn.Module] = []
        for cancelled in cancels[1:]:
            inner += [NORMS[norm](channels)] if inner_norm else []
            inner += [ACTIVATIONS[act](), nn.Linear(channels, channels, bias=not cancelled)]
        last = [NORMS[norm](channels), ACTIVATIONS[act]()]
        self.rest = nn.Sequential(*inner, *(reversed(last) if act_first else last))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the first weights anew."""
        nn.init.xavier_uniform_(self.weight)
        if self.bias is not None:
            nn.init.zeros_(self.bias)

    def forward(self, view: View, hidden: Tensor | None) -> Tensor:
        """Embed the nodes of ``view``: from ``hidden``, or from its features where it is none."""
        mapped = view.project(self.weight) if hidden is None else hidden @ self.weight
        summed = view.propagate(mapped) if self.normalized else view.add_up(mapped)
        if self.eps is not None:
            summed = summed + self.eps * mapped
        out: Tensor = self.rest(summed if self.bias is None else summed + self.bias)
        return out


class GINEncoder(nn.Module):
    """Layers of :class:`GINLayer`; every layer's output is handed over.

    With one linear map a layer and normalised propagation it is a GCN with norm and activation
    after each layer.

    Args:
        in_channels: number of feature columns.
        channels: width of every layer.
        num_layers: number of layers.
        mlp_layers: linear maps of each layer's MLP.
        act: activation.
        norm: normalisation.
        inner_norm: normalisation within the MLPs as well.
        act_first: activation before normalisation at the end of a layer.
        normalized: GCN's normalised propagation in place of sums.
        train_eps: learn each layer's ``eps``.
        eps: how much more than a neighbour a node counts, at first.
        dropout: chance of a layer's input to be dropped in training, but for the features.
    """

    def __init__(
        self,
        in_channels: int,
        channels: int,
        num_layers: int = 3,
        *,
        mlp_layers: int = 2,
        act: ActivationName = "relu",
        norm: NormName = "batch",
        inner_norm: bool = True,
        act_first: bool = False,
        normalized: bool = False,
        train_eps: bool = False,
        eps: float = 0.0,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        widths = [in_channels, *[channels] * (num_layers - 1)]
        self.layers = nn.ModuleList(
            GINLayer(
                width, channels, mlp_layers, act, norm, inner_norm, act_first, normalized,
                train_eps, eps,
            )
            for width in widths
        )  # fmt: skip
        self.dropout = Dropout(dropout)

    def forward(self, view: View, inputs: Tensor | None = None) -> list[Tensor]:
        """``[nodes, channels]`` of every layer, the first layer first.

        Args:
            view: the edges, and the features where there are no ``inputs``.
            inputs: ``[nodes, in_channels]`` in place of the view's features.
        """
        first, *others = cast("list[GINLayer]", list(self.layers))
        outputs = [first(view, inputs)]
        for layer in others:
            outputs.append(layer(view, self.dropout(outputs[-1])))
        return outputs
