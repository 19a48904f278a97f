"""Two random corruptions of one graph, without a copy of its features or its edges.

A masked feature column is a masked row of the first weight matrix, a masked node is a masked row
of the first product, and a dropped edge is a zero among the values of the one CSR pattern.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from graphrank.nn.graph_input import GraphInput
from graphrank.nn.sparse import SparsePattern, spmm


@dataclass(frozen=True)
class Corruption:
    """How strongly a view is corrupted; every rate is a probability in ``[0, 1)``.

    Args:
        edge_drop: chance of an edge to be dropped, or ``[entries]`` chances of the adjacency
            pattern's entries (of both directions of a pair, the first entry's counts).
        feature_mask: chance of a feature column to be set to zero, for all nodes at once, or
            ``[features]`` chances.
        node_mask: chance of a node to lose all its features.
        pairwise: drop both directions of an undirected edge together. The paper's formula draws
            each entry of the adjacency matrix for itself, which is ``False``.
    """

    edge_drop: float | Tensor = 0.0
    feature_mask: float | Tensor = 0.0
    node_mask: float = 0.0
    pairwise: bool = True

    @classmethod
    def of_options(cls, options: object, number: int, *, pairwise: bool) -> Corruption:
        """How a method's options corrupt view 1 or 2: ``edge_drop_1`` and so on, absent ones 0."""
        names = ("edge_drop", "feature_mask", "node_mask")
        rates = {name: getattr(options, f"{name}_{number}", 0.0) for name in names}
        return cls(**rates, pairwise=pairwise)


@dataclass(frozen=True, eq=False)
class View:
    """One view of a graph, as encoders see it.

    Args:
        graph: the graph behind the view, shared by all its views.
        edge_value: ``[entries]`` normalised values of the adjacency pattern, dropped ones zero.
        symmetric: whether those values form a symmetric matrix.
        edge_kept: ``[entries]`` which entries are left, or none for all (attention needs it).
        column_kept: ``[features]`` ones and zeros, or none for all.
        node_kept: ``[nodes]`` ones and zeros, or none for all.
        node_order: ``[nodes]`` whose features each node has, or none for its own.
    """

    graph: GraphInput
    edge_value: Tensor
    symmetric: bool
    edge_kept: Tensor | None = None
    column_kept: Tensor | None = None
    node_kept: Tensor | None = None
    node_order: Tensor | None = None

    def project(self, weight: Tensor) -> Tensor:
        """The view's features times ``weight`` ``[features, width]``."""
        if self.column_kept is not None:
            weight = weight * self.column_kept.unsqueeze(1)
        projected = self.graph.features.project(weight)
        if self.node_kept is not None:
            projected = projected * self.node_kept.unsqueeze(1)
        if self.node_order is not None:
            projected = projected[self.node_order]
        return projected

    def propagate(self, hidden: Tensor) -> Tensor:
        """The view's normalised adjacency times ``hidden`` ``[nodes, width]``."""
        pattern, value = self._without_dropped
        return spmm(pattern, value, hidden, symmetric=self.symmetric)

    @cached_property
    def _without_dropped(self) -> tuple[SparsePattern, Tensor]:
        """The adjacency without its dropped entries, whose rows a product would fetch for nothing.

        Only where it is symmetric: the transpose of any other is known for the whole pattern.
        """
        pattern = self.graph.adjacency.pattern
        if self.edge_kept is None or not self.symmetric:
            return pattern, self.edge_value
        left, places = pattern.select_entries(self.edge_kept)
        return left, self.edge_value[places]

    @cached_property
    def _kept_weight(self) -> Tensor:
        """``[entries]`` weights of the edges that are left, and one for each self-loop."""
        weight = self.graph.adjacency.weight
        kept = weight if self.edge_kept is None else weight * self.edge_kept
        return kept.to(self.graph.features.dtype)

    def add_up(self, hidden: Tensor) -> Tensor:
        """Each row of ``hidden`` ``[nodes, width]`` plus the sum of its kept neighbours' rows."""
        pattern = self.graph.adjacency.pattern
        return spmm(pattern, self._kept_weight, hidden, symmetric=self.symmetric)


def clean_view(graph: GraphInput) -> View:
    """The graph as it is: what embeddings are computed from."""
    adjacency = graph.adjacency
    value = adjacency.normalized_weight.to(graph.features.dtype)
    return View(graph, value, symmetric=adjacency.is_symmetric)


def shuffled_view(graph: GraphInput) -> View:
    """The graph with the features of its nodes permuted at random: a corruption that keeps edges.

    Permuting the rows of ``X`` permutes the rows of ``X W``: the features stay where they are, and
    a product of the clean view serves this one as well, its rows taken by ``node_order``.
    """
    order = torch.randperm(graph.num_nodes, device=graph.device)
    return replace(clean_view(graph), node_order=order)


def corrupt(graph: GraphInput, corruption: Corruption) -> View:
    """Draw one corrupted view from torch's global random state.

    Degrees are counted anew after the drop, so that a view is normalised as a graph of its own.
    """
    adjacency = graph.adjacency
    kept, symmetric = None, adjacency.is_symmetric
    value = adjacency.normalized_weight
    if _is_drawn(corruption.edge_drop):
        symmetric = symmetric and corruption.pairwise
        kept = _kept_edges(graph, corruption.edge_drop, pairs=symmetric)
        value = adjacency.normalize(adjacency.weight * kept, symmetric=symmetric)
    dtype = graph.features.dtype
    return View(
        graph,
        value.to(dtype),
        symmetric=symmetric,
        edge_kept=kept,
        column_kept=_bernoulli(graph.num_features, corruption.feature_mask, graph, dtype),
        node_kept=_bernoulli(graph.num_nodes, corruption.node_mask, graph, dtype),
    )


def _is_drawn(rate: float | Tensor) -> bool:
    """Whether anything has to be drawn: chances of their own always are."""
    return isinstance(rate, Tensor) or rate > 0


def _kept_edges(graph: GraphInput, rate: float | Tensor, *, pairs: bool) -> Tensor:
    """``[entries]`` ones and zeros: self-loops always kept, others with chance ``1 - rate``."""
    adjacency = graph.adjacency
    kept = torch.rand(adjacency.pattern.num_entries, device=graph.device) >= rate
    if pairs:
        kept = kept[adjacency.representative]
    return (kept | adjacency.is_loop).to(adjacency.weight.dtype)


def _bernoulli(
    size: int, rate: float | Tensor, graph: GraphInput, dtype: torch.dtype
) -> Tensor | None:
    """``[size]`` ones and zeros, zero with chance ``rate``; none where nothing is masked."""
    if not _is_drawn(rate):
        return None
    return (torch.rand(size, device=graph.device) >= rate).to(dtype)
