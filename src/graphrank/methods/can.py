"""CAN: nodes and their attributes embedded in one space, each as a Gaussian.

Reference: Meng, Liang, Bao & Zhang, "Co-Embedding Attributed Networks", WSDM 2019.

A variational auto-encoder with two encoders, graph convolutions for the nodes and a perceptron for
the attributes, and two products for decoders: of nodes with nodes, which rebuilds the links, and
of nodes with attributes, which rebuilds the features.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import torch
from torch import Tensor, nn

from graphrank.augment.views import View, clean_view
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.attribute_reconstruction import (
    AttributeLossName,
    attribute_cost,
    attribute_loss_of,
)
from graphrank.nn.edge_reconstruction import link_cost
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.reconstruction import ReconstructionName, form_of, log_form
from graphrank.nn.variational import gaussian_kl, reparametrised


class NodeEncoder(nn.Module):
    """Two graph convolutions without biases: mean and log-deviation share the first.

    Args:
        in_channels: number of feature columns.
        hidden_channels: width between the convolutions.
        out_channels: width of the embedding.
    """

    def __init__(self, in_channels: int, hidden_channels: int, out_channels: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_channels, hidden_channels))
        self.to_mean = nn.Parameter(torch.empty(hidden_channels, out_channels))
        self.to_log_std = nn.Parameter(torch.empty(hidden_channels, out_channels))
        for parameter in self.parameters():
            nn.init.xavier_uniform_(parameter)

    def forward(self, view: View) -> tuple[Tensor, Tensor]:
        """Mean and logarithm of the deviation of each node, ``[nodes, out_channels]`` each."""
        hidden = torch.relu(view.propagate(view.project(self.weight)))
        around = view.propagate(hidden)
        return around @ self.to_mean, around @ self.to_log_std


class AttributeEncoder(nn.Module):
    """A perceptron on the columns of the features: an attribute is the nodes that have it.

    Its input is as wide as the graph has nodes. The first weights are therefore made when the
    graph is known, or by the weights of a stored model; embedding nodes does not need them.

    Args:
        hidden_channels: width of the hidden layer.
        out_channels: width of the embedding.
    """

    def __init__(self, hidden_channels: int, out_channels: int) -> None:
        super().__init__()
        self.first = nn.LazyLinear(hidden_channels)
        self.to_mean = nn.Linear(hidden_channels, out_channels)
        self.to_log_std = nn.Linear(hidden_channels, out_channels)
        for layer in (self.to_mean, self.to_log_std):
            _draw(layer)

    def size_for(self, graph: GraphInput) -> None:
        """Make the first weights, one row of them for each node of the graph."""
        self.first.initialize_parameters(torch.empty(0, graph.num_nodes, device=graph.device))
        _draw(self.first)

    def forward(self, features: FeatureMatrix) -> tuple[Tensor, Tensor]:
        """Mean and log-deviation of each attribute, ``[features, out_channels]`` each."""
        projected = features.project_transposed(self.first.weight.T) + self.first.bias
        hidden = torch.tanh(projected)
        return self.to_mean(hidden), self.to_log_std(hidden)


class CANModule(nn.Module):
    """The encoders of nodes and of attributes."""

    def __init__(self, nodes: NodeEncoder, attributes: AttributeEncoder) -> None:
        super().__init__()
        self.nodes, self.attributes = nodes, attributes


@dataclass(kw_only=True, eq=False, repr=False)
class CAN(TrainedMethod[CANModule]):
    """Embeddings of nodes beside those of their attributes, from which both are rebuilt."""

    info: ClassVar[MethodInfo] = MethodInfo(
        name="can",
        title="CAN",
        level="node",
        family="generative",
        paper="Meng et al., Co-Embedding Attributed Networks, WSDM 2019",
        time="O(N(N+F)d); sampled: O((E+X)d), X non-zero features",
        memory="O((N+F)d+E+X)",
    )

    hidden_channels: Annotated[int, Option("width of both hidden layers", low=1)] = 64
    channels: Annotated[int, Option("width of the embedding", low=1)] = 32
    reconstruction: Annotated[
        ReconstructionName,
        Option("compare all pairs (dense) or a sample of them; auto: by their number"),
    ] = "auto"
    attribute_loss: Annotated[
        AttributeLossName,
        Option("attributes are there or not (bce) or numbers (mse); auto: mse if most are filled"),
    ] = "auto"
    epochs: Annotated[int, Option("passes over the graph", low=0)] = 200
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 0.01

    def build(self, num_features: int) -> CANModule:
        """Both encoders; that of the attributes waits for the number of nodes."""
        nodes = NodeEncoder(num_features, self.hidden_channels, self.channels)
        return CANModule(nodes, AttributeEncoder(self.hidden_channels, self.channels))

    def initialize(self, module: CANModule, graph: GraphInput) -> None:
        """Size the attributes' encoder, and say how much is compared."""
        module.attributes.size_for(graph)
        for what, shape in (
            ("links", graph.adjacency.pattern.shape),
            ("features", graph.features.shape),
        ):
            log_form(f"{self.info.title}: {what}", form_of(self.reconstruction, shape), shape)

    def training_step(self, module: CANModule, graph: GraphInput) -> Tensor:
        """Sample both embeddings, rebuild links and features, and stay near the prior."""
        node_mean, node_log_std = module.nodes(clean_view(graph))
        mean, log_std = module.attributes(graph.features)
        node = reparametrised(node_mean, node_log_std)
        links = link_cost(
            graph.adjacency, node, form_of(self.reconstruction, graph.adjacency.pattern.shape)
        )
        attributes = attribute_cost(
            graph.features,
            node,
            reparametrised(mean, log_std),
            form_of(self.reconstruction, graph.features.shape),
            loss=attribute_loss_of(self.attribute_loss, graph.features),
        )
        node_kl = gaussian_kl(node_mean, node_log_std).mean() / graph.num_nodes
        return links + attributes + node_kl + gaussian_kl(mean, log_std).mean() / graph.num_features

    def encode(self, module: CANModule, graph: GraphInput) -> Tensor:
        """The means of the nodes."""
        mean: Tensor = module.nodes(clean_view(graph))[0]
        return mean


def _draw(layer: nn.Linear) -> None:
    """Weights as the authors draw them, no biases to begin with."""
    nn.init.xavier_uniform_(layer.weight)
    nn.init.zeros_(layer.bias)
