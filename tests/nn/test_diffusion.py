import gc
import logging

import numpy as np
import pytest
import scipy.linalg
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn import diffusion as module
from graphrank.nn.adjacency import Adjacency
from graphrank.nn.diffusion import Diffusion
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.graph_input import GraphInput
from tests.nn.reference import dense_adjacency, dense_normalized, make_graph, to_dense

KINDS = ("ppr", "heat")
both_kinds = pytest.mark.parametrize("kind", KINDS)


def reference(kind, edge_index, nodes, weight=None, teleport=0.2, time=5.0):
    """The closed forms, by an inverse and by a matrix exponential."""
    adjacency = dense_adjacency(edge_index, nodes, weight)
    if kind == "ppr":
        step = dense_normalized(adjacency).numpy()
        return torch.from_numpy(teleport * np.linalg.inv(np.eye(nodes) - (1 - teleport) * step))
    step = (adjacency / adjacency.sum(dim=0)).numpy()
    return torch.from_numpy(scipy.linalg.expm(time * step - time * np.eye(nodes)))


def whole(graph, **settings):
    return Diffusion(**settings).matrix(graph).values


def largest(graph, **settings):
    found = Diffusion(**settings, dense_limit=0).matrix(graph)
    return found, to_dense(found.pattern, found.values)


def graph_of(pairs, nodes, dtype=torch.double):
    ends = torch.tensor(pairs, dtype=torch.long).reshape(-1, 2)
    edge_index = torch.cat([ends, ends.flip(1)]).T
    return GraphInput(
        FeatureMatrix(torch.ones(nodes, 1, dtype=dtype)), Adjacency(edge_index, nodes)
    )


@both_kinds
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("strength", [{}, {"teleport": 0.05, "time": 1.5}])
def test_the_whole_matrix_equals_the_closed_form(kind, directed, weighted, strength):
    edge_index, weight, _, graph = make_graph(20, directed=directed, weighted=weighted, share=0.15)
    found = whole(graph, kind=kind, **strength)
    expected = reference(kind, edge_index, 20, weight, **strength)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-11)


@both_kinds
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("top_k", [1, 4, 30, 100])
def test_the_largest_entries_are_those_of_the_whole_matrix(kind, directed, top_k):
    edge_index, weight, _, graph = make_graph(30, directed=directed, weighted=True, share=0.06)
    matrix, found = largest(graph, kind=kind, top_k=top_k)
    expected = reference(kind, edge_index, 30, weight)
    for i in range(30):
        kept = matrix.pattern.column[
            matrix.pattern.row_pointer[i] : matrix.pattern.row_pointer[i + 1]
        ].tolist()
        in_reach = int((expected[i] > 1e-12).sum())
        assert len(kept) == min(top_k, in_reach) and kept == sorted(kept)
        least = min(float(expected[i, j]) for j in kept)
        for j in range(30):
            if j in kept:
                assert float(found[i, j]) == pytest.approx(float(expected[i, j]), abs=2e-6)
            else:
                assert float(expected[i, j]) <= least + 2e-6


@both_kinds
def test_blocks_of_rows_change_nothing(kind, monkeypatch):
    _, _, _, graph = make_graph(30, directed=True, share=0.1)
    together, _ = largest(graph, kind=kind, top_k=6)
    for rows in (1, 7):
        monkeypatch.setattr(module, "_BLOCK", 30 * rows)
        _, _, _, same = make_graph(30, directed=True, share=0.1)
        apart, _ = largest(same, kind=kind, top_k=6)
        assert torch.equal(apart.pattern.column, together.pattern.column)
        assert torch.equal(apart.values, together.values)


@given(st.integers(2, 12), st.sampled_from([0.1, 0.4]), st.integers(0, 100))
def test_ppr_is_symmetric_and_heat_keeps_what_it_spreads(nodes, share, seed):
    edge_index, _, _, graph = make_graph(nodes, seed=seed, share=share)
    ppr, heat = whole(graph, kind="ppr"), whole(graph, kind="heat")
    assert bool((ppr >= -1e-15).all()) and bool((heat >= 0).all())
    torch.testing.assert_close(ppr, ppr.T)
    root = dense_adjacency(edge_index, nodes).sum(dim=1).sqrt()
    torch.testing.assert_close(ppr @ root, root)  # rows sum to one, degrees taken into account
    torch.testing.assert_close(heat.sum(dim=0), torch.ones(nodes, dtype=torch.double))
    # The heat kernel is symmetric but for the degrees.
    torch.testing.assert_close(heat * root**2, (heat * root**2).T)


