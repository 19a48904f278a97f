import numpy as np
import pytest
import torch
import torch.nn.functional as F
from scipy.stats import multivariate_normal
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score
from torch_geometric.data import Data

import graphrank.tasks.mixture
from graphrank.nn.adjacency import Adjacency
from graphrank.tasks.clustering import Clustering, kmeans, mixture
from graphrank.tasks.mixture import leading_rows, mixture_clusters


def embedded(nodes=40, columns=6, seed=0):
    random = torch.Generator().manual_seed(seed)
    return torch.randn(nodes, columns, generator=random) * torch.linspace(3, 0.2, columns)


def ring(nodes):
    here = torch.arange(nodes)
    return torch.cat([torch.stack([here, here.roll(1)]), torch.stack([here.roll(1), here])], dim=1)


def no_edges(nodes):
    return Adjacency(torch.empty(2, 0, dtype=torch.long), nodes)


def plain_directions(embedding):
    """Unit rows in their singular directions, centred."""
    unit = F.normalize(embedding, dim=1).double()
    _, _, right = torch.linalg.svd(unit, full_matrices=False)
    turned = unit @ right.T
    return turned - turned.mean(dim=0)


def distances(rows):
    return torch.cdist(rows.double(), rows.double())


def test_rows_lie_halfway_between_a_node_and_the_mean_around_it():
    embedding = embedded()
    found = leading_rows(embedding, Adjacency(ring(40), 40))
    own = plain_directions(embedding)
    around = (own + own.roll(1, 0) + own.roll(-1, 0)) / 3
    torch.testing.assert_close(
        distances(found), distances((own + around) / 2), rtol=1e-4, atol=1e-4
    )


def test_wide_embeddings_keep_their_leading_directions():
    embedding = embedded(nodes=300, columns=200)
    found = leading_rows(embedding, Adjacency(ring(300), 300))
    assert found.shape == (300, 24)
    assert found.isfinite().all()


def test_nothing_is_drawn_from_the_random_state():
    embedding, adjacency = embedded(nodes=300, columns=200), Adjacency(ring(300), 300)
    torch.manual_seed(1)
    first = mixture_clusters(embedding, adjacency, 3, 0)
    torch.manual_seed(2)
    state = torch.get_rng_state()
    assert torch.equal(mixture_clusters(embedding, adjacency, 3, 0), first)
    assert torch.equal(torch.get_rng_state(), state)


def unequal_groups(seed=0):
    """A long group of 400 nodes beside a short one of 40, both on a sphere, where rows are kept."""
    random = np.random.default_rng(seed)
    along = np.concatenate([random.normal(0, 0.3, 400), random.normal(0, 0.3, 40)])
    across = np.concatenate([random.normal(0.0, 0.05, 400), random.normal(0.8, 0.05, 40)])
    rows = torch.tensor(np.stack([along, across, np.full(440, 3.0)], axis=1)).float()
    return rows, torch.arange(440).ge(400).long()


def test_groups_may_be_long_and_of_unequal_size():
    rows, y = unequal_groups()
    found = mixture_clusters(rows, no_edges(440), 2, 0)
    assert normalized_mutual_info_score(y, found) > 0.9
    assert normalized_mutual_info_score(y, kmeans(rows, 2, 0)) < 0.2


def plain_mixture(rows, labels, clusters, steps=400):
    """Expectation and maximisation, node by node, from the clusters of k-means."""
    raised = np.eye(rows.shape[1]) / len(rows)
    chance = np.eye(clusters)[labels]
    for _ in range(steps):
        size = chance.sum(axis=0)
        means = [chance[:, c] @ rows / size[c] for c in range(clusters)]
        covariance = raised + sum(
            chance[i, c] * np.outer(row - means[c], row - means[c]) / len(rows)
            for i, row in enumerate(rows)
            for c in range(clusters)
        )
        density = [
            size[c] / len(rows) * multivariate_normal(means[c], covariance).pdf(rows)
            for c in range(clusters)
        ]
        before, chance = chance, np.stack(density, axis=1) / np.sum(density, axis=0)[:, None]
        if np.abs(chance - before).max() < 1e-6:
            break
    return chance.argmax(axis=1)


