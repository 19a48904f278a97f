"""GraphCL's augmentations: how much they change, what they leave alone, how they are drawn."""

from collections import Counter

import networkx as nx
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrank.augment.graph_views import (
    AUGMENTATIONS,
    Strength,
    augment,
    drawn_nodes,
    grown_parts,
    perturb_edges,
    whole_view,
)
from graphrank.augment.views import clean_view
from graphrank.data import pack
from graphrank.nn.graph_batch import GraphBatch
from tests.nn.test_graph_batch import batch_of, dense, random_set

STRENGTH = Strength(node_drop=0.3, edge_drop=0.4, edge_add=0.0, subgraph=0.4, attribute_mask=0.5)

some_sizes = st.lists(st.integers(1, 12), min_size=1, max_size=5)
some_seed = st.integers(0, 1000)
some_share = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8])


def numbered(sizes, seed=0, directed=False):
    """Random graphs whose only feature is the number of the node in the batch."""
    graphs = random_set(sizes, seed, directed=directed)
    number = torch.arange(graphs.num_nodes, dtype=torch.float).unsqueeze(1)
    return GraphBatch.of(number, graphs.edge_index, graphs.ptr)


def numbers(batch):
    return batch.features.to_dense().flatten().long()


def edges_of(batch):
    """Directed edges by the numbers of their ends, without the self-loops of ``A + I``."""
    number = numbers(batch)
    rows, columns = (dense(batch) - torch.eye(batch.num_nodes)).nonzero().T
    return set(zip(number[rows].tolist(), number[columns].tolist(), strict=True))


def copies(graph, count):
    return batch_of(pack([graph] * count))


def all_of(name, batch):
    return torch.full((batch.num_graphs,), AUGMENTATIONS.index(name))


def assert_aligned(view, batch):
    """Graph i of the view has nodes of graph i of the batch alone, in their order."""
    assert view.graph.num_graphs == batch.num_graphs
    assert torch.equal(batch.graph_of_node[numbers(view.graph)], view.graph.graph_of_node)
    assert (numbers(view.graph).diff() > 0).all()


@given(some_sizes, some_seed, some_share)
def test_a_share_of_the_nodes_of_every_graph(sizes, seed, share):
    torch.manual_seed(seed)
    batch = numbered(sizes, seed)
    drawn = drawn_nodes(batch, torch.full((len(sizes),), share, dtype=torch.double))
    for graph, size in enumerate(sizes):
        assert int(drawn[batch.graph_of_node == graph].sum()) == int(share * size)


def test_every_node_is_as_likely_as_another():
    torch.manual_seed(0)
    batch = copies(nx.star_graph(9), 4000)
    drawn = drawn_nodes(batch, torch.full((4000,), 0.3, dtype=torch.double)).view(4000, 10)
    assert (drawn.double().mean(dim=0) - 0.3).abs().max() < 4 * (0.3 * 0.7 / 4000) ** 0.5
    assert (drawn.sum(dim=1) == 3).all()


@given(some_sizes, some_seed)
def test_what_is_left_of_dropped_nodes_is_the_induced_graph(sizes, seed):
    torch.manual_seed(seed)
    batch = numbered(sizes, seed)
    view = augment(batch, all_of("nodes", batch), STRENGTH)
    assert_aligned(view, batch)
    assert view.graph.sizes.tolist() == [size - int(0.3 * size) for size in sizes]
    left = set(numbers(view.graph).tolist())
    assert edges_of(view.graph) == {(a, b) for a, b in edges_of(batch) if {a, b} <= left}


@given(some_sizes, some_seed, some_share)
def test_a_part_is_connected_and_of_the_size_that_it_can_have(sizes, seed, share):
    torch.manual_seed(seed)
    batch = numbered(sizes, seed)
    kept = grown_parts(batch, share, torch.ones(len(sizes), dtype=torch.bool))
    whole = nx.Graph(list(edges_of(batch)))
    whole.add_nodes_from(range(batch.num_nodes))
    for graph, size in enumerate(sizes):
        part = ((batch.graph_of_node == graph) & kept).nonzero().flatten().tolist()
        assert nx.is_connected(whole.subgraph(part))
        component = nx.node_connected_component(whole, part[0])
        assert len(part) == min(int(share * size) + 1, len(component))


