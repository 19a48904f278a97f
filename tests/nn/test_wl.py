from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrank.nn.wl import ColorCounts, refine


def csr(graph):
    """Row pointers and columns of the adjacency matrix with self-loops."""
    rows = [sorted({node, *graph[node]}) for node in graph]
    pointer = np.cumsum([0, *map(len, rows)])
    return pointer, np.concatenate(rows)


def by_tuples(graph, initial, iterations):
    """Colours as nested tuples, which say everything and hash nothing."""
    color = list(initial)
    rounds = [list(color)]
    for _ in range(iterations):
        color = [
            (color[node], *sorted((color[other] for other in graph[node]), key=repr))
            for node in graph
        ]
        rounds.append(list(color))
    return rounds


def same_partition(numbers, names):
    """Whether two colourings tell the same nodes apart."""
    pairs = set(zip(numbers, names, strict=True))
    return len(pairs) == len(set(numbers)) == len(set(names))


@st.composite
def labelled_graphs(draw):
    size = draw(st.integers(1, 9))
    pairs = [(a, b) for a in range(size) for b in range(a)]
    graph = nx.empty_graph(size)
    graph.add_edges_from(draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else [])
    labels = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    return graph, np.array(labels)


@settings(max_examples=80, deadline=None)
@given(labelled_graphs(), st.integers(0, 4))
def test_colours_are_those_of_nested_tuples(drawn, iterations):
    graph, labels = drawn
    colors = refine(labels, *csr(graph), iterations)
    assert colors.shape == (iterations + 1, len(graph)) and colors.dtype == np.int64
    for found, expected in zip(colors, by_tuples(graph, labels.tolist(), iterations), strict=True):
        assert same_partition(found.tolist(), expected)
    # Rounds never meet, or counts of all rounds together would mix them up.
    assert sum(len(set(row.tolist())) for row in colors) == len(set(colors.ravel().tolist()))


@settings(max_examples=40, deadline=None)
@given(labelled_graphs(), st.randoms(use_true_random=False))
def test_colours_move_with_their_nodes(drawn, random):
    graph, labels = drawn
    order = list(range(len(graph)))
    random.shuffle(order)
    moved = nx.empty_graph(len(graph))
    moved.add_edges_from((order[a], order[b]) for a, b in graph.edges)
    moved_labels = np.empty_like(labels)
    moved_labels[order] = labels
    before = refine(labels, *csr(graph), 3)
    after = refine(moved_labels, *csr(moved), 3)
    assert np.array_equal(after[:, order], before)


def test_a_colour_means_the_same_in_every_graph():
    """Alone or beside others: no dictionary is kept, so none can differ."""
    ring, path = nx.cycle_graph(5), nx.path_graph(4)
    both = nx.disjoint_union(ring, path)
    zeros = np.zeros(9, dtype=np.int64)
    together = refine(zeros, *csr(both), 3)
    assert np.array_equal(together[:, :5], refine(zeros[:5], *csr(ring), 3))
    assert np.array_equal(together[:, 5:], refine(zeros[:4], *csr(path), 3))


def test_what_refinement_cannot_tell_apart_and_what_it_can():
    """Regular graphs of one degree look alike; a longer path shows after enough rounds."""
    zeros = np.zeros(6, dtype=np.int64)
    triangles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    hexagon = refine(zeros, *csr(nx.cycle_graph(6)), 5)
    assert np.array_equal(refine(zeros, *csr(triangles), 5), hexagon)
    paths = [
        refine(np.zeros(size, dtype=np.int64), *csr(nx.path_graph(size)), 3) for size in (5, 7)
    ]
    middles = [colors[:, colors.shape[1] // 2] for colors in paths]
    assert (middles[0] == middles[1]).tolist() == [True, True, True, False]


def test_own_and_neighbours_colours_have_different_parts():
    """A red node beside a blue one is not a blue node beside a red one."""
    pair = nx.path_graph(2)
    _, (red, blue) = refine(np.array([0, 1]), *csr(pair), 1)
    assert red != blue


def counted():
    colors = np.array([[7, 7, 9, 9, 9], [1, 2, 2, 1, 1]])
    return ColorCounts.of(colors, np.array([0, 0, 1, 1, 1]), 2)


def test_counts_are_those_of_a_counter():
    random = np.random.default_rng(0)
    colors, graph = random.integers(-5, 5, (4, 60)), np.sort(random.integers(0, 6, 60))
    counts = ColorCounts.of(colors, graph, 7)
    expected = Counter((int(g), int(c)) for row in colors for g, c in zip(graph, row, strict=True))
    found = zip(counts.graph.tolist(), counts.color.tolist(), strict=True)
    assert dict(zip(found, counts.count.tolist(), strict=True)) == dict(expected)
    vocabulary = counts.vocabulary()
    dense = counts.matrix(vocabulary).toarray()
    assert dense.shape == (7, vocabulary.size) and dense.sum() == colors.size
    for (g, color), number in expected.items():
        assert dense[g, vocabulary.tolist().index(color)] == number
    np.testing.assert_allclose(counts.lengths(), np.linalg.norm(dense, axis=1))


@pytest.mark.parametrize(("least", "kept"), [(1, [1, 2, 7, 9]), (3, [1, 9]), (4, [])])
def test_rare_colours_are_left_out(least, kept):
    assert counted().vocabulary(least).tolist() == kept


def test_unknown_colours_match_nothing_and_count_for_the_length():
    counts = counted()
    assert counts.matrix(np.array([2, 8, 9])).toarray().tolist() == [[1, 0, 0], [1, 0, 3]]
    np.testing.assert_allclose(counts.lengths() ** 2, [4 + 1 + 1, 9 + 1 + 4])


def test_entries_of_one_graph_and_colour_are_summed_and_graphs_merged():
    graph, color = np.array([2, 0, 2, 2, 0]), np.array([5, 7, 5, 4, 7])
    counts = ColorCounts.summed(graph, color, np.array([1, 2, 3, 4, 5]), 3)
    assert counts.graph.tolist() == [0, 2, 2] and counts.color.tolist() == [7, 4, 5]
    assert counts.count.tolist() == [7, 4, 4]
    merged = counts.merged(np.array([1, 0, 1]), 2)
    assert merged.num_graphs == 2 and merged.graph.tolist() == [1, 1, 1]
    assert merged.color.tolist() == [4, 5, 7] and merged.count.tolist() == [4, 4, 7]


def test_counts_of_some_graphs_behind_those_of_others():
    counts = counted()
    halves = [
        ColorCounts(*(part[counts.graph == graph] for part in _parts(counts)), 2)
        for graph in (0, 1)
    ]
    joined = ColorCounts.joined(halves, 2)
    for found, expected in zip(_parts(joined), _parts(counts), strict=True):
        assert np.array_equal(found, expected)
    assert ColorCounts.joined([], 3).vocabulary().size == 0


def _parts(counts):
    return counts.graph, counts.color, counts.count
