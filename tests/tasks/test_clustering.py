import math

import pytest
import torch
from torch_geometric.data import Data

from graphrank.errors import ConfigError, DataError
from graphrank.tasks import clustering as module
from graphrank.tasks.clustering import Clustering, kmeans


def blobs(classes=3, size=30, noise=0.1, seed=0):
    random = torch.Generator().manual_seed(seed)
    y = torch.arange(classes).repeat_interleave(size)
    z = torch.eye(8)[y] + noise * torch.randn(y.numel(), 8, generator=random)
    return z, Data(y=y, num_nodes=y.numel())


def nmi(left, right):
    """Arithmetic normalised mutual information, from counts."""
    n = len(left)

    def entropy(values):
        return -sum(values.count(v) / n * math.log(values.count(v) / n) for v in set(values))

    pairs = list(zip(left, right, strict=True))
    mutual = entropy(left) + entropy(right) - entropy(pairs)
    return mutual / ((entropy(left) + entropy(right)) / 2)


def ari(left, right):
    """Adjusted Rand index, from all pairs of nodes."""
    together = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for i in range(len(left)):
        for j in range(i):
            together[left[i] == left[j], right[i] == right[j]] += 1
    (a, b, c, d) = (together[k] for k in [(True, True), (True, False), (False, True), (False,) * 2])
    return 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d))


def evaluate(z, data, seed=0):
    task = Clustering()
    split = task.split(data, task.protocol(None, data), seed)
    return task.evaluate(z, data, split, seed)


def test_separate_clusters_are_found():
    z, data = blobs()
    scores = evaluate(z, data)
    assert scores == {"nmi": pytest.approx(100), "ari": pytest.approx(100)}
    assert set(scores) == set(Clustering.metrics)


def test_scores_equal_counting():
    z, data = blobs(noise=0.6)
    found = kmeans(z, 3, 0).tolist()
    scores = evaluate(z, data)
    assert scores["nmi"] == pytest.approx(100 * nmi(data.y.tolist(), found))
    assert scores["ari"] == pytest.approx(100 * ari(data.y.tolist(), found))
    assert 5 < scores["ari"] < 99


def test_only_directions_count():
    z, _ = blobs(noise=0.4)
    longer = z * (1 + 9 * torch.rand(90, 1, generator=torch.Generator().manual_seed(1)))
    assert torch.equal(kmeans(longer, 3, 0), kmeans(z, 3, 0))


def test_nodes_without_a_label_are_clustered_and_not_scored():
    z, data = blobs()
    data.y[::5] = -1
    z[::5] = torch.randn(18, 8, generator=torch.Generator().manual_seed(0)) * 0.1 + z[::5]
    assert evaluate(z, data)["nmi"] == pytest.approx(100)


def test_large_graphs_take_mini_batches(monkeypatch):
    z, _ = blobs()
    monkeypatch.setattr(module, "_MINI_BATCH_ABOVE", 10)
    called = []
    real = module.MiniBatchKMeans
    monkeypatch.setattr(
        module, "MiniBatchKMeans", lambda **given: (called.append(given), real(**given))[1]
    )
    assert kmeans(z, 3, 0).unique().numel() == 3
    assert called and called[0]["n_clusters"] == 3


@pytest.mark.parametrize("data", [Data(num_nodes=3), Data(y=torch.full((3,), -1), num_nodes=3)])
def test_no_labels(data):
    with pytest.raises(DataError, match="needs a label"):
        evaluate(torch.eye(3), data)


def test_nothing_to_choose_on():
    z, data = blobs()
    with pytest.raises(ConfigError, match="no validation nodes"):
        Clustering().validate(z, data, None, 0)
