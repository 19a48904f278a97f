from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch_geometric.data import Data

from graphrank.augment.egos import _random_neighbor, draw_egos, draw_starts
from graphrank.data import pack
from tests.nn.test_graph_batch import batch_of, dense, parts_of, random_set


def star(leaves):
    ends = torch.stack([torch.zeros(leaves, dtype=torch.long), torch.arange(1, leaves + 1)])
    return Data(edge_index=ends, num_nodes=leaves + 1)


def path(size):
    nodes = torch.arange(size - 1)
    return Data(edge_index=torch.stack([nodes, nodes + 1]), num_nodes=size)


ALONE = Data(edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=2)


@given(
    st.lists(st.integers(1, 7), min_size=1, max_size=4),
    st.integers(1, 12),
    st.sampled_from([0.1, 0.8, 1.0]),
    st.integers(0, 500),
)
def test_egos_are_induced_sub_graphs_around_their_start(sizes, steps, restart, seed):
    """The features tell which node is which: each has its own."""
    graphs = random_set(sizes, seed=seed, features=1)
    batch, (x, matrix) = batch_of(graphs), (graphs.x.flatten(), dense(batch_of(graphs)))
    torch.manual_seed(seed)
    starts = torch.randint(graphs.num_nodes, (3,))
    egos = draw_egos(batch, starts, steps, restart)
    assert egos.num_graphs == 3 and egos.adjacency.is_symmetric
    for start, (rows, adjacency) in zip(starts.tolist(), parts_of(egos), strict=True):
        nodes = [int((x == value).nonzero()) for value in rows.flatten()]
        assert nodes[0] == start and len(set(nodes)) == len(nodes)
        assert torch.equal(adjacency, matrix[nodes][:, nodes])
        reached, near = {start}, {start}
        while near:
            near = {b for a in near for b in nodes if matrix[a, b] and b not in reached}
            reached |= near
        assert reached == set(nodes)  # a walk leaves no gap


def test_a_walk_that_always_goes_back_sees_neighbours_alone():
    torch.manual_seed(0)
    egos = draw_egos(batch_of(pack([path(9)])), torch.tensor([4]), 40, restart=1.0)
    assert egos.num_nodes == 3 and egos.adjacency.pattern.num_entries == 3 + 4


def test_how_far_walks_get():
    """Two steps from the end of a path see a third node if neither chance nor the way goes back."""
    torch.manual_seed(0)
    batch, draws = batch_of(pack([path(7)])), 4000
    egos = draw_egos(batch, torch.zeros(draws, dtype=torch.long), 2, restart=0.8)
    share, expected = float((egos.sizes == 3).double().mean()), 0.2 / 2
    assert abs(share - expected) < 5 * (expected * (1 - expected) / draws) ** 0.5


def test_a_node_of_high_degree_walks_longer():
    torch.manual_seed(0)
    batch = batch_of(pack([star(3000)]))
    # 3000^0.75 e / (e - 1) / 0.8 steps, each to a random leaf.
    steps = 802
    sizes = draw_egos(batch, torch.zeros(20, dtype=torch.long), 10, restart=1.0).sizes.double()
    longer = draw_egos(batch, torch.zeros(20, dtype=torch.long), 10, restart=0.8).sizes.double()
    expected = 3000 * (1 - (1 - 1 / 3000) ** (steps * 0.8)) + 1
    assert float(sizes.mean()) == pytest.approx(expected, rel=0.03)
    # Back-and-forth steps end at the centre: 1/(1 + 0.2) of 802 steps see a leaf.
    expected = 3000 * (1 - (1 - 1 / 3000) ** (steps / 1.2)) + 1
    assert float(longer.mean()) == pytest.approx(expected, rel=0.03)


@given(st.integers(2, 6), st.integers(0, 20))
def test_neighbours_are_equally_likely(size, seed):
    torch.manual_seed(seed)
    graphs, draws = random_set((size,), seed=seed), 2000
    for node in range(size):
        neighbors = graphs.edge_index[0][graphs.edge_index[1] == node].tolist() or [node]
        ends = _random_neighbor(batch_of(graphs).adjacency, torch.full((draws,), node))
        seen = Counter(ends.tolist())
        assert set(seen) == set(neighbors)
        for count in seen.values():
            assert abs(count / draws - 1 / len(neighbors)) < 6 * (0.25 / draws) ** 0.5


def test_starts_are_drawn_by_degree():
    torch.manual_seed(0)
    batch, draws = batch_of(pack([star(16), ALONE])), 20_000
    counts = torch.bincount(draw_starts(batch, draws), minlength=19) / draws
    expected = torch.tensor([8.0, *[1.0] * 16, 0.0, 0.0]) / 24
    assert (counts - expected).abs().max() < 5 * (0.25 / draws) ** 0.5
    assert counts[17:].sum() == 0


def test_without_edges_all_nodes_are_alike_and_stay_alone():
    torch.manual_seed(0)
    batch = batch_of(pack([ALONE, ALONE]))
    starts = draw_starts(batch, 200)
    assert set(starts.tolist()) == {0, 1, 2, 3}
    assert draw_egos(batch, starts, 5, restart=0.8).sizes.eq(1).all()
