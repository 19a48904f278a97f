"""Encoder and decoder of an auto-encoder under masks: dropout before each layer, noise as input."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from graphrank.augment.views import View
from graphrank.nn.dropout import dropped_out


class NodeNetwork(nn.Module):
    """Layers on a node's features and noise, with dropout before each of them.

    Graph convolutions have no biases and ReLU between them, or after the only one; the layers of
    a perceptron have biases and tanh between them.

    Args:
        in_channels: number of feature columns.
        noise_channels: bits of noise beside them.
        hidden_channels: width of the inner layers.
        out_channels: width of the output.
        num_layers: number of layers.
        dropout: chance of an input to be dropped in training.
        spreads: graph convolutions, or else a perceptron.
    """

    def __init__(
        self,
        in_channels: int,
        noise_channels: int,
        hidden_channels: int,
        out_channels: int,
        num_layers: int,
        dropout: float,
        spreads: bool,
    ) -> None:
        super().__init__()
        widths = [
            noise_channels + in_channels,
            *[hidden_channels] * (num_layers - 1),
            out_channels,
        ]
        self.weights = nn.ParameterList(torch.empty(a, b) for a, b in pairwise(widths))
        self.biases = nn.ParameterList(torch.empty(b) for b in widths[1:] if not spreads)
        self.noise_channels, self.dropout, self.spreads = noise_channels, dropout, spreads
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weights anew; those of a perceptron as torch's linear layers."""
        for weight in self.weights:
            if self.spreads:
                nn.init.xavier_uniform_(weight)
            else:
                nn.init.uniform_(weight, -(weight.size(0) ** -0.5), weight.size(0) ** -0.5)
        for weight, bias in zip(self.weights, self.biases, strict=False):
            nn.init.uniform_(bias, -(weight.size(0) ** -0.5), weight.size(0) ** -0.5)

    def forward(self, view: View, noise: Tensor | None = None) -> Tensor:
        """``[nodes, out_channels]`` from the view's features and ``[nodes, noise_channels]``."""
        return self._continued(view, self._seen(view), noise)

    def under_each(self, view: View, noises: Sequence[Tensor]) -> list[Tensor]:
        """:meth:`forward` for one noise after another.

        What the features give is computed once for all of them, unless each has a dropout of its
        own.
        """
        if self.training and self.dropout > 0:
            return [self(view, noise) for noise in noises]
        seen = self._seen(view)
        return [self._continued(view, seen, noise) for noise in noises]

    def _seen(self, view: View) -> Tensor:
        """What the features give in the first layer, before noise and activation."""
        features = view.graph.features
        if self.training and self.dropout > 0:
            features = features.dropped_out(self.dropout)
        return self._spread(view, features.project(self.weights[0][self.noise_channels :]))

    def _continued(self, view: View, seen: Tensor, noise: Tensor | None) -> Tensor:
        """The output, from what the features give in the first layer."""
        first, *others = self.weights
        if noise is not None:
            # Spread before it is mapped: it is narrower so.
            spread = self._spread(view, self._dropped(noise))
            seen = seen + spread @ first[: self.noise_channels]
        hidden = self._activated(seen, 0)
        for number, weight in enumerate(others, start=1):
            hidden = self._activated(self._spread(view, self._dropped(hidden) @ weight), number)
        return hidden

    def _dropped(self, inputs: Tensor) -> Tensor:
        return dropped_out(inputs, self.dropout, self.training)

    def _spread(self, view: View, hidden: Tensor) -> Tensor:
        return view.propagate(hidden) if self.spreads else hidden

    def _activated(self, hidden: Tensor, number: int) -> Tensor:
        """What follows the product of a layer."""
        is_last = number == len(self.weights) - 1
        if self.spreads:
            return hidden if is_last and number > 0 else torch.relu(hidden)
        hidden = hidden + self.biases[number]
        return hidden if is_last else torch.tanh(hidden)


class FeatureDecoder(nn.Module):
    """Graph convolutions from what is known of a node to factors of its features.

    The last convolution, ``A H W``, is left as the two factors ``A H`` and ``W``: their product
    is as large as the features.

    Args:
        in_channels: width of the input.
        hidden_channels: width of the inner layers.
        out_channels: number of feature columns.
        num_layers: number of convolutions.
        dropout: chance of an input to be dropped in training.
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        num_layers: int,
        dropout: float,
    ) -> None:
        super().__init__()
        widths = [in_channels, *[hidden_channels] * (num_layers - 1), out_channels]
        self.weights = nn.ParameterList(torch.empty(a, b) for a, b in pairwise(widths))
        self.dropout = dropout
        for weight in self.weights:
            nn.init.xavier_uniform_(weight)

    @property
    def is_rectified(self) -> bool:
        """Whether the product passes a ReLU: after the only convolution, as in the encoder."""
        return len(self.weights) == 1

    def forward(self, view: View, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """Factors ``[nodes, width]`` and ``[features, width]``."""
        *inner, last = self.weights
        for weight in inner:
            hidden = torch.relu(view.propagate(self._dropped(hidden) @ weight))
        return view.propagate(self._dropped(hidden)), last.T

    def _dropped(self, inputs: Tensor) -> Tensor:
        return dropped_out(inputs, self.dropout, self.training)
