"""Node clustering: clusters of embeddings held against the classes; and without any classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import torch
import torch.nn.functional as F
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.metrics import (
    adjusted_rand_score,
    normalized_mutual_info_score,
    silhouette_score,
)
from torch import Tensor
from torch_geometric.data import Data

from graphrank.data import NodeSplit
from graphrank.errors import ConfigError, DataError
from graphrank.nn.adjacency import Adjacency
from graphrank.tasks.base import Protocol, Task
from graphrank.tasks.mixture import mixture_clusters
from graphrank.tasks.node_classification import NodeClassification
from graphrank.tasks.probes import logistic_probe

_RESTARTS = 10
_MINI_BATCH_ABOVE = 100_000
_SILHOUETTE_NODES = 5_000


def kmeans(embedding: Tensor, clusters: int, seed: int) -> Tensor:
    """Cluster of each node: k-means on unit rows, best of ten restarts by its own objective.

    Past 100,000 nodes mini-batch k-means takes its place.
    """
    rows = F.normalize(embedding, dim=1)
    kind = MiniBatchKMeans if len(rows) > _MINI_BATCH_ABOVE else KMeans
    model = kind(n_clusters=clusters, n_init=_RESTARTS, random_state=seed)
    return Tensor(model.fit_predict(rows.numpy())).long()


def mixture(embedding: Tensor, data: Data, clusters: int, seed: int) -> Tensor:
    """Cluster of each node: a Gaussian mixture on leading directions, smoothed over the graph.

    See :mod:`graphrank.tasks.mixture`.

    Args:
        embedding: ``[nodes, channels]``.
        data: the graph; only its edges and their weights are looked at.
        clusters: number of clusters.
        seed: of the restarts.
    """
    adjacency = Adjacency(data.edge_index, embedding.size(0), data.get("edge_weight"))
    return mixture_clusters(embedding, adjacency, clusters, seed)


def label_means(embedding: Tensor, y: Tensor) -> Tensor:
    """Class of each node whose mean is nearest by cosine, the means made from the labels.

    Args:
        embedding: ``[nodes, channels]``.
        y: ``[nodes]`` classes; nodes with -1 have no part in the means.
    """
    unit, labelled = F.normalize(embedding, dim=1), y >= 0
    sums = unit.new_zeros(int(y.max()) + 1, unit.size(1))
    sums.index_add_(0, y[labelled], unit[labelled])
    return (unit @ F.normalize(sums, dim=1).T).argmax(dim=1)


def silhouette(embedding: Tensor, clusters: Tensor, seed: int) -> float:
    """How much nearer nodes are to their own cluster than to the next, -1 to 1, on unit rows.

    Past 5,000 nodes it is the mean of a random sample of 5,000. One cluster alone has none: nan.
    """
    order = torch.randperm(len(clusters), generator=torch.Generator().manual_seed(seed))
    sample = order[:_SILHOUETTE_NODES]
    rows, found = F.normalize(embedding[sample], dim=1), clusters[sample]
    if not 1 < torch.unique(found).numel() < len(found):
        return float("nan")
    return float(silhouette_score(rows.numpy(), found.numpy()))


def modularity(edge_index: Tensor, clusters: Tensor, edge_weight: Tensor | None = None) -> float:
    """Share of edge weight within clusters beyond what the degrees alone would give.

    Args:
        edge_index: ``[2, E]``, both directions of an undirected edge.
        clusters: ``[nodes]``.
        edge_weight: ``[E]``; one each where there is none.
    """
    if edge_weight is None:
        edge_weight = torch.ones(edge_index.size(1))
    weight, total = edge_weight.double(), float(edge_weight.double().sum())
    if total == 0:
        return 0.0
    start, end = clusters[edge_index[0]], clusters[edge_index[1]]
    within = float(weight[start == end].sum()) / total
    number = int(clusters.max()) + 1
    leaving = torch.zeros(number, dtype=torch.float64).index_add_(0, start, weight) / total
    arriving = torch.zeros(number, dtype=torch.float64).index_add_(0, end, weight) / total
    return within - float(leaving @ arriving)


@dataclass(frozen=True, eq=False)
class ClusterReading:
    """How clusters are found, and the nodes whose labels the reading may use."""

    protocol: str
    nodes: NodeSplit | None = None


Found = tuple[Tensor, Tensor]


def _by_kmeans(embedding: Tensor, data: Data, nodes: NodeSplit | None, seed: int) -> Found:
    labelled = data.y >= 0
    return data.y[labelled], kmeans(embedding, int(data.y.max()) + 1, seed)[labelled]


def _by_mixture(embedding: Tensor, data: Data, nodes: NodeSplit | None, seed: int) -> Found:
    labelled = data.y >= 0
    found = mixture(embedding, data, int(data.y.max()) + 1, seed)
    return data.y[labelled], found[labelled]


def _by_probe(embedding: Tensor, data: Data, nodes: NodeSplit | None, seed: int) -> Found:
    if nodes is None:
        raise AssertionError("the probe needs training nodes")
    return data.y[nodes.test], logistic_probe(embedding, data.y, nodes, seed).prediction[nodes.test]


def _by_label_means(embedding: Tensor, data: Data, nodes: NodeSplit | None, seed: int) -> Found:
    labelled = data.y >= 0
    return data.y[labelled], label_means(embedding, data.y)[labelled]


_READINGS: dict[str, Callable[[Tensor, Data, NodeSplit | None, int], Found]] = {
    "kmeans": _by_kmeans,
    "mixture": _by_mixture,
    "probe-predictions": _by_probe,
    "label-means": _by_label_means,
}


@dataclass(frozen=True)
class Clustering(Task[ClusterReading]):
    """NMI (arithmetic) and ARI of as many clusters as there are classes.

    All nodes are clustered; those without a label do not count in the score. Two diagnostic
    protocols use labels to make "clusters", to explain published figures that k-means cannot give.
    """

    name: ClassVar[str] = "clustering"
    summary: ClassVar[str] = "k-means or a mixture on embeddings against the classes"
    metrics: ClassVar[tuple[str, ...]] = ("nmi", "ari")
    protocols: ClassVar[Mapping[str, Protocol]] = {
        "kmeans": Protocol(
            "kmeans", "k = number of classes, 10 restarts, unit rows, all nodes", "nothing"
        ),
        "mixture": Protocol(
            "mixture",
            "k = number of classes, a Gaussian mixture with one covariance, started by k-means, 24 "
            "leading directions, each node halfway to its neighbours, all nodes",
            "nothing",
        ),
        "probe-predictions": Protocol(
            "probe-predictions",
            "label-informed: the test predictions of the logistic probe as clusters",
            "validation",
            diagnostic=True,
        ),
        "label-means": Protocol(
            "label-means",
            "label-informed: the nearest class mean by cosine, means from all labels",
            "nothing",
            diagnostic=True,
        ),
    }

    def default_protocol(self, data: Data) -> str:
        """k-means on the embedding as it is, as others do it."""
        return "kmeans"

    def split(self, data: Data, protocol: Protocol, seed: int) -> ClusterReading:
        """Nothing is held out but for the probe, which has the usual split of the dataset."""
        if data.get("y") is None or int(data.y.max()) < 0:
            raise DataError("scoring clusters needs a label for each node; name the label column")
        if protocol.name != "probe-predictions":
            return ClusterReading(protocol.name)
        probing = NodeClassification()
        return ClusterReading(
            protocol.name, probing.split(data, probing.protocol(None, data), seed)
        )

    def evaluate(
        self, embedding: Tensor, data: Data, split: ClusterReading, seed: int
    ) -> dict[str, float]:
        """NMI and ARI in per cent: over all labelled nodes, or over the probe's test nodes."""
        expected, found = _READINGS[split.protocol](embedding, data, split.nodes, seed)
        return {
            "nmi": 100 * float(normalized_mutual_info_score(expected, found)),
            "ari": 100 * float(adjusted_rand_score(expected, found)),
        }

    def validate(self, embedding: Tensor, data: Data, split: ClusterReading, seed: int) -> float:
        """There is no validation part to choose on."""
        raise ConfigError(
            "clustering has no validation nodes to choose an epoch on; use --epoch-selection fixed"
        )
