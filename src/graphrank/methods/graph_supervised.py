"""Supervised methods of whole graphs: ``fit(graphs, y, split)``, a set with some classes known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import torch
import torch.nn.functional as F
from torch import Tensor

from graphrank.methods.graph_level import FeatureChoosingMethod, as_batch
from graphrank.methods.labelled import Parts
from graphrank.methods.labelled_graphs import ClassifiedBatch, LabelledGraphs
from graphrank.methods.supervised import Classifier, SupervisedMethod
from graphrank.nn.graph_batch import GraphBatch, split_by_size
from graphrank.nn.graph_input import GraphInput
from graphrank.training.loop import Run


# The supervised contract first: its stops replace those of methods without labels.
@dataclass(kw_only=True, eq=False, repr=False)
class SupervisedGraphMethod(SupervisedMethod, FeatureChoosingMethod[Classifier]):
    """Base of all methods that learn classes of graphs from those of some.

    The network is one from a batch of graphs to ``[graphs, classes]``, and the scores of a graph
    must not depend on what else is in the batch. After :meth:`fit`: ``prediction_`` ``[graphs]`` in
    the order of the set, ``classes_``, ``history_``, ``module_``.
    """

    def fit(
        self, data: Any, y: Any = None, split: Parts | None = None, *, run: Run | None = None
    ) -> Self:
        """Learn classes from those of the training graphs.

        Args:
            data: a ``GraphSet``, a list of graphs, a path or the name of a dataset; classes in it
                are not looked at.
            y: ``[graphs]`` whole numbers, negative where a graph has no class.
            split: training graphs, validation graphs to choose the epoch by, and test graphs,
                whose classes are not looked at; such as a
                :class:`~graphrank.data.graph_splits.GraphSplit`.
            run: where to save checkpoints, whether to resume, what to call after each epoch.
        """
        if y is None or split is None:
            raise self._lacks_labels("graphs", "classes", "graphs")
        graphs = LabelledGraphs.seen_in(as_batch(self._prepare(data)), y, split)
        self.look_at(graphs)
        self._learn_classes(graphs, run)
        return self

    def look_at(self, graphs: LabelledGraphs) -> None:
        """Remember what the network's shape depends on besides features and classes."""

    def batches(self, graph: GraphInput) -> Iterator[GraphInput]:
        """All training graphs once, shuffled by torch's global random state."""
        graphs = with_labels(graph)
        yield from self.cut(graphs, torch.randperm(graphs.train.numel()))

    def cut(self, graphs: LabelledGraphs, order: Tensor) -> Iterator[ClassifiedBatch]:
        """Some training graphs in batches of bounded size.

        Args:
            graphs: the whole set.
            order: ``[chosen]`` places among the training graphs.
        """
        sizes = graphs.sizes[graphs.train]
        for part in split_by_size(
            order.to(graphs.device), sizes, self.batch_graphs, self.batch_nodes
        ):
            yield graphs.training_batch(part)

    def graph_loss(self, module: Classifier, batch: GraphBatch) -> Tensor:
        """Cross-entropy of the batch."""
        return F.cross_entropy(module.network(batch), known_classes(batch))

    def encode_graphs(self, module: Classifier, batch: GraphBatch) -> Tensor:
        """Class scores, ``[graphs, classes]``."""
        scores: Tensor = module.network(batch)
        return scores

    def scores_of(self, module: Classifier, graph: GraphInput, chosen: Tensor) -> Tensor:
        """Class scores of some graphs alone."""
        return self.encode(module, as_batch(graph).select(chosen))


def known_classes(batch: GraphBatch) -> Tensor:
    """``[graphs]`` classes of a training batch."""
    if not isinstance(batch, ClassifiedBatch):
        raise AssertionError("supervised steps run on graphs of known class")
    return batch.graph_class


def with_labels(graph: GraphInput) -> LabelledGraphs:
    """The input as the set of graphs with some classes that it is in supervised training."""
    if not isinstance(graph, LabelledGraphs):
        raise AssertionError("supervised training runs on a set with labels")
    return graph
