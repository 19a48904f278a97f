"""Differentiable pooling: soft clusters of nodes become the nodes of a smaller graph.

Reference: Ying, You, Morris, Ren, Hamilton & Leskovec, "Hierarchical Graph Representation Learning
with Differentiable Pooling", NeurIPS 2018. The graphs of a batch stay packed and sparse, and the
clusters of each are computed by products with its own rows: nothing of size nodes x nodes exists,
and nothing is padded to the largest graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn

from graphrank.augment.views import View, clean_view
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.pooling import max_pool, mean_pool
from graphrank.nn.sage import SAGEStack

_SMALL = 1e-6


@dataclass(frozen=True, eq=False)
class CoarseGraphs:
    """Graphs whose nodes are clusters, as many in each, with weighted edges.

    Args:
        x: ``[graphs, clusters, width]``.
        adjacency: ``[graphs, clusters, clusters]``, not negative.
    """

    x: Tensor
    adjacency: Tensor

    def project(self, weight: Tensor) -> Tensor:
        """Features times weights, ``[graphs * clusters, width]``."""
        return self.x.flatten(0, 1) @ weight

    def mean_of_neighbors(self, rows: Tensor) -> Tensor:
        """Means of ``rows`` ``[graphs * clusters, width]``, weighted by the edges."""
        sums = self.adjacency @ rows.view(*self.x.shape[:2], -1)
        return (sums / self._total).flatten(0, 1)

    @cached_property
    def _total(self) -> Tensor:
        """``[graphs, clusters, 1]`` weight of all edges of a cluster."""
        return self.adjacency.sum(dim=2, keepdim=True).clamp_min(_SMALL)


def neighbor_sum(view: View, rows: Tensor) -> Tensor:
    """``A rows``, where the view's own sums count each node as well."""
    return view.add_up(rows) - rows


def neighbor_mean(view: View, rows: Tensor) -> Tensor:
    """Mean over the neighbours of each node of packed graphs; zero where it has none."""
    degree = view.graph.adjacency.pattern.row_pointer.diff() - 1
    return neighbor_sum(view, rows) / degree.clamp_min(1).unsqueeze(1)


def clusterwise(assignment: Tensor, batch: GraphBatch, *rows: Tensor) -> tuple[Tensor, ...]:
    """``S.T R`` of each graph and each ``R`` of ``rows``: ``[graphs, clusters, width]``.

    All of them are one product a graph, for small graphs are many and products cost by number.

    Args:
        assignment: ``S``, ``[nodes, clusters]``.
        batch: whose nodes they are.
        rows: ``[nodes, width]``, of any widths.
    """
    sizes = batch.sizes.tolist()
    pairs = zip(
        torch.split(assignment, sizes), torch.split(torch.cat(rows, dim=1), sizes), strict=True
    )
    gathered = torch.stack([chances.T @ own for chances, own in pairs])
    return torch.split(gathered, [part.size(1) for part in rows], dim=2)


def link_loss(assignment: Tensor, neighbors: Tensor, together: Tensor, batch: GraphBatch) -> Tensor:
    """Mean over graphs of ``|A - S S.T|^2 / nodes^2``, without either matrix.

    Args:
        assignment: ``S``, ``[nodes, clusters]``.
        neighbors: ``A S``, ``[nodes, clusters]``.
        together: ``S.T S``, ``[graphs, clusters, clusters]``.
        batch: graphs with the edges ``A``, of weight one.
    """
    squared = batch.sizes.to(assignment.dtype).square()
    degree = (batch.adjacency.pattern.row_pointer.diff() - 1).to(assignment.dtype)
    # Node by node: of |A|^2 its degree, of <A, S S.T> its part of <A S, S>.
    linear = mean_pool((degree - 2 * (assignment * neighbors).sum(dim=1)).unsqueeze(1), batch)
    overlap = together.square().sum(dim=(1, 2))
    return (linear.squeeze(1) * batch.sizes / squared + overlap / squared).mean()