def chances_of_parts(graph, size):
    """How likely each part is when it always grows along a random edge that leaves it, exactly."""
    chances = Counter({frozenset([node]): 1 / len(graph) for node in graph})
    for _ in range(size - 1):
        grown = Counter()
        for part, chance in chances.items():
            leaving = [b for a in part for b in graph[a] if b not in part]
            for node in leaving:
                grown[part | {node}] += chance / len(leaving)
        chances = grown
    return chances


def test_a_part_grows_along_random_edges():
    torch.manual_seed(0)
    graph = nx.Graph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (2, 5)])
    kept = grown_parts(copies(graph, 6000), 0.34, torch.ones(6000, dtype=torch.bool))
    found = Counter(frozenset(row.nonzero().flatten().tolist()) for row in kept.view(6000, 6))
    expected = chances_of_parts(graph, 3)
    assert set(found) == set(expected)
    for part, chance in expected.items():
        assert abs(found[part] / 6000 - chance) < 4 * (chance * (1 - chance) / 6000) ** 0.5


@given(some_sizes, some_seed, some_share, st.booleans())
def test_a_share_of_the_edges_goes_and_no_node(sizes, seed, share, directed):
    torch.manual_seed(seed)
    batch = numbered(sizes, seed, directed)
    rate = torch.full((len(sizes),), share, dtype=torch.double)
    left = perturb_edges(batch, rate, torch.zeros_like(rate))
    assert torch.equal(left.ptr, batch.ptr) and torch.equal(numbers(left), numbers(batch))
    before, after = edges_of(batch), edges_of(left)
    assert after <= before
    undirected = batch.adjacency.is_symmetric
    assert left.adjacency.is_symmetric or not undirected
    for graph in range(len(sizes)):
        counts = [
            sum(int(batch.graph_of_node[a]) == graph for a, _ in edges) // (1 + undirected)
            for edges in (before, after)
        ]
        assert counts[1] == counts[0] - int(share * counts[0])


def test_every_edge_is_as_likely_as_another():
    torch.manual_seed(0)
    batch = copies(nx.lollipop_graph(4, 2), 3000)
    rate = torch.full((3000,), 0.25, dtype=torch.double)
    left = perturb_edges(batch, rate, torch.zeros_like(rate))
    row, column = left.adjacency.pattern.row, left.adjacency.pattern.column
    found = Counter(zip((row % 6).tolist(), (column % 6).tolist(), strict=True))
    for one, other in nx.lollipop_graph(4, 2).edges:
        assert found[one, other] == found[other, one]
        assert abs(found[one, other] / 3000 - 0.75) < 4 * (0.25 * 0.75 / 3000) ** 0.5
    assert all(found[node, node] == 3000 for node in range(6))


@given(some_sizes, some_seed, some_share)
def test_added_edges_are_new_and_within_a_graph(sizes, seed, share):
    torch.manual_seed(seed)
    batch = numbered(sizes, seed)
    rate = torch.full((len(sizes),), share, dtype=torch.double)
    more = perturb_edges(batch, torch.zeros_like(rate), rate)
    before, after = edges_of(batch), edges_of(more)
    assert before <= after and more.adjacency.is_symmetric
    assert dense(more).unique().tolist() in ([1.0], [0.0, 1.0])
    graph = batch.graph_of_node
    assert all(graph[a] == graph[b] for a, b in after)
    for each in range(len(sizes)):
        pairs = sum(int(graph[a]) == each for a, _ in before) // 2
        new = sum(int(graph[a]) == each for a, _ in after - before) // 2
        assert new <= int(share * pairs)


def test_edges_are_added_where_there_is_room():
    torch.manual_seed(0)
    batch = copies(nx.path_graph(30), 50)
    rate = torch.full((50,), 0.5, dtype=torch.double)
    more = perturb_edges(batch, torch.zeros_like(rate), rate)
    new = (more.adjacency.pattern.num_entries - batch.adjacency.pattern.num_entries) / 2 / 50
    assert 12 < new <= 14  # of 14 drawn, about one in ten is a loop, there already or drawn twice


