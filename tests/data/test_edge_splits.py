"""Splits of edges: every edge once, both directions together, negatives outside the graph."""

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from torch_geometric.data import Data

from graphrank.data import load
from graphrank.data.edge_splits import split_edges
from graphrank.errors import DataError

PARTS = ("train", "val", "test", "val_negatives", "test_negatives", "edge_index")


def as_set(pairs):
    return {tuple(pair) for pair in pairs.T.tolist()}


def random_graph(nodes, edges, seed, both=True):
    pairs = torch.randint(nodes, (2, edges), generator=torch.Generator().manual_seed(seed))
    edge_index = torch.cat([pairs, pairs.flip(0)], dim=1) if both else pairs
    edge_index = torch.unique(edge_index, dim=1)
    return Data(edge_index=edge_index, num_nodes=nodes)


@given(
    st.integers(20, 60),
    st.integers(40, 200),
    st.integers(0, 1000),
    st.sampled_from([(0.05, 0.1), (0.2, 0.1)]),
    st.booleans(),
)
def test_every_edge_is_in_one_part(nodes, edges, seed, shares, both):
    data = random_graph(nodes, edges, seed, both)
    known = {(min(u, v), max(u, v)) for u, v in data.edge_index.T.tolist() if u != v}
    assume(len(known) >= 20)
    split = split_edges(data, seed, *shares)
    parts = [as_set(part) for part in (split.train, split.val, split.test)]
    assert set().union(*parts) == known and sum(map(len, parts)) == len(known)
    assert len(parts[1]) == int(len(known) * shares[0] + 1e-9)
    assert len(parts[2]) == len(known) // 10
    seen = {(u, v) for u, v in data.edge_index.T.tolist() if (min(u, v), max(u, v)) in parts[0]}
    assert as_set(split.edge_index) == seen and split.edge_index.size(1) == len(seen)
    negatives = torch.cat([split.val_negatives, split.test_negatives], dim=1)
    assert split.val_negatives.shape == split.val.shape
    assert split.test_negatives.shape == split.test.shape
    assert len(as_set(negatives)) == negatives.size(1) and not as_set(negatives) & known
    assert all(u < v for u, v in as_set(negatives) | known)


def test_the_seed_decides_and_global_state_does_not():
    data = random_graph(50, 120, 0)
    torch.manual_seed(1)
    state = torch.get_rng_state()
    first = split_edges(data, 3)
    assert torch.equal(torch.get_rng_state(), state)
    torch.manual_seed(2)
    again, other = split_edges(data, 3), split_edges(data, 4)
    assert all(torch.equal(getattr(first, part), getattr(again, part)) for part in PARTS)
    assert not any(torch.equal(getattr(first, part), getattr(other, part)) for part in PARTS[:5])


def test_each_edge_is_held_out_as_often():
    data = random_graph(20, 60, 0)
    counts = torch.zeros(20, 20)
    for seed in range(600):
        u, v = split_edges(data, seed).test
        counts[u, v] += 1
    split = split_edges(data, 0)
    edges = torch.cat([split.train, split.val, split.test], dim=1)
    drawn = counts[edges[0], edges[1]]
    expected = 600 * split.test.size(1) / edges.size(1)
    assert (drawn - expected).abs().max() < 4.5 * expected**0.5


def test_weights_stay_with_their_edges():
    data = random_graph(30, 80, 1)
    row, col = data.edge_index
    data.edge_weight = (torch.minimum(row, col) * 100 + torch.maximum(row, col)).float()
    split = split_edges(data, 0)
    row, col = split.edge_index
    expected = torch.minimum(row, col) * 100 + torch.maximum(row, col)
    assert torch.equal(split.edge_weight, expected.float())
    assert split_edges(random_graph(30, 80, 1), 0).edge_weight is None


def test_dropped_edges_are_nowhere_and_no_negatives():
    data = random_graph(40, 150, 2)
    even = lambda pairs: (pairs.sum(dim=0) % 2) == 0  # noqa: E731
    split = split_edges(data, 0, keep=even, accept_negative=lambda pairs: ~even(pairs))
    for part in (split.train, split.val, split.test, split.edge_index):
        assert part.size(1) and even(part).all()
    negatives = torch.cat([split.val_negatives, split.test_negatives], dim=1)
    assert not even(negatives).any()
    assert not as_set(negatives) & as_set(data.edge_index)


def test_karate():
    split = split_edges(load("karate"), 0, val=0.2)
    assert [part.size(1) for part in (split.train, split.val, split.test)] == [56, 15, 7]
    assert split.edge_index.size(1) == 112


@pytest.mark.parametrize(("edges", "val", "needed"), [(19, 0.05, 20), (9, 0.2, 10), (0, 0.05, 20)])
def test_too_few_edges(edges, val, needed):
    pairs = torch.stack([torch.arange(edges), torch.arange(edges) + 1]).view(2, -1)
    data = Data(edge_index=pairs, num_nodes=edges + 1)
    with pytest.raises(DataError, match=f"has {edges} usable edges, .* at least {needed}; "):
        split_edges(data, 0, val)


def test_too_few_pairs_without_an_edge():
    data = Data(edge_index=torch.triu_indices(8, 8, offset=1), num_nodes=8)
    with pytest.raises(DataError, match="without an edge are needed"):
        split_edges(data, 0)
