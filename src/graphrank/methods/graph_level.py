"""The contract of methods that embed whole graphs of a set.

What :class:`~graphrank.methods.base.Method` is for the nodes of one graph, these are for sets: the
same options, loop, checkpoints and files. A method says how a batch of graphs becomes embeddings
(:meth:`GraphLevelMethod.encode_graphs`) and, where it is trained, what a batch loses
(:meth:`TrainedGraphMethod.graph_loss`); batches of bounded size are made here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, cast

import torch
from torch import Tensor

from graphrank.data import GraphSet, fingerprint, without_labels
from graphrank.data.graph_features import GraphFeatures, GraphFeatureSource, MissingFeatures
from graphrank.methods.base import Method, ModuleT
from graphrank.methods.inputs import graph_set
from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.graph_batch import GraphBatch, split_by_size
from graphrank.nn.graph_input import GraphInput
from graphrank.training.device import resolve_device


@dataclass(kw_only=True, eq=False, repr=False)
class GraphLevelMethod(Method[ModuleT]):
    """Base of all methods that turn a set of graphs without labels into one embedding a graph.

    :meth:`fit` and :meth:`transform` take a ``GraphSet``, a list of PyG or networkx graphs, a path
    or the name of a dataset. After :meth:`fit`: ``embedding_`` ``[graphs, channels]`` in the order
    of the set, ``history_``, ``module_``.
    """

    batch_nodes: Annotated[
        int, Option("nodes of a batch at most, but for a larger graph; bounds the memory", low=1)
    ] = 20_000

    @abstractmethod
    def encode_graphs(self, module: ModuleT, batch: GraphBatch) -> Tensor:
        """Embed clean graphs: ``[graphs, channels]``, called without gradients.

        The embedding of a graph must not depend on what else is in its batch.
        """

    def encode(self, module: ModuleT, graph: GraphInput) -> Tensor:
        """:meth:`encode_graphs` of all graphs, batch by batch, in the order of the set."""
        graphs = as_batch(graph)
        parts = (graphs.select(part) for part in self.in_order(graphs))
        return torch.cat([self.encode_graphs(module, part) for part in parts])

    def in_order(self, graphs: GraphBatch) -> Iterator[Tensor]:
        """All graphs in the order of the set, in parts that bound the memory."""
        order = torch.arange(graphs.num_graphs, device=graphs.device)
        return split_by_size(order, graphs.sizes, graphs.num_graphs, self.batch_nodes)

    def _prepare(self, data: Any) -> GraphInput:
        """What training computes on; what it needs to know of other sets is remembered."""
        visible = without_labels(graph_set(data))
        features = self._features_of(visible)
        self.feature_names_ = None if features.label_names is None else list(features.label_names)
        self.feature_source_ = features.source
        self.num_features_ = features.columns
        x = features.matrix(visible)
        self.scaling_ = self._measure_scaling(x)
        self.fingerprint_ = fingerprint(visible)
        return self._packed(visible, x)

    def _features_of(self, graphs: GraphSet) -> GraphFeatures:
        """What the nodes of the set have for features."""
        return GraphFeatures.of(graphs)

    def _known_input(self, data: Any) -> GraphInput:
        """A set of graphs, seen or unseen, with features as the model was trained on."""
        self._check_fitted()
        visible = without_labels(graph_set(data))
        source = cast("GraphFeatureSource", self.feature_source_)
        features = GraphFeatures(source, self.num_features_, self.feature_names_)
        return self._packed(visible, features.matrix(visible))

    def _look_for_collapse(self, embedding: Tensor) -> None:
        # Sums over nodes grow with a graph and point one way: only what differs is looked at.
        spread = embedding.std(dim=0, correction=0).clamp_min(1e-12)
        super()._look_for_collapse((embedding - embedding.mean(dim=0)) / spread)

    def _packed(self, graphs: GraphSet, x: Tensor) -> GraphBatch:
        device = resolve_device(self.device)
        return GraphBatch.of(self._scaled(x), graphs.edge_index, graphs.ptr, device)


@dataclass(kw_only=True, eq=False, repr=False)
class TrainedGraphMethod(GraphLevelMethod[ModuleT], TrainedMethod[ModuleT]):
    """A graph-level method that minimises a loss by gradient steps over shuffled batches."""

    batch_graphs: Annotated[int, Option("graphs of a training batch at most", low=1)] = 32
    epochs: Annotated[int, Option("passes over the set", low=0)] = 20

    @abstractmethod
    def graph_loss(self, module: ModuleT, batch: GraphBatch) -> Tensor:
        """The loss of one batch of graphs, a scalar with gradient."""

    def training_step(self, module: ModuleT, graph: GraphInput) -> Tensor:
        """:meth:`graph_loss` of one batch."""
        return self.graph_loss(module, as_batch(graph))

    def batches(self, graph: GraphInput) -> Iterator[GraphInput]:
        """All graphs once, shuffled by torch's global random state, in batches of bounded size."""
        graphs = as_batch(graph)
        order = torch.randperm(graphs.num_graphs).to(graphs.device)
        for part in split_by_size(order, graphs.sizes, self.batch_graphs, self.batch_nodes):
            yield graphs.select(part)


@dataclass(kw_only=True, eq=False, repr=False)
class FeatureChoosingMethod(TrainedGraphMethod[ModuleT]):
    """A trained method whose authors had a choice where nodes have no features of their own."""

    missing_features: Annotated[
        MissingFeatures,
        Option(
            "where the set has neither node features nor labels: a column for each degree, or "
            "the same constant for every node"
        ),
    ] = "degree"

    def _features_of(self, graphs: GraphSet) -> GraphFeatures:
        return GraphFeatures.of(graphs, self.missing_features)


def as_batch(graph: GraphInput) -> GraphBatch:
    """The graph as the pack of graphs that it is, at graph level."""
    if not isinstance(graph, GraphBatch):
        raise AssertionError("graph-level methods run on packs of graphs")
    return graph
