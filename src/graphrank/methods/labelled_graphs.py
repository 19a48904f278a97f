"""A set of graphs with the classes that a supervised method may learn from, and no others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from torch import Tensor

from graphrank.errors import DataError
from graphrank.methods.labelled import Parts, SeenLabels, seen_labels
from graphrank.nn.graph_batch import GraphBatch


@dataclass(frozen=True, eq=False)
class ClassifiedBatch(GraphBatch):
    """A batch of training graphs and the class of each.

    Args:
        features: the features of all nodes.
        adjacency: all edges.
        ptr: ``[graphs + 1]`` where the nodes of each graph begin.
        graph_class: ``[graphs]`` places in the classes that are learnt.
    """

    graph_class: Tensor


@dataclass(frozen=True, eq=False)
class LabelledGraphs(SeenLabels, GraphBatch):
    """What supervised training on graphs computes on: a set and :class:`SeenLabels` of it."""

    @classmethod
    def seen_in(cls, graphs: GraphBatch, y: Any, split: Parts) -> Self:
        """Take the classes of training and validation graphs; leave the rest behind.

        Args:
            graphs: the whole set.
            y: ``[graphs]`` whole numbers; a graph with a negative one has no class.
            split: whose classes may be seen.

        Raises:
            DataError: If the classes cannot be learnt from.
        """
        labels = seen_labels(y, split, graphs.num_graphs, "graph", graphs.device)
        found = cls(graphs.features, graphs.adjacency, graphs.ptr, *labels)
        members = found.train_class.bincount(minlength=found.classes.numel())
        if found.classes.numel() < 2:
            raise DataError(
                f"all training graphs have the class {int(found.classes[0])}; there is nothing to "
                "learn"
            )
        if not bool(members.all()):
            missing = int(found.classes[int(members.argmin())])
            raise DataError(
                f"class {missing} has validation graphs and no training graph to learn it from; "
                "choose another split or leave the class out"
            )
        return found

    def training_batch(self, places: Tensor) -> ClassifiedBatch:
        """Some training graphs with their classes.

        Args:
            places: ``[selected]`` places in :attr:`train`.
        """
        chosen = self.select(self.train[places])
        classes = self.train_class[places]
        return ClassifiedBatch(chosen.features, chosen.adjacency, chosen.ptr, classes)
