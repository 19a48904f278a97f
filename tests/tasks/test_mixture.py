import pytest
import torch
import torch.nn.functional as F
from torch_geometric.data import Data

from graphrank.nn.adjacency import Adjacency
from graphrank.tasks.cluster_rows import evened_rows
from graphrank.tasks.clustering import Clustering, kmeans, kmeans_evened


def embedded(nodes=40, columns=6, seed=0):
    random = torch.Generator().manual_seed(seed)
    return torch.randn(nodes, columns, generator=random) * torch.linspace(3, 0.2, columns)


def ring(nodes):
    here = torch.arange(nodes)
    return torch.cat([torch.stack([here, here.roll(1)]), torch.stack([here.roll(1), here])], dim=1)


def plain_evened(embedding):
    """Centred rows in singular directions, each divided by the root of its singular value."""
    unit = F.normalize(embedding, dim=1).double()
    _, sizes, right = torch.linalg.svd(unit, full_matrices=False)
    turned = unit @ right.T
    return (turned - turned.mean(dim=0)) / sizes.sqrt()


def distances(rows):
    return torch.cdist(rows.double(), rows.double())


def test_rows_lie_halfway_between_a_node_and_the_mean_around_it():
    embedding = embedded()
    found = evened_rows(embedding, Adjacency(ring(40), 40))
    own = plain_evened(embedding)
    around = (own + own.roll(1, 0) + own.roll(-1, 0)) / 3
    torch.testing.assert_close(
        distances(found), distances((own + around) / 2), rtol=1e-4, atol=1e-4
    )


def test_without_edges_only_the_spectrum_is_evened():
    embedding = embedded()
    none = Adjacency(torch.empty(2, 0, dtype=torch.long), 40)
    expected = distances(plain_evened(embedding))
    torch.testing.assert_close(
        distances(evened_rows(embedding, none)), expected, rtol=1e-4, atol=1e-4
    )


def test_wide_embeddings_keep_their_leading_directions():
    embedding = embedded(nodes=300, columns=200)
    found = evened_rows(embedding, Adjacency(ring(300), 300))
    assert found.shape == (300, 64)
    assert found.isfinite().all()


def test_nothing_is_drawn_from_the_random_state():
    embedding, adjacency = embedded(nodes=300, columns=200), Adjacency(ring(300), 300)
    torch.manual_seed(1)
    first = evened_rows(embedding, adjacency)
    torch.manual_seed(2)
    state = torch.get_rng_state()
    assert torch.equal(evened_rows(embedding, adjacency), first)
    assert torch.equal(torch.get_rng_state(), state)


def groups_behind_a_large_direction(seed=0):
    """Three groups in small directions, joined among themselves; a large one says nothing."""
    random = torch.Generator().manual_seed(seed)
    y = torch.arange(3).repeat_interleave(30)
    told = torch.eye(3)[y] + 0.3 * torch.randn(90, 3, generator=random)
    loud = 6 * torch.randn(90, 1, generator=random)
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

    assert nmi("kmeans-evened") > nmi("kmeans") + 10


def test_edge_weights_count_and_labels_do_not():
    embedding, data = groups_behind_a_large_direction()
    found = kmeans_evened(embedding, data, 3, 0)
    without_y = Data(edge_index=data.edge_index, num_nodes=90)
    assert torch.equal(kmeans_evened(embedding, without_y, 3, 0), found)
    without_y.edge_weight = torch.full((data.edge_index.size(1),), 1e-6)
    alone = kmeans_evened(embedding, without_y, 3, 0)
    none = Data(edge_index=data.edge_index[:, :0], num_nodes=90)
    assert torch.equal(alone, kmeans_evened(embedding, none, 3, 0))
    assert not torch.equal(alone, found)


@pytest.mark.parametrize("constant", [0.0, 1.0])
def test_an_embedding_that_says_nothing_is_still_divided(constant):
    data = Data(edge_index=ring(12), num_nodes=12)
    with pytest.warns(UserWarning, match="distinct clusters"):
        found = kmeans_evened(torch.full((12, 4), constant), data, 3, 0)
    assert found.shape == (12,)
    with pytest.warns(UserWarning, match="distinct clusters"):
        assert torch.equal(kmeans(torch.full((12, 4), constant), 3, 0), torch.zeros(12).long())
