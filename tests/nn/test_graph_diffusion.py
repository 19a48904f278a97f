import logging

import pytest
import torch

from graphrank.nn.diffusion import Diffusion
from graphrank.nn.graph_diffusion import DiffusedBatch, both_views
from tests.nn.reference import to_dense
from tests.nn.test_diffusion import reference
from tests.nn.test_graph_batch import batch_of, random_set


def diffused(sizes=(4, 1, 6), **settings):
    graphs = random_set(sizes, seed=3, features=3)
    return graphs, DiffusedBatch.diffused(batch_of(graphs), Diffusion(**settings))


def block_diagonal(graphs, kind):
    """The closed form of every graph on its own, one below the other."""
    parts = [reference(kind, graph.edge_index, graph.num_nodes) for graph in graphs]
    return torch.block_diag(*parts).float()


@pytest.mark.parametrize("kind", ["ppr", "heat"])
@pytest.mark.parametrize("dense_limit", [0, 4, 100])
def test_each_graph_is_diffused_on_its_own(kind, dense_limit):
    graphs, batch = diffused(kind=kind, dense_limit=dense_limit)
    hidden = torch.randn(graphs.num_nodes, 5, generator=torch.Generator().manual_seed(0))
    near, far = both_views(batch, degrees=0)
    expected = block_diagonal(graphs, kind)
    torch.testing.assert_close(far.propagate(hidden), expected @ hidden, rtol=1e-4, atol=1e-5)
    assert not torch.allclose(near.propagate(hidden), far.propagate(hidden))


def test_only_larger_graphs_lose_entries_and_it_is_said(caplog):
    with caplog.at_level(logging.INFO, logger="graphrank"):
        _, batch = diffused((4, 6, 5), dense_limit=4, top_k=2)
    assert "the whole matrix of 1; the 2 largest entries of each row of 2 graphs" in caplog.text
    small, *large = batch.blocks
    assert small.pattern is None
    for block in large:
        assert to_dense(block.pattern, block.values).count_nonzero(dim=1).max() <= 2


def test_a_selection_takes_its_blocks_along():
    graphs, batch = diffused()
    chosen = batch.select(torch.tensor([2, 0]))
    assert chosen.blocks == (batch.blocks[2], batch.blocks[0])
    hidden = torch.randn(10, 2)
    blocks = [reference("ppr", graphs[i].edge_index, graphs[i].num_nodes) for i in (2, 0)]
    expected = torch.block_diag(*blocks).float() @ hidden
    torch.testing.assert_close(both_views(chosen, 0)[1].propagate(hidden), expected)


@pytest.mark.parametrize("columns", [0, 3, 40])
def test_degrees_are_joined_one_hot(columns):
    graphs, batch = diffused()
    weight = torch.randn(3 + columns, 4, requires_grad=True)
    degree = [0] * graphs.num_nodes
    for target in graphs.edge_index[1].tolist():
        degree[target] += 1
    joined = torch.zeros(graphs.num_nodes, columns)
    if columns:
        for node, count in enumerate(degree):
            joined[node, min(count, columns - 1)] = 1.0
    expected = torch.cat([graphs.x, joined], dim=1) @ weight
    upstream = torch.randn(graphs.num_nodes, 4)
    for view in both_views(batch, columns):
        found = view.project(weight)
        torch.testing.assert_close(found, expected)
        torch.testing.assert_close(
            torch.autograd.grad((found * upstream).sum(), weight),
            torch.autograd.grad((expected * upstream).sum(), weight, retain_graph=True),
        )
