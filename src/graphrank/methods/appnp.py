"""APPNP: predict first, then propagate the predictions by personalised PageRank.

Reference: Gasteiger (Klicpera), Bojchevski & Günnemann, "Predict then Propagate: Graph Neural
Networks meet Personalized PageRank", ICLR 2019. A perceptron scores each node by its own features;
the scores are spread over many steps, at each of which a share of the node's own comes back, so
that far neighbours count without blurring the near ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar, cast

import torch
from torch import Tensor, nn

from graphrank.augment.views import View
from graphrank.methods.info import MethodInfo
from graphrank.methods.node_supervised import SupervisedNodeMethod
from graphrank.methods.options import Option
from graphrank.nn.dropout import Dropout
from graphrank.nn.readout import diffusion


class PropagatedPerceptron(nn.Module):
    """A perceptron without biases, its scores spread by personalised PageRank.

    Args:
        num_features: number of feature columns.
        channels: width of the hidden layer.
        num_classes: number of class scores.
        teleport: share of a node's own scores at each step.
        steps: number of steps.
        dropout: chance of a hidden activation, and of an edge in each step, to be dropped in
            training.
    """

    def __init__(
        self,
        num_features: int,
        channels: int,
        num_classes: int,
        teleport: float,
        steps: int,
        dropout: float,
    ) -> None:
        super().__init__()
        self.hidden = nn.Parameter(torch.empty(num_features, channels))
        self.output = nn.Parameter(torch.empty(channels, num_classes))
        self.teleport, self.steps = teleport, steps
        self.dropout = Dropout(dropout)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weights anew."""
        for weight in (self.hidden, self.output):
            nn.init.xavier_uniform_(weight)

    def forward(self, view: View) -> Tensor:
        """Class scores, ``[nodes, classes]``."""
        own = self.dropout(torch.relu(view.project(self.hidden))) @ self.output
        edge_dropout = self.dropout.share if self.training else 0.0
        return diffusion(view, own, self.teleport, self.steps, edge_dropout)


@dataclass(kw_only=True, eq=False, repr=False)
class APPNP(SupervisedNodeMethod):
    """Classes of nodes by a perceptron and personalised PageRank."""

    info: ClassVar[MethodInfo] = MethodInfo(
        name="appnp",
        title="APPNP",
        level="node",
        family="supervised",
        paper="Gasteiger et al., Predict then Propagate, ICLR 2019",
        time="O(Nd+KEC), K steps, C classes",
        memory="O(Nd+E)",
    )

    channels: Annotated[int, Option("width of the hidden layer", low=1)] = 64
    dropout: Annotated[
        float,
        Option("dropout on features, hidden activations and edges of each step", low=0, below=1),
    ] = 0.5
    steps: Annotated[int, Option("steps of propagation", low=0)] = 10
    teleport: Annotated[
        float, Option("share of a node's own scores at each step", low=0, high=1)
    ] = 0.1
    epochs: Annotated[int, Option("passes over the graph, at most", low=0)] = 10_000
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 0.01
    weight_decay: Annotated[float, Option("L2 penalty on the first layer", low=0)] = 5e-3

    def network(self, num_features: int, num_classes: int) -> nn.Module:
        """One hidden layer, then the propagation."""
        return PropagatedPerceptron(
            num_features, self.channels, num_classes, self.teleport, self.steps, self.dropout
        )

    def penalized(self, network: nn.Module) -> Iterable[nn.Parameter]:
        """The first layer alone."""
        return (cast("PropagatedPerceptron", network).hidden,)
