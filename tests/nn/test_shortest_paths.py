from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrank.errors import DataError
from graphrank.nn.shortest_paths import path_counts
from tests.nn.test_wl import csr, labelled_graphs


def by_loops(graph, labels):
    """How often each path is found from each node, one pair of nodes after the other."""
    found = Counter()
    for source in graph:
        for sink in graph:
            if source != sink and nx.has_path(graph, source, sink):
                low, high = sorted((int(labels[source]), int(labels[sink])))
                length = nx.shortest_path_length(graph, source, sink)
                found[source, (low, high, length)] += 1
    return found


def as_triplets(counts):
    """Counts with their words taken apart."""
    least = (1 << 21) - 1
    words = [(word >> 42, word >> 21 & least, word & least) for word in counts.color.tolist()]
    keys = list(zip(counts.graph.tolist(), words, strict=True))
    assert len(set(keys)) == len(keys)
    return dict(zip(keys, counts.count.tolist(), strict=True))


def counted(graph, labels, **options):
    return path_counts(labels, *csr(graph), np.array([0, len(graph)]), **options)


@settings(max_examples=80, deadline=None)
@given(labelled_graphs(), st.sampled_from([1, 7, 20, 1 << 20]))
def test_words_are_those_of_plain_loops(drawn, block):
    """However many rows are looked at together."""
    graph, labels = drawn
    counts = counted(graph, labels, block=block)
    assert as_triplets(counts) == by_loops(graph, labels)
    assert counts.num_graphs == len(graph)
    order = np.lexsort((counts.color, counts.graph))
    assert np.array_equal(order, np.arange(order.size))  # as counts of colours are


@settings(max_examples=40, deadline=None)
@given(labelled_graphs(), labelled_graphs())
def test_many_graphs_are_one_after_the_other(one, other):
    both = nx.disjoint_union(one[0], other[0])
    labels = np.concatenate([one[1], other[1]])
    bounds = np.array([0, len(one[0]), len(both)])
    counts = path_counts(labels, *csr(both), bounds)
    assert as_triplets(counts) == by_loops(both, labels)
    graphs = counts.merged(np.repeat([0, 1], np.diff(bounds)), 2)
    expected = Counter()
    for (node, word), number in by_loops(both, labels).items():
        expected[int(node >= bounds[1]), word] += number
    assert as_triplets(graphs) == expected and graphs.num_graphs == 2


def test_the_order_of_a_pair_and_of_the_nodes_means_nothing():
    """A path read from its other end."""
    graph, labels = nx.path_graph(4), np.array([3, 0, 1, 1])
    one, other = (
        counted(graph, order).merged(np.zeros(4, dtype=np.int64), 1)
        for order in (labels, labels[::-1])
    )
    assert as_triplets(one) == as_triplets(other)
    assert as_triplets(one)[0, (1, 3, 2)] == 2  # from either end


def test_directions_of_edges_mean_nothing():
    pointer, column = np.array([0, 2, 4, 5]), np.array([0, 1, 1, 2, 2])  # 0 → 1 → 2
    labels = np.arange(3)
    found = path_counts(labels, pointer, column, np.array([0, 3]))
    assert as_triplets(found) == by_loops(nx.path_graph(3), labels)


@pytest.mark.parametrize("size", [0, 1, 4])
def test_without_edges_there_are_no_words(size):
    pointer, column = np.arange(size + 1), np.arange(size)
    counts = path_counts(column, pointer, column, np.array([0, size]))
    assert counts.graph.size == counts.color.size == counts.count.size == 0
    assert counts.vocabulary().size == 0 and counts.num_graphs == size


def test_labels_up_to_two_millions():
    most = (1 << 21) - 1
    found = as_triplets(counted(nx.path_graph(2), np.array([most, most - 1])))
    assert found == {(node, (most - 1, most, 1)): 1 for node in (0, 1)}
    with pytest.raises(DataError, match="fewer than 2097152 labels"):
        counted(nx.path_graph(2), np.array([0, most + 1]))
