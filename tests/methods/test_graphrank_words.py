"""A node's own words as a part of GraphRank's embedding, where words are weighed."""

import pytest
import torch
from torch.nn.functional import normalize

from graphrank.methods.controls import Untrained
from graphrank.methods.feature_scaling import scale
from graphrank.methods.graphrank import GraphRank
from tests.methods.older_models import saved_before
from tests.methods.test_feature_scaling import texts

SMALL = {"channels": 8, "mlp": 4, "mlp_hidden": 8, "mlp_batch": 9, "structure": 6, "epochs": 2}


@pytest.mark.parametrize("kind", [GraphRank, Untrained])
def test_own_words_stand_at_the_end_with_their_weight_and_change_nothing_else(kind):
    graph = texts(uneven=True)
    model = kind(**SMALL, own_words=0.4).fit(graph)
    words = scale("auto-words", model.scaling_, graph.x) @ model.module_.basis
    torch.testing.assert_close(model.embedding_[:, -8:], 0.4 * normalize(words, dim=1))
    without = kind(**SMALL, own_words=0).fit(graph).embedding_
    torch.testing.assert_close(model.embedding_[:, :-8], without)


@pytest.mark.parametrize(
    "options",
    [
        {"scale_features": "auto"}, {"scale_features": "auto-l2"}, {"readout": "hops"},
        {"encoder": "gcn", "readout": "last"},
    ],
    ids=lambda options: "-".join(options.values()),
)  # fmt: skip
def test_there_are_none_where_words_are_not_weighed_or_the_readout_has_no_room(options):
    graph = texts(uneven=True)
    found, without = (
        GraphRank(**{**SMALL, **options}, own_words=weight).fit(graph).embedding_
        for weight in (0.7, 0.0)
    )
    assert torch.equal(found, without)


def test_there_are_none_where_all_nodes_have_about_as_many():
    graph = texts(uneven=False)
    words = {**SMALL, "own_words": 0.7}
    found = GraphRank(**words).fit(graph).embedding_
    assert torch.equal(found, GraphRank(**SMALL, own_words=0).fit(graph).embedding_)
    assert GraphRank(**words, scale_features="tfidf").fit(graph).embedding_.size(1) > found.size(1)


def test_the_training_graph_decides_for_graphs_to_come():
    trained_on, other = texts(uneven=True), texts(uneven=False, seed=1)
    model = GraphRank(**SMALL, own_words=0.7).fit(trained_on)
    assert model.transform(other).shape == (other.num_nodes, model.embedding_.size(1))


def test_a_model_from_before_own_words_is_read_as_one_without(tmp_path):
    graph = texts(uneven=True)
    model = GraphRank(**SMALL, own_words=0).fit(graph)
    older = saved_before(model, tmp_path / "model", "own_words")
    assert older.own_words == 0
    torch.testing.assert_close(older.transform(graph), model.embedding_)
