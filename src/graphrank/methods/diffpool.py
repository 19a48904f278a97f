"""DiffPool: graphs shrunk by learnt soft clusters, trained on the classes of some graphs.

Reference: Ying, You, Morris, Ren, Hamilton & Leskovec, "Hierarchical Graph Representation Learning
with Differentiable Pooling", NeurIPS 2018. One network embeds the nodes and another assigns them
to a few clusters; the clusters and the edges between them are a smaller graph, on which the same
begins again, until what is left is read out and classified.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from graphrank.methods.graph_supervised import SupervisedGraphMethod, known_classes
from graphrank.methods.info import MethodInfo
from graphrank.methods.labelled_graphs import LabelledGraphs
from graphrank.methods.options import Option
from graphrank.methods.supervised import Classifier
from graphrank.nn.diffpool import DiffPoolNetwork, PooledScores
from graphrank.nn.graph_batch import GraphBatch
from graphrank.training.checkpoint import StoredModel
from graphrank.training.clipping import clipped


@dataclass(kw_only=True, eq=False, repr=False)
class DiffPool(SupervisedGraphMethod):
    """Classes of graphs by pooling into learnt clusters."""

    info: ClassVar[MethodInfo] = MethodInfo(
        name="diffpool",
        title="DiffPool",
        level="graph",
        family="supervised",
        paper="Ying et al., Hierarchical Graph Representation Learning with Differentiable "
        "Pooling, NeurIPS 2018",
        time="O(N(d+k)d+E(d+k)+Nk²), k clusters",
        memory="O(N(d+k)+E+Bk²), N and E of a batch of B graphs",
    )

    channels: Annotated[int, Option("width of each layer", low=1)] = 20
    num_layers: Annotated[int, Option("layers before and after each pooling", low=1)] = 3
    poolings: Annotated[int, Option("how often a graph is shrunk", low=1)] = 1
    assign_ratio: Annotated[
        float, Option("clusters of a pooling, as a share of the largest graph", low=0, high=1)
    ] = 0.1
    max_clusters: Annotated[
        int, Option("clusters at most, however large a graph; bounds the memory", low=1)
    ] = 100
    hidden_channels: Annotated[int, Option("hidden width of the classifier", low=1)] = 50
    link_weight: Annotated[float, Option("weight of the loss that joins neighbours", low=0)] = 1.0
    entropy_weight: Annotated[float, Option("weight of undecided assignments", low=0)] = 1.0
    epochs: Annotated[int, Option("passes over the training graphs", low=0)] = 100
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 1e-3
    batch_graphs: Annotated[int, Option("graphs of a training batch at most", low=1)] = 20
    patience: Annotated[
        int, Option("epochs without a better validation loss or accuracy before it stops", low=1)
    ] = 30
    clip: Annotated[float, Option("length of the gradient at most; 0: any", low=0)] = 2.0

    def look_at(self, graphs: LabelledGraphs) -> None:
        """Count the clusters of every pooling, by the largest training graph."""
        count = min(
            int(self.assign_ratio * int(graphs.sizes[graphs.train].max())), self.max_clusters
        )
        self.clusters_: list[int] = []
        for _ in range(self.poolings):
            self.clusters_.append(max(1, count))
            count = int(self.assign_ratio * count)

    def network(self, num_features: int, num_classes: int) -> nn.Module:
        """GraphSAGE between poolings, maxima of all levels, a perceptron."""
        return DiffPoolNetwork(
            num_features,
            self.channels,
            self.num_layers,
            self.clusters_,
            self.hidden_channels,
            num_classes,
        )

    def optimizer(self, module: Classifier) -> torch.optim.Optimizer:
        """Adam on gradients of bounded length."""
        optimizer = super().optimizer(module)
        return clipped(optimizer, self.clip) if self.clip > 0 else optimizer

    def graph_loss(self, module: Classifier, batch: GraphBatch) -> Tensor:
        """Cross-entropy, and what makes clusters of neighbours and decided ones."""
        pooled: PooledScores = module.network(batch)
        loss = F.cross_entropy(pooled.scores, known_classes(batch))
        loss = loss + self.link_weight * pooled.link_loss
        return loss + self.entropy_weight * pooled.entropy

    def encode_graphs(self, module: Classifier, batch: GraphBatch) -> Tensor:
        """Class scores, ``[graphs, classes]``."""
        pooled: PooledScores = module.network(batch)
        return pooled.scores

    def _restore(self, stored: StoredModel) -> None:
        """The clusters first: the network's shape depends on them."""
        sizes = {
            name: weight.size(0)
            for name, weight in stored.weights.items()
            if name.startswith("network.to_clusters.") and name.endswith(".bias")
        }
        self.clusters_ = [sizes[f"network.to_clusters.{level}.bias"] for level in range(len(sizes))]
        super()._restore(stored)
