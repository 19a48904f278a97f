"""GIN: sums over neighbours and small networks, trained on the classes of some graphs.

Reference: Xu, Hu, Leskovec & Jegelka, "How Powerful are Graph Neural Networks?", ICLR 2019. A sum
over neighbours keeps what a mean or a maximum forgets, how often something occurs; a network that
sums and is deep enough tells apart all graphs that the Weisfeiler-Lehman test tells apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import torch
from torch import Tensor, nn

from graphrank.augment.views import clean_view
from graphrank.methods.graph_supervised import SupervisedGraphMethod, with_labels
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.dropout import Dropout
from graphrank.nn.gin import GINEncoder
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.pooling import POOLINGS


class GINClassifier(nn.Module):
    """Class scores of every level, the features among them, added up.

    Args:
        encoder: from a view to the outputs of all layers.
        num_features: number of feature columns.
        channels: width of the encoder's layers.
        num_classes: number of class scores.
        pooling: ``sum`` or ``mean`` over the nodes of a graph.
        dropout: chance of a level's score of a class to be dropped in training.
    """

    def __init__(
        self,
        encoder: GINEncoder,
        num_features: int,
        channels: int,
        num_classes: int,
        pooling: str,
        dropout: float,
    ) -> None:
        super().__init__()
        self.encoder, self.pool = encoder, POOLINGS[pooling]
        self.of_features = nn.Linear(num_features, num_classes)
        self.of_layers = nn.ModuleList(nn.Linear(channels, num_classes) for _ in encoder.layers)
        self.dropout = Dropout(dropout)

    def forward(self, batch: GraphBatch) -> Tensor:
        """``[graphs, classes]``."""
        view = clean_view(batch)
        # Pooling is linear: sparse features are mapped where they lie and pooled afterwards.
        mapped = view.project(self.of_features.weight.T)
        scores: Tensor = self.dropout(self.pool(mapped, batch) + self.of_features.bias)
        for hidden, classify in zip(self.encoder(view), self.of_layers, strict=True):
            scores = scores + self.dropout(classify(self.pool(hidden, batch)))
        return scores


@dataclass(kw_only=True, eq=False, repr=False)
class GIN(SupervisedGraphMethod):
    """Classes of graphs by sums over neighbours, in time linear in nodes and edges."""

    info: ClassVar[MethodInfo] = MethodInfo(
        name="gin",
        title="GIN",
        level="graph",
        family="supervised",
        paper="Xu et al., How Powerful are Graph Neural Networks?, ICLR 2019",
        time="O((N+E)d)",
        memory="O((N+E)d), N and E of a batch",
        draws_epochs=True,
    )

    channels: Annotated[int, Option("width of each layer", low=1)] = 64
    num_layers: Annotated[int, Option("levels that are read out, features among them", low=2)] = 5
    pooling: Annotated[Literal["sum", "mean"], Option("from nodes to their graph")] = "sum"
    dropout: Annotated[float, Option("dropout on the scores of each level", low=0, below=1)] = 0.5
    epochs: Annotated[int, Option("epochs of `steps` batches", low=0)] = 100
    steps: Annotated[
        int, Option("batches of an epoch, each drawn anew; 0: all training graphs once", low=0)
    ] = 20
    learning_rate: Annotated[float, Option("step size of Adam at first", low=0)] = 0.01
    halve_every: Annotated[int, Option("epochs until the learning rate halves", low=1)] = 50
    patience: Annotated[
        int, Option("epochs without a better validation loss or accuracy before it stops", low=1)
    ] = 50

    def network(self, num_features: int, num_classes: int) -> nn.Module:
        """Layers of two-layer perceptrons on sums, all of them read out."""
        encoder = GINEncoder(num_features, self.channels, self.num_layers - 1)
        return GINClassifier(
            encoder, num_features, self.channels, num_classes, self.pooling, self.dropout
        )

    def batches(self, graph: GraphInput) -> Iterator[GraphInput]:
        """As many random batches as an epoch has, or one pass over the training graphs."""
        if self.steps == 0:
            yield from super().batches(graph)
            return
        graphs = with_labels(graph)
        for _ in range(self.steps):
            drawn = torch.randperm(graphs.train.numel())[: self.batch_graphs]
            yield from self.cut(graphs, drawn)

    def learning_rate_at(self, epoch: int) -> float:
        """Halved every so many epochs."""
        return float(self.learning_rate * 0.5 ** (epoch // self.halve_every))
