"""Node clustering: k-means on embeddings, held against the classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import torch.nn.functional as F
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from torch import Tensor
from torch_geometric.data import Data

from graphrank.errors import ConfigError, DataError
from graphrank.tasks.base import Protocol, Task

_RESTARTS = 10
_MINI_BATCH_ABOVE = 100_000


def kmeans(embedding: Tensor, clusters: int, seed: int) -> Tensor:
    """Cluster of each node: k-means on unit rows, best of ten restarts by its own objective.

    Past 100,000 nodes mini-batch k-means takes its place.
    """
    unit = F.normalize(embedding, dim=1).numpy()
    kind = MiniBatchKMeans if len(unit) > _MINI_BATCH_ABOVE else KMeans
    model = kind(n_clusters=clusters, n_init=_RESTARTS, random_state=seed)
    return Tensor(model.fit_predict(unit)).long()


@dataclass(frozen=True)
class Clustering(Task[None]):
    """NMI (arithmetic) and ARI of k-means with as many clusters as classes.

    All nodes are clustered; those without a label do not count in the score.
    """

    name: ClassVar[str] = "clustering"
    summary: ClassVar[str] = "k-means on embeddings against the classes"
    metrics: ClassVar[tuple[str, ...]] = ("nmi", "ari")
    protocols: ClassVar[Mapping[str, Protocol]] = {
        "kmeans": Protocol(
            "kmeans", "k = number of classes, 10 restarts, unit rows, all nodes", "nothing"
        ),
    }

    def default_protocol(self, data: Data) -> str:
        """There is one honest protocol."""
        return "kmeans"

    def split(self, data: Data, protocol: Protocol, seed: int) -> None:
        """Nothing is held out: no label is used before the score."""
        if data.get("y") is None or int(data.y.max()) < 0:
            raise DataError("scoring clusters needs a label for each node; name the label column")

    def evaluate(self, embedding: Tensor, data: Data, split: None, seed: int) -> dict[str, float]:
        """NMI and ARI over all labelled nodes, in per cent."""
        labelled = data.y >= 0
        expected = data.y[labelled]
        found = kmeans(embedding, int(expected.max()) + 1, seed)[labelled]
        return {
            "nmi": 100 * float(normalized_mutual_info_score(expected, found)),
            "ari": 100 * float(adjusted_rand_score(expected, found)),
        }

    def validate(self, embedding: Tensor, data: Data, split: None, seed: int) -> float:
        """There is no validation part to choose on."""
        raise ConfigError(
            "clustering has no validation nodes to choose an epoch on; use --epoch-selection fixed"
        )
