import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch_geometric.data import Data
from torch_geometric.utils import erdos_renyi_graph

from graphrank.data import pack
from graphrank.nn import spectral_moments as source
from graphrank.nn.spectral_moments import spectral_moments
from tests.nn.test_graph_batch import batch_of, random_set
from tests.nn.test_spectral_positions import path, ring


def plain_moments(graph, count):
    """Traces of the polynomials of the dense matrix, by their recursion."""
    nodes = graph.num_nodes
    if nodes == 0:
        return np.zeros(count)
    matrix = np.zeros((nodes, nodes))
    for start, end in graph.edge_index.T.tolist():
        matrix[start, end] = matrix[end, start] = 1.0
    degree = np.maximum(matrix.sum(axis=1), 1)
    matrix /= np.sqrt(np.outer(degree, degree))
    before, now, found = np.eye(nodes), matrix, []
    for _ in range(count):
        before, now = now, 2 * matrix @ now - before
        found.append(np.trace(now) / nodes)
    return np.array(found)


@pytest.mark.parametrize("count", [1, 2, 7, 32])
def test_equals_the_traces_of_the_polynomials(count):
    packed = pack([ring(6), path(5), path(2), *random_set((7, 1, 9), seed=2)])
    found = spectral_moments(batch_of(packed), count)
    expected = np.stack([plain_moments(graph, count) for graph in packed])
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-5)


@pytest.mark.parametrize("count", [1, 2, 7, 32])
def test_probes_come_near_the_eigenvalues(count, monkeypatch):
    torch.manual_seed(0)
    packed = pack([Data(edge_index=erdos_renyi_graph(300, 0.02), num_nodes=300), ring(300)])
    batch = batch_of(packed)
    probed = spectral_moments(batch, count)
    monkeypatch.setattr(source, "_EXACT", 1000)
    exact = spectral_moments(batch, count)
    assert not torch.equal(probed, exact)
    torch.testing.assert_close(probed, exact, rtol=0, atol=0.05)


def test_probes_are_the_same_at_every_call():
    batch = batch_of(pack([ring(400)]))
    assert torch.equal(spectral_moments(batch, 5), spectral_moments(batch, 5))


@given(st.integers(0, 50))
def test_the_numbering_of_the_nodes_does_not_matter(seed):
    (graph,) = random_set((9,), seed=seed)
    order = torch.randperm(9, generator=torch.Generator().manual_seed(seed))
    moved = Data(edge_index=order[graph.edge_index], num_nodes=9)
    first, second = (spectral_moments(batch_of(pack([each])), 8) for each in (graph, moved))
    torch.testing.assert_close(first, second, rtol=0, atol=1e-5)


def test_a_triangle_and_a_tree_differ_where_triangles_show():
    """T_3 counts walks of three steps that close: none in a tree."""
    rows = spectral_moments(batch_of(pack([ring(3), path(3)])), 2)
    assert rows[0, 1] > 0.1 and rows[1, 1] == 0


@pytest.mark.parametrize("size", [8, 12, 200])
def test_odd_moments_without_odd_cycles_are_zero_and_not_rounding(size):
    """Columns are z-scored afterwards, which would blow rounding up to the size of the others."""
    rows = spectral_moments(batch_of(pack([ring(size)])), 12)
    assert not rows[:, 1::2].any()


def test_graphs_without_edges_have_the_moments_of_zero():
    lonely = Data(edge_index=torch.zeros(2, 0).long(), num_nodes=3)
    rows = spectral_moments(batch_of(pack([lonely])), 4)
    torch.testing.assert_close(rows, torch.tensor([[-1.0, 0.0, 1.0, 0.0]]))
