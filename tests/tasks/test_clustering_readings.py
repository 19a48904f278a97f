"""Label-informed readings of clustering, and the quality of clusters without labels."""

import math

import networkx as nx
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from torch_geometric.data import Data

from graphrank import load
from graphrank.errors import ConfigError
from graphrank.tasks import clustering as module
from graphrank.tasks.clustering import Clustering, label_means, modularity, silhouette
from graphrank.tasks.node_classification import NodeClassification
from graphrank.tasks.probes import logistic_probe


def blobs(noise=0.6, seed=0):
    random = torch.Generator().manual_seed(seed)
    y = torch.arange(3).repeat_interleave(40)
    z = torch.eye(6)[y] + noise * torch.randn(120, 6, generator=random)
    return z, Data(y=y, num_nodes=120, edge_index=torch.empty(2, 0, dtype=torch.int64))


def evaluate(z, data, protocol, seed=0):
    task = Clustering()
    return task.evaluate(z, data, task.split(data, task.protocol(protocol, data), seed), seed)


def test_label_means_equal_a_loop():
    z, data = blobs()
    data.y[::7] = -1
    unit = F.normalize(z, dim=1)
    means = [unit[data.y == c].mean(dim=0) for c in range(3)]
    expected = [
        max(range(3), key=lambda c: float(F.cosine_similarity(row, means[c], dim=0))) for row in z
    ]
    assert label_means(z, data.y).tolist() == expected
    labelled = data.y >= 0
    nmi = normalized_mutual_info_score(data.y[labelled], torch.tensor(expected)[labelled])
    assert evaluate(z, data, "label-means")["nmi"] == pytest.approx(100 * nmi)


@pytest.mark.parametrize("public", [True, False])
def test_probe_predictions_are_those_of_node_classification(public):
    z, data = blobs()
    if public:
        order = torch.randperm(120, generator=torch.Generator().manual_seed(0))
        for name, part in zip(("train", "val", "test"), order.split([30, 30, 60]), strict=True):
            data[f"{name}_mask"] = torch.zeros(120).bool().index_fill_(0, part, True)
    task = NodeClassification()
    split = task.split(data, task.protocol("public" if public else "random-10-10-80", data), 1)
    found = logistic_probe(z, data.y, split, 1).prediction[split.test]
    expected = 100 * adjusted_rand_score(data.y[split.test], found)
    assert evaluate(z, data, "probe-predictions", 1)["ari"] == pytest.approx(expected)


def test_what_uses_labels_says_so():
    protocols = Clustering.protocols
    informed = {name for name, each in protocols.items() if each.diagnostic}
    assert informed == {"probe-predictions", "label-means"}
    assert all("label-informed" in protocols[name].summary for name in informed)
    z, data = blobs()
    noise = torch.randn(120, 200, generator=torch.Generator().manual_seed(0))
    assert evaluate(noise, data, "kmeans")["nmi"] < 10
    assert evaluate(noise, data, "label-means")["nmi"] > 50
    split = Clustering().split(data, protocols["probe-predictions"], 0)
    with pytest.raises(ConfigError, match="no validation nodes"):
        Clustering().validate(z, data, split, 0)


@given(st.integers(2, 15), st.integers(1, 40), st.integers(1, 4), st.integers(0, 99), st.booleans())
def test_modularity_is_networkx_s(nodes, edges, groups, seed, weighted):
    random = torch.Generator().manual_seed(seed)
    pairs = torch.randint(nodes, (2, edges), generator=random)
    pairs = torch.unique(pairs[:, pairs[0] < pairs[1]], dim=1)
    clusters = torch.randint(groups, (nodes,), generator=random)
    weight = torch.rand(pairs.size(1), generator=random) + 0.1 if weighted else None
    both = torch.cat([pairs, pairs.flip(0)], dim=1)
    found = modularity(both, clusters, None if weight is None else torch.cat([weight, weight]))
    if not pairs.size(1):
        assert found == 0
        return
    graph = nx.Graph()
    graph.add_nodes_from(range(nodes))
    values = [1.0] * pairs.size(1) if weight is None else weight.tolist()
    graph.add_weighted_edges_from(
        (u, v, w) for (u, v), w in zip(pairs.T.tolist(), values, strict=True)
    )
    parts = [set((clusters == c).nonzero().flatten().tolist()) for c in clusters.unique()]
    assert found == pytest.approx(nx.community.modularity(graph, parts), abs=1e-6)


def test_modularity_of_karate():
    data = load("karate")
    graph = nx.karate_club_graph()
    parts = [set((data.y == c).nonzero().flatten().tolist()) for c in data.y.unique()]
    expected = nx.community.modularity(graph, parts, weight=None)
    weight = data.get("edge_weight")
    assert weight is None
    assert modularity(data.edge_index, data.y) == pytest.approx(expected)


def test_silhouette(monkeypatch):
    z, data = blobs(noise=0.05)
    assert silhouette(z, data.y, 0) > 0.8
    shuffled = data.y[torch.randperm(120, generator=torch.Generator().manual_seed(0))]
    assert silhouette(z, shuffled, 0) < 0.1
    assert math.isnan(silhouette(z, torch.zeros(120).long(), 0))
    assert math.isnan(silhouette(z, torch.arange(120), 0))
    whole = silhouette(z, data.y, 0)
    monkeypatch.setattr(module, "_SILHOUETTE_NODES", 40)
    sampled = silhouette(z, data.y, 0)
    assert sampled != whole and sampled == pytest.approx(whole, abs=0.1)
