"""GraphRank's embeddings in as many numbers as are asked for."""

import pytest
import torch

from graphrank import GraphRank, load
from graphrank.methods.controls import Untrained
from graphrank.training.loop import Run
from tests.methods.older_models import saved_before

SMALL = {"channels": 16, "mlp": 8, "mlp_hidden": 8, "mlp_batch": 32, "structure": 6, "epochs": 3}
GRAPH, OTHER = (load(f"sbm:nodes=90,classes=3,seed={seed}") for seed in (0, 1))


@pytest.mark.parametrize(
    "options", [{}, {"readout": "hops"}, {"encoder": "gcn", "mlp": 0}], ids=["", "hops", "gcn"]
)
@pytest.mark.parametrize("kind", [GraphRank, Untrained])
def test_it_is_the_whole_embedding_turned_and_cut(kind, options):
    whole = kind(**{**SMALL, **options}).fit(GRAPH)
    model = kind(**{**SMALL, **options}, dimensions=5).fit(GRAPH)
    directions = model.module_.narrowing.directions
    assert model.embedding_.shape == (90, 5)
    torch.testing.assert_close(model.embedding_, whole.embedding_ @ directions)
    torch.testing.assert_close(directions.T @ directions, torch.eye(5), rtol=0, atol=1e-5)
    assert torch.equal(model.embedding_, model.transform(GRAPH))


def test_the_training_graph_has_the_say_for_graphs_to_come(tmp_path):
    model = GraphRank(**SMALL, dimensions=5).fit(GRAPH)
    found = model.transform(OTHER)
    expected = GraphRank(**SMALL).fit(GRAPH).transform(OTHER) @ model.module_.narrowing.directions
    torch.testing.assert_close(found, expected)
    model.save(tmp_path / "model")
    assert torch.equal(GraphRank.load(tmp_path / "model").transform(OTHER), found)


def test_resuming_ends_with_the_same_bits(tmp_path):
    whole = GraphRank(**SMALL, dimensions=5).fit(GRAPH)
    GraphRank(**{**SMALL, "epochs": 1}, dimensions=5).fit(GRAPH, run=Run(directory=tmp_path))
    resumed = GraphRank(**SMALL, dimensions=5).fit(GRAPH, run=Run(directory=tmp_path, resume=True))
    assert torch.equal(resumed.embedding_, whole.embedding_)


def test_a_model_from_before_is_read_as_it_is(tmp_path):
    model = GraphRank(**SMALL).fit(GRAPH)
    older = saved_before(model, tmp_path / "model", "dimensions")
    assert older.dimensions == 0
    assert torch.equal(older.transform(GRAPH), model.embedding_)
