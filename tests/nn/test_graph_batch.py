from itertools import pairwise

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch_geometric.data import Data

from graphrank.augment.views import Corruption, clean_view, corrupt, shuffled_view
from graphrank.data import pack
from graphrank.data.graph_features import GraphFeatures
from graphrank.nn.graph_batch import GraphBatch, split_by_size
from graphrank.nn.graph_input import GraphInput
from tests.nn.reference import to_dense


def random_set(sizes, seed=0, features=None, directed=False):
    """Random graphs of these sizes, with features of their own or with degrees."""
    random = torch.Generator().manual_seed(seed)
    graphs = []
    for size in sizes:
        drawn = torch.rand(size, size, generator=random) < 0.4
        x = None if features is None else torch.randn(size, features, generator=random)
        graphs.append(Data(edge_index=drawn.nonzero().T, x=x, num_nodes=size))
    return pack(graphs, directed=directed)


def batch_of(graphs):
    return GraphBatch.of(GraphFeatures.of(graphs).matrix(graphs), graphs.edge_index, graphs.ptr)


def dense(graph):
    return to_dense(graph.adjacency.pattern, graph.adjacency.weight)


def parts_of(batch):
    """Features and adjacency of each graph, cut out of the dense matrices."""
    x, matrix, ptr = batch.features.to_dense(), dense(batch), batch.ptr.tolist()
    return [(x[low:high], matrix[low:high, low:high]) for low, high in pairwise(ptr)]


def assert_same(batch, expected):
    assert batch.num_graphs == len(expected)
    for (x, matrix), (wanted_x, wanted) in zip(parts_of(batch), expected, strict=True):
        assert torch.equal(x, wanted_x) and torch.equal(matrix, wanted)
    assert dense(batch).sum() == sum(matrix.sum() for _, matrix in expected)  # nothing between


@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=5),
    st.integers(0, 100),
    st.sampled_from([None, 3]),
    st.booleans(),
    st.data(),
)
def test_select_picks_whole_graphs_in_order(sizes, seed, features, directed, data):
    whole = batch_of(random_set(sizes, seed, features, directed))
    chosen = data.draw(st.lists(st.integers(0, len(sizes) - 1), max_size=6))
    batch = whole.select(torch.tensor(chosen, dtype=torch.long))
    parts = parts_of(whole)
    assert_same(batch, [parts[graph] for graph in chosen])
    assert batch.sizes.tolist() == [sizes[graph] for graph in chosen]
    expected = [place for place, graph in enumerate(chosen) for _ in range(sizes[graph])]
    assert batch.graph_of_node.tolist() == expected


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(0, 100), st.booleans())
def test_induced_drops_nodes_with_their_edges(sizes, seed, directed):
    whole = batch_of(random_set(sizes, seed, 3, directed))
    random = torch.Generator().manual_seed(seed)
    kept = torch.rand(whole.num_nodes, generator=random) < 0.5
    ptr = whole.ptr.tolist()
    cuts = [kept[low:high] for low, high in pairwise(ptr)]
    expected = [
        (x[cut], matrix[cut][:, cut])
        for (x, matrix), cut in zip(parts_of(whole), cuts, strict=True)
    ]
    assert_same(whole.induced(kept), expected)


def test_it_is_a_graph_to_every_view():
    whole = batch_of(random_set([4, 1, 5], features=3))
    assert isinstance(whole, GraphInput)
    assert set(vars(whole)) <= {"features", "adjacency", "ptr", "graph_of_node"}
    batch = whole.select(torch.tensor([2, 0]))
    weight = torch.randn(3, 2)
    corruption = Corruption(edge_drop=0.5, feature_mask=0.3, node_mask=0.3)
    for view in (clean_view(batch), shuffled_view(batch), corrupt(batch, corruption)):
        assert torch.isfinite(view.propagate(view.project(weight))).all()
    alone = clean_view(whole.select(torch.tensor([0])))
    together = clean_view(batch)
    torch.testing.assert_close(
        together.propagate(together.project(weight))[5:], alone.propagate(alone.project(weight))
    )


def test_selecting_keeps_the_form_of_the_features():
    """Even where a few graphs alone would be stored in the other form."""
    stars = [Data(edge_index=torch.tensor([[0] * 30, range(1, 31)]), num_nodes=31)]
    pairs = [Data(edge_index=torch.tensor([[0], [1]]), num_nodes=2)] * 3
    whole = batch_of(pack(stars + pairs))
    assert whole.features.is_sparse and whole.select(torch.tensor([1])).features.is_sparse


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), st.integers(1, 5), st.integers(1, 12))
def test_parts_are_bounded_and_complete(sizes, most_graphs, most_nodes):
    order = torch.randperm(len(sizes), generator=torch.Generator().manual_seed(0))
    parts = list(split_by_size(order, torch.tensor(sizes), most_graphs, most_nodes))
    assert torch.equal(torch.cat(parts), order)
    for part in parts:
        nodes = sum(sizes[graph] for graph in part.tolist())
        assert 1 <= part.numel() <= most_graphs
        assert nodes <= most_nodes or part.numel() == 1
    # No part could have taken the first graph of the next.
    for part, following in pairwise(parts):
        nodes = sum(sizes[graph] for graph in [*part.tolist(), int(following[0])])
        assert part.numel() == most_graphs or nodes > most_nodes


@pytest.mark.parametrize("most_nodes", [1, 100])
def test_no_graphs_no_parts(most_nodes):
    none = torch.empty(0, dtype=torch.long)
    assert list(split_by_size(none, none, 3, most_nodes)) == []
