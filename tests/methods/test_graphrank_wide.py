"""The wide view of GraphRank's embedding, where features of single nodes are noisy."""

import logging

import pytest
import torch
from torch.nn.functional import normalize
from torch_geometric.data import Data

from graphrank import load
from graphrank.data import without_labels
from graphrank.methods import graphrank_module
from graphrank.methods.controls import Untrained
from graphrank.methods.feature_scaling import scale
from graphrank.methods.graphrank import GraphRank
from tests.methods.older_models import saved_before

SMALL = {"channels": 8, "mlp": 4, "mlp_hidden": 8, "mlp_batch": 9, "structure": 6, "epochs": 2}
NOISY = "sbm:nodes=60,classes=2,features=8,degree=8,signal=1.5"
UNLIKE = "sbm:nodes=60,classes=2,features=8,degree=8,signal=9,homophily=0.1"


def clean_graph():
    """A ring of 60 nodes whose features tell where on it they are."""
    nodes = torch.arange(60)
    edges = torch.stack([nodes, (nodes + 1) % 60])
    angle = nodes.unsqueeze(1) * torch.arange(1, 5) * (2 * torch.pi / 60)
    both = torch.cat([edges, edges.flip(0)], dim=1)
    return Data(x=torch.cat([angle.cos(), angle.sin()], dim=1), edge_index=both, num_nodes=60)


def dense_propagation(graph):
    """``D^-1/2 (A + I) D^-1/2`` as a plain matrix."""
    matrix = torch.eye(graph.num_nodes)
    for source, target in graph.edge_index.T.tolist():
        matrix[source, target] = 1.0
    degree = matrix.sum(dim=1)
    return matrix / (degree.unsqueeze(0) * degree.unsqueeze(1)).sqrt()


@pytest.mark.parametrize("kind", [GraphRank, Untrained])
def test_it_stands_at_the_end_with_its_weight_and_changes_nothing_else(kind):
    graph = load(NOISY)
    found = kind(**SMALL, wide_view=0.4).fit(graph).embedding_
    without = kind(**SMALL, wide_view=0).fit(graph).embedding_
    torch.testing.assert_close(found[:, :-8], without)
    torch.testing.assert_close(found[:, -8:].norm(dim=1), torch.full((60,), 0.4))


def test_it_is_what_is_diffused_averaged_over_two_more_hops():
    graph = load(NOISY)
    model = GraphRank(**SMALL, wide_view=0.4, teleport=0.3).fit(graph)
    assert model.has_wide_view
    propagation = dense_propagation(graph)
    features = scale("auto-words", model.scaling_, graph.x)
    state = projected = features @ model.module_.encoder.weight.detach()
    for _ in range(10):
        state = 0.7 * propagation @ state + 0.3 * projected
    wide = propagation @ propagation @ state
    torch.testing.assert_close(model.embedding_[:, -16:-8], normalize(state, dim=1))
    torch.testing.assert_close(model.embedding_[:, -8:], 0.4 * normalize(wide, dim=1))


@pytest.mark.parametrize("unlike", [False, True], ids=["clean", "unlike"])
def test_there_is_none_where_features_are_clean_or_neighbours_unlike(unlike, caplog):
    graph = load(UNLIKE) if unlike else clean_graph()
    with caplog.at_level(logging.INFO, logger="graphrank"):
        model = GraphRank(**SMALL).fit(graph)
    without = GraphRank(**SMALL, wide_view=0).fit(graph)
    assert torch.equal(model.embedding_, without.embedding_)
    assert not model.has_wide_view
    assert "no wide view" in caplog.text


@pytest.mark.parametrize("options", [{"readout": "hops"}, {"encoder": "gcn"}], ids=str)
def test_there_is_none_in_other_readouts(options):
    graph = load(NOISY)
    found, without = (
        GraphRank(**SMALL, **options, wide_view=weight).fit(graph).embedding_
        for weight in (0.7, 0.0)
    )
    assert torch.equal(found, without)


def test_own_words_come_after_it(monkeypatch):
    monkeypatch.setattr(graphrank_module, "_NOISY", (-1.0, 2.0))
    graph = load(NOISY)
    graph.x = (graph.x > 0).float()
    words = {**SMALL, "scale_features": "tfidf", "own_words": 0.5}
    model = GraphRank(**words, wide_view=0.7).fit(graph)
    alone = GraphRank(**words, wide_view=0).fit(graph).embedding_
    torch.testing.assert_close(model.embedding_[:, -8:], alone[:, -8:])
    wide = model.embedding_[:, -16:-8]
    torch.testing.assert_close(wide.norm(dim=1), torch.full((60,), 0.7))


def test_the_training_graph_decides_for_graphs_to_come(tmp_path):
    model = GraphRank(**SMALL).fit(load(NOISY))
    model.save(tmp_path / "model")
    other = clean_graph()
    found = GraphRank.load(tmp_path / "model").transform(other)
    assert found.shape == (60, model.embedding_.size(1))
    assert torch.equal(found, model.transform(other))


def test_a_model_from_before_it_is_read_as_one_without(tmp_path):
    graph = load(NOISY)
    model = GraphRank(**SMALL, wide_view=0).fit(graph)
    del model.module_.noisy
    older = saved_before(model, tmp_path / "model", "wide_view")
    torch.testing.assert_close(older.transform(graph), model.embedding_)


# CS and Physics, which take long, are far from the bound: above 0.99.
@pytest.mark.parametrize("name", ["cora", "citeseer", "pubmed", "photo", "computers"])
def test_the_graphs_of_the_paper_have_none_even_without_a_third_of_their_edges(name, data_root):
    """Their lines in results/ say `wide_view`, or are from before it: the same embeddings."""
    graph = without_labels(load(name, data_root=data_root))
    source, target = graph.edge_index
    pair = torch.minimum(source, target) * graph.num_nodes + torch.maximum(source, target)
    graph.edge_index = graph.edge_index[:, pair % 3 != 0]
    model = Untrained(structure=0, mlp=0).fit(graph)
    assert not model.module_.noisy