def entropy(log_chances: Tensor) -> Tensor:
    """Mean entropy of rows of chances, given by logarithms so that a chance may be zero.

    Args:
        log_chances: ``[nodes, clusters]``, finite.
    """
    return -(log_chances.exp() * log_chances).sum(dim=1).mean()


@dataclass(frozen=True, eq=False)
class PooledScores:
    """What a :class:`DiffPoolNetwork` says of a batch.

    Args:
        scores: ``[graphs, classes]``.
        link_loss: how badly the first clusters hold the edges together, a scalar.
        entropy: how undecided all assignments are, a scalar.
    """

    scores: Tensor
    link_loss: Tensor
    entropy: Tensor


class DiffPoolNetwork(nn.Module):
    """Embed nodes, assign them to clusters, go on with these; read all levels out by maxima.

    Args:
        num_features: number of feature columns.
        channels: width of each layer.
        num_layers: layers between two poolings.
        clusters: clusters after each pooling.
        hidden_channels: width of the classifier's hidden layer.
        num_classes: number of class scores.
    """

    def __init__(
        self,
        num_features: int,
        channels: int,
        num_layers: int,
        clusters: Sequence[int],
        hidden_channels: int,
        num_classes: int,
    ) -> None:
        super().__init__()
        width = channels * num_layers
        inputs = [num_features, *[width] * len(clusters)]
        self.embed = nn.ModuleList(SAGEStack(each, channels, num_layers) for each in inputs)
        self.assign = nn.ModuleList(
            SAGEStack(each, channels, num_layers, last_channels=count)
            for each, count in zip(inputs, clusters, strict=False)
        )
        self.to_clusters = nn.ModuleList(
            nn.Linear(channels * (num_layers - 1) + count, count) for count in clusters
        )
        self.classify = nn.Sequential(
            nn.Linear(width * len(inputs), hidden_channels),
            nn.ReLU(),
            nn.Linear(hidden_channels, num_classes),
        )

    def forward(self, batch: GraphBatch) -> PooledScores:
        """Class scores and the two side losses."""
        view = clean_view(batch)

        def mean(rows: Tensor) -> Tensor:
            return neighbor_mean(view, rows)

        embedded = self.embed[0](view.project, mean)
        seen = [max_pool(embedded, batch)]
        chances = self._log_chances(0, self.assign[0](view.project, mean))
        assignment, undecided = chances.exp(), [entropy(chances)]
        neighbors = neighbor_sum(view, assignment)
        *gathered, together = clusterwise(assignment, batch, embedded, neighbors, assignment)
        link = link_loss(assignment, neighbors, together, batch)
        coarse = CoarseGraphs(*gathered)
        for level in range(1, len(self.embed)):
            embedded = self._embed_coarse(level, coarse)
            seen.append(embedded.amax(dim=1))
            if level < len(self.assign):
                rows = self.assign[level](coarse.project, coarse.mean_of_neighbors)
                chances = self._log_chances(level, rows)
                undecided.append(entropy(chances))
                assignment = chances.exp().view(*coarse.x.shape[:2], -1)
                turned = assignment.transpose(1, 2)
                coarse = CoarseGraphs(turned @ embedded, turned @ coarse.adjacency @ assignment)
        scores = self.classify(torch.cat(seen, dim=1))
        return PooledScores(scores, link, torch.stack(undecided).sum())

    def _log_chances(self, level: int, embedded: Tensor) -> Tensor:
        """``[rows, clusters]`` logarithms of the chances of each cluster."""
        chances: Tensor = self.to_clusters[level](embedded).log_softmax(dim=1)
        return chances

    def _embed_coarse(self, level: int, coarse: CoarseGraphs) -> Tensor:
        """``[graphs, clusters, width]``."""
        rows: Tensor = self.embed[level](coarse.project, coarse.mean_of_neighbors)
        return rows.view(*coarse.x.shape[:2], -1)
