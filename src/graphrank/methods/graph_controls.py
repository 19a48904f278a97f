"""Controls for whole graphs: what is had without any training. Only what beats them counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from graphrank.data.graph_features import DEGREE_CAP
from graphrank.methods.graph_level import GraphLevelMethod
from graphrank.methods.graphrank_graph import GraphRankGraph, GraphRankGraphModule
from graphrank.methods.info import MethodInfo
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.pooling import sum_pool
from graphrank.training.history import History
from graphrank.training.loop import Run


@dataclass(kw_only=True, eq=False, repr=False)
class UntrainedGIN(GraphRankGraph):
    """GraphRank's own encoder and readout for graphs, with random weights: all but the training."""

    info: ClassVar[MethodInfo] = MethodInfo(
        name="untrained-gin",
        title="Untrained GIN",
        level="graph",
        family="control",
        paper="none",
        time="O(0)",
        memory="O((N+E)d), N and E of a batch",
    )

    def learn(self, module: GraphRankGraphModule, graph: GraphInput, run: Run) -> History:
        """Leave the weights as they were drawn; only means and deviations of the set are taken."""
        self.settle(module, graph)
        return History()


@dataclass(kw_only=True, eq=False, repr=False)
class DegreeHistogram(GraphLevelMethod[nn.Module]):
    """How many nodes of a graph have each degree: no labels, no neighbours of neighbours."""

    info: ClassVar[MethodInfo] = MethodInfo(
        name="degree-histogram",
        title="Degree histogram",
        level="graph",
        family="control",
        paper="none",
        time="O(N)",
        memory="O(N)",
    )

    def build(self, num_features: int) -> nn.Module:
        """Nothing to build."""
        return nn.Module()

    def encode_graphs(self, module: nn.Module, batch: GraphBatch) -> Tensor:
        """``[graphs, 401]`` counts; degrees past 400 share the last column."""
        columns = DEGREE_CAP + 1
        degree = (batch.adjacency.pattern.row_pointer.diff() - 1).clamp_max(DEGREE_CAP)
        place = batch.graph_of_node * columns + degree
        counts = torch.bincount(place, minlength=batch.num_graphs * columns)
        return counts.view(batch.num_graphs, columns).to(batch.features.dtype)


@dataclass(kw_only=True, eq=False, repr=False)
class LabelHistogram(GraphLevelMethod[nn.Module]):
    """How often each node label occurs in a graph: the sum of its nodes' features, no edges."""

    info: ClassVar[MethodInfo] = MethodInfo(
        name="label-histogram",
        title="Label histogram",
        level="graph",
        family="control",
        paper="none",
        time="O(NF)",
        memory="O(NF), N of a batch",
    )

    def build(self, num_features: int) -> nn.Module:
        """Nothing to build."""
        return nn.Module()

    def encode_graphs(self, module: nn.Module, batch: GraphBatch) -> Tensor:
        """``[graphs, features]``; without node labels they are the set's features or degrees."""
        return sum_pool(batch.features.to_dense(), batch)