@both_kinds
def test_rows_of_a_regular_graph_sum_to_one(kind):
    ring = graph_of([(i, (i + 1) % 9) for i in range(9)], 9)
    ones = torch.ones(9, dtype=torch.double)
    torch.testing.assert_close(whole(ring, kind=kind).sum(dim=1), ones)
    _, cut = largest(ring, kind=kind, top_k=9)
    torch.testing.assert_close(cut.sum(dim=1), ones, rtol=0, atol=1e-5)


@both_kinds
def test_what_no_walk_reaches_gets_nothing(kind):
    """Two components and an isolated node, which keeps all for itself."""
    graph = graph_of([(0, 1), (1, 2), (3, 4)], 6)
    matrix, found = largest(graph, kind=kind, top_k=6)
    for dense in (whole(graph, kind=kind), found):
        assert float(dense[:3, 3:].abs().max()) == float(dense[3:, :3].abs().max()) == 0.0
        assert float(dense[5, 5]) == pytest.approx(1.0, abs=1e-5)
        assert int((dense[5] != 0).sum()) == 1
    assert matrix.pattern.num_entries == 9 + 4 + 1


def test_a_walk_of_no_step_stays():
    _, _, _, graph = make_graph(8)
    one = torch.eye(8, dtype=torch.double)
    torch.testing.assert_close(whole(graph, kind="heat", time=0.0), one)
    torch.testing.assert_close(whole(graph, kind="ppr", teleport=1.0), one)
    torch.testing.assert_close(largest(graph, kind="heat", time=0.0, top_k=3)[1], one)


@given(st.sampled_from(KINDS), st.integers(0, 50), st.booleans())
def test_renamed_nodes_have_renamed_entries(kind, seed, directed):
    edge_index, weight, x, graph = make_graph(12, seed=seed, directed=directed, weighted=True)
    order = torch.randperm(12, generator=torch.Generator().manual_seed(seed))
    place = order.argsort()
    renamed = GraphInput(FeatureMatrix(x), Adjacency(place[edge_index], 12, weight))
    expected = whole(graph, kind=kind)[order][:, order]
    torch.testing.assert_close(whole(renamed, kind=kind), expected)
    _, cut = largest(graph, kind=kind, top_k=4)
    torch.testing.assert_close(
        largest(renamed, kind=kind, top_k=4)[1], cut[order][:, order], rtol=0, atol=1e-5
    )


@both_kinds
@pytest.mark.parametrize("nodes", [1, 4])
def test_without_edges_nothing_moves(kind, nodes):
    graph = graph_of([], nodes)
    one = torch.eye(nodes, dtype=torch.double)
    torch.testing.assert_close(whole(graph, kind=kind), one)
    torch.testing.assert_close(largest(graph, kind=kind, top_k=2)[1], one, rtol=0, atol=1e-5)


def test_single_precision_follows_the_features():
    graph = graph_of([(0, 1), (1, 2)], 3, torch.float)
    assert whole(graph).dtype == largest(graph, top_k=2)[0].values.dtype == torch.float


def test_the_size_decides_and_is_logged(caplog):
    caplog.set_level(logging.INFO, "graphrank")
    _, _, _, graph = make_graph(10)
    assert Diffusion(dense_limit=10).matrix(graph).pattern is None
    assert "ppr diffusion of 10 nodes: the whole matrix" in caplog.text
    assert Diffusion(kind="heat", dense_limit=9, top_k=3).matrix(graph).pattern.num_entries == 30
    assert "heat diffusion of 10 nodes, above dense_limit=9: the 3 largest" in caplog.text


def test_computed_once_for_each_graph_and_forgotten_with_it():
    _, _, _, graph = make_graph(10)
    _, _, _, other = make_graph(10, seed=1)
    found = Diffusion().matrix(graph)
    assert Diffusion().matrix(graph) is found
    assert Diffusion(teleport=0.3).matrix(graph) is not found
    assert Diffusion().matrix(other) is not found
    gc.collect()
    alive = len(module._computed)
    del graph
    gc.collect()
    assert len(module._computed) == alive - 1


@both_kinds
@pytest.mark.parametrize("floor", [0.01, 0.1, 0.9])
def test_entries_below_the_floor_go_and_columns_reach_one(kind, floor):
    edge_index, _, _, graph = make_graph(25, share=0.1)
    expected = reference(kind, edge_index, 25)
    expected[expected < floor] = 0.0
    for j in range(25):
        if float(expected[:, j].max()) > 0:
            expected[:, j] /= expected[:, j].max()
    torch.testing.assert_close(whole(graph, kind=kind, floor=floor), expected)
    _, found = largest(graph, kind=kind, top_k=25, floor=floor)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-4)
