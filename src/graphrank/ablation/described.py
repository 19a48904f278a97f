"""A fitted embedding with what can be said of it without any label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from graphrank.ablation.figures import Graphs
from graphrank.analysis.label_free import alignment, effective_rank, mean_similarity, uniformity
from graphrank.data import GraphSet
from graphrank.measure import Measured, measured
from graphrank.methods.base import Method
from graphrank.training.loop import Run

_MEASURES = {
    "effective_rank": effective_rank,
    "uniformity": uniformity,
    "mean_similarity": mean_similarity,
}
_EDGES = 2048

CRITERIA = {
    "effective_rank": "effective rank",
    "uniformity": "uniformity",
    "mean_similarity": "mean similarity",
    "alignment": "alignment of neighbours",
    "loss": "final loss",
}
"""What is said of every embedding, and what to call it."""

OF_NODES = ("alignment",)
"""What is said of embeddings of nodes alone: whole graphs have no neighbours."""


@dataclass(frozen=True, eq=False)
class Described:
    """One fitted embedding.

    Args:
        embedding: ``[nodes, channels]``, or ``[graphs, channels]`` of a set.
        cost: seconds and memory of the fit.
        criteria: values of :data:`CRITERIA`; no loss where nothing was trained, and of a set of
            graphs none of :data:`OF_NODES`.
    """

    embedding: Tensor
    cost: Measured
    criteria: dict[str, float]


def fit_described(method: Method[Any], visible: Graphs, *, progress: bool) -> Described:
    """Fit a method to the graph or graphs that it may see, and describe what it found.

    Args:
        method: the method, with its seed.
        visible: a graph or a set of graphs, without labels.
        progress: show a progress bar on a terminal.
    """
    with measured() as cost:
        embedding = method.fit(visible, run=Run(progress=progress)).embedding_
    criteria = {name: of(embedding) for name, of in _MEASURES.items()}
    if not isinstance(visible, GraphSet):
        criteria["alignment"] = neighbor_alignment(embedding, visible.edge_index)
    if method.history_.loss:
        criteria["loss"] = method.history_.loss[-1]
    return Described(embedding, cost, criteria)


def neighbor_alignment(embedding: Tensor, edge_index: Tensor) -> float:
    """Mean squared distance of the unit rows of joined nodes; zero where there is no edge.

    Past 2,048 edge entries it is the mean of as many, drawn at random and always the same.

    Args:
        embedding: ``[nodes, channels]``.
        edge_index: ``[2, E]``.

    Example:
        >>> neighbor_alignment(torch.eye(2), torch.tensor([[0, 1], [1, 0]]))
        2.0
    """
    entries = edge_index.size(1)
    if entries == 0:
        return 0.0
    drawn = torch.randperm(entries, generator=torch.Generator().manual_seed(0))[:_EDGES]
    start, end = edge_index[:, drawn]
    return alignment(embedding[start], embedding[end])
