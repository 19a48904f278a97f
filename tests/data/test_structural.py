import time

import numpy as np
import pytest
from scipy import sparse

from graphrank.data.structural import feature_names, structural_features


def ring(nodes):
    row = np.arange(nodes)
    return sparse.csr_array((np.ones(nodes), (row, (row + 1) % nodes)), shape=(nodes, nodes))


@pytest.mark.parametrize("nodes", [3, 10, 63, 64, 300])
def test_shape_names_and_finite(nodes):
    x, names = structural_features(ring(nodes))
    assert x.shape == (nodes, len(names)) == (nodes, 28)
    assert x.dtype == np.float32
    assert np.isfinite(x).all()
    assert names == feature_names()


@pytest.mark.parametrize("nodes", [1, 2, 100])
def test_no_edges(nodes):
    x, names = structural_features(sparse.csr_array((nodes, nodes)))
    assert x[:, names.index("degree_0_to_0")].tolist() == [1.0] * nodes
    assert x.sum() == nodes


@pytest.mark.parametrize("nodes", [20, 200])
def test_same_graph_same_features(nodes):
    graph = sparse.random_array((nodes, nodes), density=0.1, rng=np.random.default_rng(0))
    first, _ = structural_features(sparse.csr_array(graph))
    second, _ = structural_features(sparse.csr_array(graph))
    assert (first == second).all()


def test_degree_part_by_hand():
    star = sparse.csr_array((np.ones(3), ([0, 0, 0], [1, 2, 3])), shape=(4, 4))
    x, names = structural_features(star)
    column = dict(zip(names, x.T, strict=True))
    np.testing.assert_allclose(column["log_degree"], np.log1p([3, 1, 1, 1]), rtol=1e-6)
    assert column["degree_3_to_4"].tolist() == [1, 0, 0, 0]
    assert column["degree_1_to_1"].tolist() == [0, 1, 1, 1]
    np.testing.assert_allclose(
        column["neighbour_log_degree_mean"], np.log1p([1, 3, 3, 3]), rtol=1e-6
    )
    np.testing.assert_allclose(column["neighbour_log_degree_std"], 0, atol=1e-6)


def test_positions_are_singular_vectors_of_the_normalised_adjacency():
    graph = sparse.random_array((100, 100), density=0.1, rng=np.random.default_rng(1))
    pattern = ((graph + graph.T).toarray() > 0).astype(float)
    np.fill_diagonal(pattern, 0)
    x, names = structural_features(sparse.csr_array(pattern))
    scale = 1 / np.sqrt(pattern.sum(1))
    left, values, _ = np.linalg.svd(pattern * scale[:, None] * scale[None, :])
    first = x[:, names.index("position_0")]
    expected = np.abs(left[:, 0]) * values[0] * 10
    np.testing.assert_allclose(np.abs(first), expected, rtol=1e-3)


def test_the_strongest_entry_is_positive():
    graph = sparse.random_array((80, 80), density=0.1, rng=np.random.default_rng(2))
    x, names = structural_features(sparse.csr_array(graph))
    positions = x[:, names.index("position_0") :]
    strongest = np.abs(positions).argmax(axis=0)
    assert (positions[strongest, np.arange(positions.shape[1])] >= 0).all()


def test_directions_do_not_matter():
    graph = ring(70)
    np.testing.assert_array_equal(
        structural_features(graph)[0], structural_features(sparse.csr_array(graph.T))[0]
    )


def test_a_hundred_thousand_nodes_in_seconds():
    rng = np.random.default_rng(0)
    row, col = rng.integers(100_000, size=(2, 300_000))
    graph = sparse.coo_array((np.ones(300_000), (row, col)), shape=(100_000, 100_000))
    start = time.perf_counter()
    structural_features(graph.tocsr())
    assert time.perf_counter() - start < 20
