import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.adjacency import Adjacency
from tests.nn.reference import dense_adjacency, dense_normalized, make_graph, places, to_dense

KINDS = [(directed, weighted) for directed in (False, True) for weighted in (False, True)]


@given(st.integers(1, 9), st.sampled_from(KINDS), st.integers(0, 100), st.floats(0, 1))
def test_normalised_as_the_dense_formula(nodes, kind, seed, share):
    directed, weighted = kind
    edges, weight, _, graph = make_graph(
        nodes, seed=seed, directed=directed, weighted=weighted, share=share
    )
    adjacency = graph.adjacency
    dense = dense_adjacency(edges, nodes, weight)
    torch.testing.assert_close(to_dense(adjacency.pattern, adjacency.weight), dense)
    found = to_dense(adjacency.pattern, adjacency.normalized_weight)
    torch.testing.assert_close(found, dense_normalized(dense))
    assert adjacency.is_symmetric == torch.equal(dense, dense.T)


def test_both_degrees_are_used_where_the_graph_is_directed():
    adjacency = Adjacency(torch.tensor([[0, 0], [1, 2]]), 3)
    expected = dense_normalized(dense_adjacency(torch.tensor([[0, 0], [1, 2]]), 3))
    found = adjacency.normalize(adjacency.weight, symmetric=False).double()
    torch.testing.assert_close(to_dense(adjacency.pattern, found), expected, rtol=1e-6, atol=1e-6)
    assert not adjacency.is_symmetric


def test_unequal_weights_of_one_pair_are_not_symmetric():
    edges = torch.tensor([[0, 1], [1, 0]])
    assert Adjacency(edges, 2, torch.tensor([2.0, 2.0])).is_symmetric
    assert not Adjacency(edges, 2, torch.tensor([2.0, 3.0])).is_symmetric


def test_isolated_nodes_keep_themselves():
    adjacency = Adjacency(torch.tensor([[0, 1], [1, 0]]), 4)
    found = to_dense(adjacency.pattern, adjacency.normalized_weight)
    assert found[2].tolist() == [0, 0, 1, 0]
    assert found[3].tolist() == [0, 0, 0, 1]


def test_no_edges_and_one_node():
    none = torch.empty(2, 0, dtype=torch.long)
    assert torch.equal(
        to_dense(Adjacency(none, 3).pattern, Adjacency(none, 3).weight), torch.eye(3)
    )
    one = Adjacency(none, 1)
    assert one.num_nodes == 1 and one.random_neighbor().tolist() == [0]
    assert "1 nodes, 0 edges" in repr(one)


@pytest.mark.parametrize("seed", range(5))
def test_representative_stands_for_an_entry_and_its_mirror(seed):
    _, _, _, graph = make_graph(8, seed=seed)
    adjacency = graph.adjacency
    entry = {place: number for number, place in enumerate(places(adjacency.pattern))}
    for (i, j), number in entry.items():
        stands = adjacency.representative[number].item()
        assert stands == adjacency.representative[entry[(j, i)]].item()
        assert stands in (number, entry[(j, i)])
        assert adjacency.is_loop[number].item() == (i == j)


def test_random_neighbor_is_uniform_over_neighbours_and_itself():
    edges, _, _, graph = make_graph(7, seed=3, share=0.4)
    dense = dense_adjacency(edges, 7)
    torch.manual_seed(0)
    draws = 4000
    counts = torch.zeros(7, 7)
    for _ in range(draws):
        drawn = graph.adjacency.random_neighbor()
        counts[torch.arange(7), drawn] += 1
    assert torch.equal(counts > 0, dense > 0)
    expected = (dense > 0).double() / (dense > 0).sum(dim=1, keepdim=True)
    assert (counts / draws - expected).abs().max() < 5 * (0.25 / draws) ** 0.5


def test_entries_point_from_target_to_source():
    """Row i holds who sends to i: node 1 hears node 0, not the other way."""
    adjacency = Adjacency(torch.tensor([[0], [1]]), 2)
    hidden = torch.tensor([[5.0], [0.0]])
    out = adjacency.pattern.multiply(adjacency.weight, hidden)
    assert out.tolist() == [[5.0], [5.0]]