@given(some_sizes, some_seed)
def test_masked_nodes_have_noise_and_others_their_features(sizes, seed):
    torch.manual_seed(seed)
    graphs = random_set(sizes, seed, features=3)
    batch = batch_of(graphs)
    view = augment(batch, all_of("attributes", batch), STRENGTH)
    assert view.graph is batch and view.noise.shape == (view.noisy.numel(), 3)
    per_graph = torch.bincount(batch.graph_of_node[view.noisy], minlength=len(sizes))
    assert per_graph.tolist() == [int(0.5 * size) for size in sizes]
    x = graphs.x.clone()
    for place, node in enumerate(view.noisy.tolist()):
        x[node] = view.noise[place]
    weight = torch.randn(3, 2)
    torch.testing.assert_close(view.project(weight), x @ weight)


def test_the_noise_is_normal_around_a_half():
    torch.manual_seed(0)
    batch = copies(nx.complete_graph(40), 200)
    noise = augment(batch, all_of("attributes", batch), STRENGTH).noise
    assert noise.mean().item() == pytest.approx(0.5, abs=0.01)
    assert noise.std().item() == pytest.approx(0.5, abs=0.01)


def test_gradients_pass_through_noise():
    torch.manual_seed(0)
    graphs = random_set([4, 6], features=3)
    batch = GraphBatch.of(graphs.x.double(), graphs.edge_index, graphs.ptr)
    view = augment(batch, all_of("attributes", batch), STRENGTH)
    weight = torch.randn(3, 2, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(view.project, weight)


def test_no_augmentation_leaves_every_bit():
    batch = numbered([4, 7, 1])
    torch.manual_seed(0)
    for view in (whole_view(batch), augment(batch, all_of("none", batch), STRENGTH)):
        hidden = torch.randn(12, 3)
        assert view.graph is batch
        assert torch.equal(view.add_up(hidden), clean_view(batch).add_up(hidden))
        assert torch.equal(view.propagate(hidden), clean_view(batch).propagate(hidden))
        assert torch.equal(
            view.project(torch.ones(1, 2)), clean_view(batch).project(torch.ones(1, 2))
        )


@settings(max_examples=50)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=8), some_seed)
def test_in_a_mixed_batch_every_graph_is_changed_in_its_own_way_alone(choice, seed):
    torch.manual_seed(seed)
    batch = numbered([10] * len(choice), seed)
    view = augment(batch, torch.tensor(choice), STRENGTH)
    assert_aligned(view, batch)
    before, after = edges_of(batch), edges_of(view.graph)
    noisy = set() if view.noisy is None else set(numbers(view.graph)[view.noisy].tolist())
    for graph, place in enumerate(choice):
        nodes = set(range(10 * graph, 10 * graph + 10))
        left = nodes & set(numbers(view.graph).tolist())
        own, own_left = ({e for e in edges if e[0] in nodes} for edges in (before, after))
        name = AUGMENTATIONS[place]
        expected = {"nodes": 7, "subgraph": len(left)}.get(name, 10)
        assert len(left) == expected and (name != "subgraph" or 1 <= len(left) <= 5)
        assert len(noisy & nodes) == (5 if name == "attributes" else 0)
        induced = {e for e in own if set(e) <= left}
        dropped = 2 * int(0.4 * (len(own) // 2)) if name == "edges" else 0
        assert own_left <= induced and len(own_left) == len(induced) - dropped


def test_sparse_and_dense_features_get_the_same_views():
    graphs = random_set([5, 8], features=20)
    x = graphs.x * (torch.rand(graphs.x.shape, generator=torch.Generator().manual_seed(0)) < 0.1)
    weight = torch.randn(20, 3)
    found = []
    for form in (x, x.to_sparse_csr()):
        torch.manual_seed(4)
        batch = GraphBatch.of(form, graphs.edge_index, graphs.ptr)
        found.append(augment(batch, torch.tensor([3, 0]), STRENGTH).project(weight))
    torch.testing.assert_close(*found)
