"""GraphRank on graphs with so many nodes that columns are trained and read out in blocks."""

import pytest
import torch

from graphrank import GraphRank, load
from graphrank.methods import graphrank
from graphrank.nn import column_blocks
from graphrank.training.loop import Run

SMALL = {"channels": 16, "mlp": 8, "mlp_hidden": 8, "mlp_batch": 32, "structure": 6, "epochs": 3}
GRAPH, OTHER = (load(f"sbm:nodes=90,classes=3,seed={seed}") for seed in (0, 1))


@pytest.fixture
def in_blocks(monkeypatch):
    """As if 90 nodes were too many for more than five columns at a time."""
    asked = []

    def five(nodes, columns):
        asked.append((nodes, columns))
        return min(columns, 5)

    monkeypatch.setattr(graphrank, "columns_at_once", five)
    monkeypatch.setattr(column_blocks, "columns_at_once", five)
    return asked


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"similarity": "dot", "standardize": False},
        {"neighbor_weight": 0.0, "negatives": 3},
        {"two_hop_weight": 0.5, "chain": True},
        {"dimensions": 5},
        {"mlp": 0, "edge_drop_2": 0.0, "pairwise_drop": False},
    ],
    ids=["default", "dot", "negatives", "chain", "dimensions", "singly"],
)
def test_it_learns_what_it_learns_of_whole_rows(options, request):
    whole = GraphRank(**{**SMALL, **options}).fit(GRAPH)
    asked = request.getfixturevalue("in_blocks")
    parted = GraphRank(**{**SMALL, **options}).fit(GRAPH)
    assert (90, 16) in asked
    torch.testing.assert_close(
        torch.tensor(parted.history_.loss), torch.tensor(whole.history_.loss)
    )
    torch.testing.assert_close(
        parted.embedding_ @ parted.embedding_.T, whole.embedding_ @ whole.embedding_.T,
        rtol=1e-3, atol=1e-3,
    )  # fmt: skip


def test_what_cannot_be_parted_is_trained_as_a_whole(in_blocks):
    for options in ({"encoder": "gcn", "mlp": 0}, {"projector": 8}):
        assert GraphRank(**{**SMALL, **options}).fit(GRAPH).embedding_.shape[0] == 90


def test_the_same_seed_has_the_same_bits_and_so_has_a_resumed_run(in_blocks, tmp_path):
    model = GraphRank(**SMALL).fit(GRAPH)
    assert torch.equal(GraphRank(**SMALL).fit(GRAPH).embedding_, model.embedding_)
    GraphRank(**{**SMALL, "epochs": 1}).fit(GRAPH, run=Run(directory=tmp_path))
    resumed = GraphRank(**SMALL).fit(GRAPH, run=Run(directory=tmp_path, resume=True))
    assert torch.equal(resumed.embedding_, model.embedding_)
    assert torch.equal(model.transform(GRAPH), model.embedding_)
    assert model.transform(OTHER).shape == model.embedding_.shape


def test_an_embedding_that_fills_the_memory_is_told_of(monkeypatch, caplog):
    monkeypatch.setattr(graphrank, "_LARGE_GIB", 1e-6)
    model = GraphRank(**SMALL).fit(GRAPH)
    columns = model.embedding_.shape[1]
    assert f"the embedding will have {columns} numbers for each of 90 nodes" in caplog.text
    assert "dimensions=256" in caplog.text
    caplog.clear()
    GraphRank(**SMALL, dimensions=5).fit(GRAPH)
    assert "will have" not in caplog.text