def test_the_mixture_is_the_optimum_next_to_k_means():
    embedding, adjacency = embedded(nodes=60, columns=4), Adjacency(ring(60), 60)
    rows = leading_rows(embedding, adjacency).double().numpy()
    rows /= np.square(rows).sum(axis=1).mean() ** 0.5
    start = KMeans(3, n_init=20, random_state=0).fit(rows).labels_
    expected = plain_mixture(rows, start, 3)
    found = mixture_clusters(embedding, adjacency, 3, 0).numpy()
    assert (found == expected).mean() > 0.95
    assert (found == start).mean() < 1


def test_large_graphs_are_fitted_by_a_sample(monkeypatch):
    y = torch.arange(3).repeat_interleave(50)
    rows = torch.eye(3)[y] + 0.1 * embedded(nodes=150, columns=3)
    monkeypatch.setattr(graphrank.tasks.mixture, "_MOST_FITTED", 60)
    fitted = []
    fit = KMeans.fit
    monkeypatch.setattr(KMeans, "fit", lambda model, x: fitted.append(len(x)) or fit(model, x))
    found = mixture_clusters(rows, no_edges(150), 3, 0)
    assert fitted == [60] and found.shape == (150,)
    assert normalized_mutual_info_score(y, found) > 0.85


def groups_behind_a_large_direction(seed=0):
    """Three groups in small directions, joined among themselves; a large one says nothing."""
    random = torch.Generator().manual_seed(seed)
    y = torch.arange(3).repeat_interleave(30)
    told = torch.eye(3)[y] + 0.3 * torch.randn(90, 3, generator=random)
    loud = 1.5 * torch.randn(90, 1, generator=random)
    chance = torch.where(y[:, None] == y, 0.3, 0.01).triu(1)
    edges = (torch.rand(90, 90, generator=random) < chance).nonzero().T
    edges = torch.cat([edges, edges.flip(0)], dim=1)
    return torch.cat([told, loud], dim=1), Data(y=y, edge_index=edges, num_nodes=90)


def test_small_directions_and_neighbours_have_a_say():
    embedding, data = groups_behind_a_large_direction()
    task = Clustering()

    def nmi(protocol):
        split = task.split(data, task.protocol(protocol, data), 0)
        return task.evaluate(embedding, data, split, 0)["nmi"]

    assert nmi("mixture") > nmi("kmeans") + 10


def test_edge_weights_count_and_labels_do_not():
    embedding, data = groups_behind_a_large_direction()
    found = mixture(embedding, data, 3, 0)
    without_y = Data(edge_index=data.edge_index, num_nodes=90)
    assert torch.equal(mixture(embedding, without_y, 3, 0), found)
    without_y.edge_weight = torch.full((data.edge_index.size(1),), 1e-6)
    alone = mixture(embedding, without_y, 3, 0)
    none = Data(edge_index=data.edge_index[:, :0], num_nodes=90)
    assert torch.equal(alone, mixture(embedding, none, 3, 0))
    assert not torch.equal(alone, found)


@pytest.mark.parametrize("constant", [0.0, 1.0])
def test_an_embedding_that_says_nothing_is_still_divided(constant):
    data = Data(edge_index=ring(12), num_nodes=12)
    with pytest.warns(UserWarning, match="distinct clusters"):
        found = mixture(torch.full((12, 4), constant), data, 3, 0)
    assert found.shape == (12,)
    with pytest.warns(UserWarning, match="distinct clusters"):
        assert torch.equal(kmeans(torch.full((12, 4), constant), 3, 0), torch.zeros(12).long())
