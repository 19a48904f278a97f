"""Pairs without an edge: against sets of pairs, uniform, unique, in nearly full graphs too."""

import itertools

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.data import negatives as module
from graphrank.data.negatives import PairSet, sample_non_edges, sample_non_neighbours
from graphrank.errors import DataError


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def as_set(pairs):
    return {tuple(pair) for pair in pairs.T.tolist()}


def all_pairs(nodes):
    return set(itertools.combinations(range(nodes), 2))


@st.composite
def graphs(draw, least=0):
    """Number of nodes and edges in any direction, loops and repetitions among them."""
    nodes = draw(st.integers(2, 12))
    node = st.integers(0, nodes - 1)
    edges = draw(st.lists(st.tuples(node, node), min_size=least, max_size=80))
    return nodes, torch.tensor(edges, dtype=torch.int64).view(-1, 2).T


def plain(edges):
    return {(min(u, v), max(u, v)) for u, v in edges.T.tolist() if u != v}


@given(graphs())
def test_a_set_of_pairs_is_that_of_a_loop(graph):
    nodes, edges = graph
    found, expected = PairSet.of(edges, nodes), plain(edges)
    assert as_set(found.pairs) == expected and found.keys.numel() == len(expected)
    assert found.num_free == len(all_pairs(nodes) - expected)
    asked = torch.cartesian_prod(torch.arange(nodes), torch.arange(nodes)).T
    inside = [(min(u, v), max(u, v)) in expected for u, v in asked.T.tolist()]
    assert found.contains(asked).tolist() == inside


@given(graphs(), st.integers(0, 100))
def test_strangers_are_accepted_ones(graph, seed):
    nodes, edges = graph
    kind = torch.arange(nodes) % 2
    known, asked = PairSet.of(edges, nodes), torch.arange(nodes)
    found, valid = sample_non_neighbours(
        known, asked, 7, seeded(seed), lambda pairs: kind[pairs[0]] != kind[pairs[1]]
    )
    for node, others, there in zip(asked.tolist(), found.tolist(), valid.tolist(), strict=True):
        free = {v for v in range(nodes) if kind[v] != kind[node]} - {
            v for v in range(nodes) if (min(node, v), max(node, v)) in plain(edges)
        }
        assert all((other in free) == ok for other, ok in zip(others, there, strict=True))


@given(graphs(), st.integers(0, 10**6), st.floats(0, 1))
def test_non_edges_are_free_unique_and_decided_by_the_seed(graph, seed, share):
    nodes, edges = graph
    known = PairSet.of(edges, nodes)
    count = int(share * known.num_free)
    found = sample_non_edges(known, count, seeded(seed))
    assert found.shape == (2, count) and found.dtype == torch.int64
    assert len(as_set(found)) == count and as_set(found) <= all_pairs(nodes) - plain(edges)
    assert torch.equal(found, sample_non_edges(known, count, seeded(seed)))


def test_the_rejecting_way_is_uniform(monkeypatch):
    nodes = 12
    edges = torch.tensor([[0, 0, 3, 4], [1, 2, 4, 5]])
    known = PairSet.of(edges, nodes)
    monkeypatch.setattr(module, "_listed", lambda *given: pytest.fail("listed"))
    counts = np.zeros((nodes, nodes))
    for seed in range(2_000):
        u, v = sample_non_edges(known, 6, seeded(seed))
        np.add.at(counts, (u.numpy(), v.numpy()), 1)
    free = np.array([counts[pair] for pair in all_pairs(nodes) - plain(edges)])
    expected = 2_000 * 6 / len(free)
    assert counts.sum() == 12_000 and len(free) == 62
    # Chi-square with 61 degrees of freedom has mean 61 and deviation 11.
    assert ((free - expected) ** 2 / expected).sum() < 61 + 4 * 11


@pytest.mark.parametrize("count", [1, 2])
def test_nearly_complete_graphs_are_listed(count):
    nodes = 30
    pairs = torch.triu_indices(nodes, nodes, offset=1)
    missing = {(3, 7), (11, 29)}
    keep = [tuple(pair) not in missing for pair in pairs.T.tolist()]
    known = PairSet.of(pairs[:, keep], nodes)
    found = as_set(sample_non_edges(known, count, seeded()))
    assert len(found) == count and found <= missing
    with pytest.raises(DataError, match=r"3 pairs of nodes without an edge are needed.* has 2"):
        sample_non_edges(known, 3, seeded())


def test_only_accepted_pairs():
    nodes = 200
    y = torch.zeros(nodes, dtype=torch.int64)
    y[:2] = 1
    known = PairSet.of(torch.tensor([[0], [2]]), nodes)
    accept = lambda pairs: y[pairs[0]] != y[pairs[1]]  # noqa: E731
    found = sample_non_edges(known, 395, seeded(), accept)
    assert as_set(found) == {(a, b) for a in (0, 1) for b in range(2, nodes)} - {(0, 2)}
    with pytest.raises(DataError, match=r"396 pairs .* has 395"):
        sample_non_edges(known, 396, seeded(), accept)


def test_a_search_without_end_is_given_up(monkeypatch):
    monkeypatch.setattr(module, "_ENUMERATE_BELOW", 10)
    known = PairSet.of(torch.tensor([[0], [1]]), 100)
    with pytest.raises(DataError, match="has 0 that can be used"):
        sample_non_edges(known, 5, seeded(), lambda pairs: torch.zeros(pairs.size(1)).bool())


def test_memory_is_not_that_of_all_pairs():
    nodes = 3_000_000
    known = PairSet.of(torch.randint(nodes, (2, 1_000), generator=seeded()), nodes)
    found = sample_non_edges(known, 1_000, seeded())
    assert not known.contains(found).any() and (found[0] < found[1]).all()


@given(graphs(least=1), st.integers(0, 100))
def test_strangers(graph, seed):
    nodes, edges = graph
    known, asked = PairSet.of(edges, nodes), torch.arange(nodes)
    found, valid = sample_non_neighbours(known, asked, 5, seeded(seed))
    joined = plain(edges)
    for node in range(nodes):
        free = {v for v in range(nodes) if v != node}
        free -= {v for v in free if (min(node, v), max(node, v)) in joined}
        assert set(found[node][valid[node]].tolist()) <= free
        if len(free) > nodes // 2:
            assert valid[node].all()
        if not free:
            assert not valid[node].any()
    assert torch.equal(found, sample_non_neighbours(known, asked, 5, seeded(seed))[0])
