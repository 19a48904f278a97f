import torch

from graphrank.data import CATALOG, load


def test_digits():
    graph = load("digits")
    info = CATALOG["digits"]
    assert (graph.num_nodes, graph.num_edges) == (info.size, info.edges)
    assert graph.x.shape == (1797, 64)
    assert (graph.x.min(), graph.x.max()) == (0, 1)
    assert graph.y.unique().tolist() == list(range(10))
    assert graph.edge_index[0].bincount().min() >= 10


def test_karate():
    graph = load("Karate")
    assert (graph.num_nodes, graph.num_edges) == (34, 156)
    assert graph.y.unique().tolist() == [0, 1, 2, 3]
    assert graph.feature_source == "structural"
    assert "train_mask" not in graph


def test_neighbours_are_mostly_of_the_same_digit():
    graph = load("digits")
    row, col = graph.edge_index
    assert (graph.y[row] == graph.y[col]).float().mean() > 0.9
    assert graph.x.dtype == torch.float32
