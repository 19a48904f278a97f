"""A fitted method as measures see it: its embedding, the graph, and how tasks score it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from torch import Tensor
from torch_geometric.data import Data

from graphrank.tasks.base import Task
from graphrank.tasks.clustering import Clustering
from graphrank.tasks.node_classification import NodeClassification

_CLASSIFICATION, _CLUSTERING = NodeClassification(), Clustering()


@dataclass(frozen=True)
class Fitted:
    """One fitted method, as measures see it.

    Args:
        embedding: ``[nodes, channels]``.
        data: the graph, with labels where it has them.
        seed: seed of the fit, which splits and k-means take as well.
        loss: loss of the last epoch; none where nothing was trained.
        seconds: wall-clock time of the fit.
    """

    embedding: Tensor
    data: Data
    seed: int = 0
    loss: float | None = None
    seconds: float = 0.0

    @cached_property
    def classification(self) -> dict[str, float]:
        """Test figures of the probe, computed once for all measures that need them."""
        return self._score(_CLASSIFICATION)

    @cached_property
    def clustering(self) -> dict[str, float]:
        """Figures of k-means, computed once for all measures that need them."""
        return self._score(_CLUSTERING)

    def _score(self, task: Task[Any]) -> dict[str, float]:
        """Figures of a task under the protocol that is usual on the graph."""
        split = task.split(self.data, task.protocol(None, self.data), self.seed)
        return task.evaluate(self.embedding, self.data, split, self.seed)


def judged_by(data: Data) -> tuple[str, dict[str, Any]]:
    """Name of the protocol that scores follow on a graph, and the options of their tasks."""
    labelled = data.get("y") is not None
    protocol = _CLASSIFICATION.default_protocol(data) if labelled else "label-free"
    return protocol, {**asdict(_CLASSIFICATION), **asdict(_CLUSTERING)}
