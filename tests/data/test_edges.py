import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.data.edges import clean_edges

PAIRS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=40)


def clean(pairs, weight=None, *, nodes=8, directed=False):
    row, col = np.asarray(pairs, dtype=np.int64).reshape(-1, 2).T
    values = None if weight is None else np.asarray(weight, dtype=np.float64)
    return clean_edges(row, col, values, nodes, directed=directed)


@given(PAIRS, st.booleans())
def test_equals_a_set_of_pairs(pairs, directed):
    expected = {(a, b) for a, b in pairs if a != b}
    different = len(expected)
    if not directed:
        expected |= {(b, a) for a, b in expected}
    edges = clean(pairs, directed=directed)
    assert [tuple(p) for p in edges.edge_index().T.tolist()] == sorted(expected)
    assert edges.edge_index().dtype == torch.int64
    assert edges.self_loops == sum(a == b for a, b in pairs)
    assert edges.duplicates == len(pairs) - edges.self_loops - different
    assert edges.symmetrised == (not directed and len(expected) > different)
    assert edges.edge_weight() is None


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 4)), max_size=30))
def test_weights_are_summed_then_the_larger_direction_counts(triples):
    total: dict[tuple[int, int], float] = {}
    for a, b, w in triples:
        if a != b and w:
            total[a, b] = total.get((a, b), 0) + w
    expected = {}
    for (a, b), weight in total.items():
        expected[a, b] = expected[b, a] = max(weight, total.get((b, a), 0))
    edges = clean([t[:2] for t in triples], [t[2] for t in triples])
    assert [tuple(p) for p in edges.edge_index().T.tolist()] == sorted(expected)
    weights = edges.edge_weight()
    if weights is None:
        assert set(expected.values()) <= {1}
    else:
        assert weights.dtype == torch.float32
        assert weights.tolist() == [expected[pair] for pair in sorted(expected)]


@given(PAIRS)
def test_cleaning_twice_changes_nothing(pairs):
    once = clean(pairs)
    twice = clean(once.edge_index().T.numpy())
    assert torch.equal(once.edge_index(), twice.edge_index())
    assert (twice.self_loops, twice.duplicates, twice.symmetrised) == (0, 0, False)


def test_zero_weights_are_no_edges():
    edges = clean([(0, 1), (1, 2), (3, 3)], [0, 2, 0], nodes=4)
    assert edges.zero_weights == 1
    assert edges.self_loops == 1
    assert edges.edge_index().tolist() == [[1, 2], [2, 1]]


def test_many_duplicates_do_not_overflow():
    edges = clean([(0, 1)] * 300)
    assert edges.duplicates == 299
    assert edges.edge_index().shape == (2, 2)
