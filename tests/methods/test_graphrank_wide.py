"""What GraphRank's MLP makes of the neighbours, averaged over two more hops."""

import pytest
import torch
from torch.nn.functional import normalize

from graphrank.methods.controls import Untrained
from graphrank.methods.feature_scaling import scale
from graphrank.methods.graphrank import GraphRank
from tests.conftest import toy_graph
from tests.methods.older_models import saved_before

SMALL = {"channels": 8, "mlp": 4, "mlp_hidden": 8, "mlp_batch": 9, "structure": 6, "epochs": 2}
# The MLP's view of the neighbours: behind 6 columns of structure, 8 of their features, 8 of the
# node itself and 4 of the MLP's view of the node.
OF_NEIGHBORS = slice(26, 30)


def dense_propagation(graph):
    """``D^-1/2 (A + I) D^-1/2`` as a plain matrix."""
    matrix = torch.eye(graph.num_nodes)
    for source, target in graph.edge_index.T.tolist():
        matrix[source, target] = 1.0
    degree = matrix.sum(dim=1)
    return matrix / (degree.unsqueeze(0) * degree.unsqueeze(1)).sqrt()


@pytest.mark.parametrize("kind", [GraphRank, Untrained])
def test_it_stands_at_the_end_with_its_weight_and_changes_nothing_else(kind):
    graph = toy_graph()
    found = kind(**SMALL, wide_view=0.4).fit(graph).embedding_
    without = kind(**SMALL, wide_view=0).fit(graph).embedding_
    torch.testing.assert_close(found[:, :-4], without)
    torch.testing.assert_close(found[:, -4:].norm(dim=1), torch.full((graph.num_nodes,), 0.4))


def test_it_is_the_mean_over_two_hops_of_what_the_mlp_makes_of_the_neighbours():
    graph = toy_graph()
    model = GraphRank(**SMALL, wide_view=0.4).fit(graph)
    module, propagation = model.module_.eval(), dense_propagation(graph)
    features = scale("auto-words", model.scaling_, graph.x)
    around = normalize(propagation @ (features @ module.basis), dim=1) * 8**0.5
    with torch.no_grad():
        made = module.mlp(around)
    hop_weight = 0.35
    torch.testing.assert_close(model.embedding_[:, OF_NEIGHBORS], hop_weight * normalize(made))
    wide = propagation @ (propagation @ made)
    torch.testing.assert_close(model.embedding_[:, -4:], 0.4 * normalize(wide, dim=1))


@pytest.mark.parametrize(
    "options",
    [{"mlp": 0}, {"mlp": 0, "own_mlp": 4}, {"readout": "hops"}, {"encoder": "gcn"}],
    ids=lambda options: "-".join(f"{name}={value}" for name, value in options.items()),
)
def test_there_is_none_without_that_mlp(options):
    graph = toy_graph()
    found, without = (
        GraphRank(**{**SMALL, **options}, wide_view=weight).fit(graph).embedding_
        for weight in (0.7, 0.0)
    )
    assert torch.equal(found, without)


def test_own_words_come_after_it():
    graph = toy_graph()
    graph.x = (graph.x > 0).float()
    words = {**SMALL, "scale_features": "tfidf", "own_words": 0.5}
    both = GraphRank(**words, wide_view=0.7).fit(graph).embedding_
    alone = GraphRank(**words, wide_view=0).fit(graph).embedding_
    torch.testing.assert_close(both[:, -8:], alone[:, -8:])
    torch.testing.assert_close(both[:, -12:-8].norm(dim=1), torch.full((graph.num_nodes,), 0.7))


def test_a_model_from_before_it_is_read_as_one_without(tmp_path):
    graph = toy_graph()
    model = GraphRank(**SMALL, wide_view=0).fit(graph)
    older = saved_before(model, tmp_path / "model", "wide_view")
    assert older.wide_view == 0
    torch.testing.assert_close(older.transform(graph), model.embedding_)
