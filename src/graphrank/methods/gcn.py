"""GCN: two graph convolutions, trained on the labels of a few nodes.

Reference: Kipf & Welling, "Semi-Supervised Classification with Graph Convolutional Networks",
ICLR 2017. A convolution averages what a node and its neighbours have, each weighted by degree,
and multiplies it by learnt weights; two of them see two steps far.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar, cast

from torch import nn

from graphrank.methods.info import MethodInfo
from graphrank.methods.node_supervised import SupervisedNodeMethod
from graphrank.methods.options import Option
from graphrank.nn.encoders import GCNEncoder


@dataclass(kw_only=True, eq=False, repr=False)
class GCN(SupervisedNodeMethod):
    """Classes of nodes by graph convolutions, in time linear in nodes and edges."""

    info: ClassVar[MethodInfo] = MethodInfo(
        name="gcn",
        title="GCN",
        level="node",
        family="supervised",
        paper="Kipf & Welling, Semi-Supervised Classification with Graph Convolutional Networks, "
        "ICLR 2017",
        time="O((N+E)d)",
        memory="O((N+E)d)",
    )

    channels: Annotated[int, Option("width of the hidden layer", low=1)] = 16
    epochs: Annotated[int, Option("passes over the graph, at most", low=0)] = 200
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 0.01
    weight_decay: Annotated[float, Option("L2 penalty on the first layer", low=0)] = 5e-4
    patience: Annotated[
        int, Option("epochs without a better validation loss or accuracy before it stops", low=1)
    ] = 10

    def network(self, num_features: int, num_classes: int) -> nn.Module:
        """Two convolutions with a rectifier between them."""
        return GCNEncoder(
            num_features, self.channels, num_classes, num_layers=2, dropout=self.dropout
        )

    def penalized(self, network: nn.Module) -> Iterable[nn.Parameter]:
        """The first layer alone."""
        layers = cast("GCNEncoder", network)
        return (layers.weights[0], layers.biases[0])
