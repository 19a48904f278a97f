"""The best partners of nodes, block by block, against sorting all of them."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.tasks.link_scores import SCORERS, make_scorer
from graphrank.tasks.links import top_links
from tests.tasks.test_link_scores import random_graph


def brute(scorer, query, excluded, nodes):
    others = [v for v in range(nodes) if v != query and (query, v) not in excluded]
    pairs = torch.tensor([[query] * len(others), others], dtype=torch.int64)
    scores = scorer(pairs).tolist()
    return sorted(zip(scores, others, strict=True), reverse=True)


@given(
    st.integers(2, 40),
    st.integers(1, 12),
    st.tuples(st.integers(1, 9), st.integers(1, 15)),
    st.sampled_from(list(SCORERS)),
    st.integers(0, 100),
)
def test_equal_to_sorting_everything(nodes, k, block, name, seed):
    random = torch.Generator().manual_seed(seed)
    z = torch.randn(nodes, 4, generator=random)
    scorer = make_scorer(name, z, random_graph(nodes))
    edges = torch.randint(nodes, (2, 2 * nodes), generator=random)
    queries = torch.randint(nodes, (10,), generator=random)
    found = top_links(scorer, queries, k, edges, block)
    excluded = {tuple(pair) for pair in edges.T.tolist()}
    for place, query in enumerate(queries.tolist()):
        expected = brute(scorer, query, excluded, nodes)[:k]
        got = [node for node in found.nodes[place].tolist() if node >= 0]
        assert len(got) == len(expected) == len(set(got))
        assert (found.nodes[place, len(got) :] == -1).all()
        scores = torch.tensor([score for score, _ in expected])
        torch.testing.assert_close(found.scores[place, : len(got)], scores, atol=1e-5, rtol=1e-5)
        own = {node: score for score, node in brute(scorer, query, excluded, nodes)}
        assert [own[node] for node in got] == pytest.approx(scores.tolist(), abs=1e-5)


@given(st.integers(2, 30), st.integers(0, 100))
def test_only_nodes_of_another_kind(nodes, seed):
    random = torch.Generator().manual_seed(seed)
    scorer = make_scorer("dot", torch.randn(nodes, 4, generator=random), random_graph(nodes))
    kind = torch.randint(-1, 2, (nodes,), generator=random)
    found = top_links(scorer, torch.arange(nodes), nodes, block=(3, 5), kind=kind)
    alike = {
        (u, v) for u in range(nodes) for v in range(nodes) if kind[u] == kind[v] and kind[u] >= 0
    }
    for query in range(nodes):
        got = [node for node in found.nodes[query].tolist() if node >= 0]
        assert got == [node for _, node in brute(scorer, query, alike, nodes)]


def test_rows_are_what_was_found():
    z = torch.eye(3)
    scorer = make_scorer("dot", z + 0.1 * torch.tensor([[1.0], [2.0], [3.0]]), random_graph(3))
    everything = top_links(scorer, torch.arange(3), 5)
    assert everything.nodes.shape == (3, 5)
    queries, partners, scores, rank = everything.rows()
    assert queries.tolist() == [0, 0, 1, 1, 2, 2] and rank.tolist() == [1, 2] * 3
    assert partners.tolist() == [2, 1, 2, 0, 1, 0] and torch.isfinite(scores).all()


def test_no_queries_and_nobody_left():
    scorer = make_scorer("dot", torch.eye(3), random_graph(3))
    assert top_links(scorer, torch.empty(0, dtype=torch.int64), 2).nodes.shape == (0, 2)
    full = torch.triu_indices(3, 3, offset=1)
    found = top_links(scorer, torch.tensor([0]), 2, full)
    assert found.nodes.tolist() == [[-1, -1]] and not found.rows()[0].numel()
