import logging

import pytest
import torch

from graphrank import load
from graphrank.methods.controls import RawFeatures, Smoothing, Untrained
from graphrank.methods.feature_scaling import measure_scaling, scale
from graphrank.methods.graphrank import GraphRank
from tests.conftest import toy_graph


def texts(*, uneven: bool, seed: int = 0):
    """A graph whose nodes have 4 or 36 words, or 10 each, out of 400."""
    graph = toy_graph(seed=seed)
    generator = torch.Generator().manual_seed(seed)
    graph.x = torch.zeros(graph.num_nodes, 400)
    for node in range(graph.num_nodes):
        number = (4 if node % 2 else 36) if uneven else 10
        graph.x[node, torch.randperm(400, generator=generator)[:number]] = 1.0
    return graph


def embedded(graph, **options):
    return RawFeatures(**options).fit(graph).embedding_


@pytest.mark.parametrize("sparse", [False, True])
def test_rare_words_count_more_where_nodes_have_very_different_numbers_of_them(sparse, caplog):
    graph = texts(uneven=True)
    if sparse:
        graph.x = graph.x.to_sparse_csr()
    with caplog.at_level(logging.INFO, logger="graphrank"):
        found = embedded(graph, scale_features="auto-words")
    assert torch.equal(found, embedded(graph, scale_features="tfidf"))
    assert "scale_features=auto " in caplog.text


@pytest.mark.parametrize("factor", [1.0, 30.0, 0.5])
def test_all_else_is_scaled_as_by_auto(factor):
    for graph in (texts(uneven=False), toy_graph()):
        graph.x = graph.x * factor
        automatic = embedded(graph, scale_features="auto")
        assert torch.equal(embedded(graph, scale_features="auto-words"), automatic)


def test_the_training_graph_decides_for_graphs_to_come():
    trained_on, other = texts(uneven=True), texts(uneven=False, seed=1)
    scaling = measure_scaling("auto-words", trained_on.x)
    found = RawFeatures(scale_features="auto-words").fit(trained_on).transform(other)
    assert torch.equal(found, scale("auto-words", scaling, other.x))
    torch.testing.assert_close(found.norm(dim=1), torch.ones(other.num_nodes))


def test_graphrank_and_the_controls_beside_it_weigh_words_and_the_paper_does_not():
    assert all(kind().scale_features == "auto-words" for kind in (GraphRank, Untrained, Smoothing))
    assert GraphRank.from_preset("paper").scale_features == "auto"
    assert RawFeatures().scale_features == "auto"


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "weighed"),
    [
        ("cora", False), ("citeseer", False), ("pubmed", False), ("photo", False),
        ("computers", False), ("cs", True), ("physics", True),
    ],
)  # fmt: skip
def test_which_published_graphs_have_texts_of_uneven_length(name, weighed, data_root):
    x = load(name, data_root=data_root).x
    scaling = measure_scaling("auto-words", x)
    assert (scaling is not None and scaling.unit_rows) == weighed
    assert weighed or scaling is measure_scaling("auto", x) is None
