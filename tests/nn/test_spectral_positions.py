import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch_geometric.data import Data

from graphrank.data import pack
from graphrank.nn import spectral_positions as source
from graphrank.nn.spectral_positions import spectral_positions
from tests.nn.test_graph_batch import batch_of, random_set


def ring(size):
    nodes = torch.arange(size)
    return Data(edge_index=torch.stack([nodes, (nodes + 1) % size]), num_nodes=size)


def path(size):
    nodes = torch.arange(size - 1)
    return Data(edge_index=torch.stack([nodes, nodes + 1]), num_nodes=size)


def by_projections(graph, size):
    """Diagonals of the projections on each eigenspace, found by rounding the eigenvalues."""
    nodes = graph.num_nodes
    matrix = np.zeros((nodes, nodes))
    for source_node, target in graph.edge_index.T.tolist():
        matrix[target, source_node] = 1.0
    degree = np.maximum(matrix.sum(axis=1), 1)
    matrix = matrix / np.sqrt(np.outer(degree, degree))
    values, vectors = np.linalg.eigh(matrix)
    columns = []
    for value in np.unique(values.round(7))[::-1]:
        members = np.flatnonzero(values.round(7) == value)
        projection = vectors[:, members] @ vectors[:, members].T
        columns += [np.sqrt(np.maximum(projection.diagonal(), 0) / len(members))] * len(members)
    out = np.stack(columns[:size], axis=1)
    length = np.linalg.norm(out, axis=1, keepdims=True)
    out = np.where(length > 1e-9, out / np.maximum(length, 1e-9), 0.0)
    return np.pad(out, ((0, 0), (0, size - out.shape[1])))


@pytest.mark.parametrize("size", [1, 3, 32])
def test_equals_the_projections_on_the_eigenspaces(size):
    graphs = [ring(6), path(5), ring(3), path(2), *random_set((7, 4, 9), seed=2)]
    packed = pack(graphs)
    found = spectral_positions(batch_of(packed), size)
    expected = np.concatenate([by_projections(graph, size) for graph in packed])
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-5)


def test_all_nodes_of_a_ring_stand_alike_and_those_of_a_path_do_not():
    rows = spectral_positions(batch_of(pack([ring(8), path(8)])), 4)
    torch.testing.assert_close(rows[:8], torch.full((8, 4), 0.5))
    torch.testing.assert_close(rows[8:], rows[8:].flip(0))  # mirrored
    assert (rows[8] - rows[11]).abs().max() > 0.1
    torch.testing.assert_close(rows.norm(dim=1), torch.ones(16))


@given(st.integers(1, 9), st.integers(0, 200))
def test_moves_with_the_nodes(size, seed):
    (graph,) = random_set((size,), seed=seed)
    order = torch.randperm(size, generator=torch.Generator().manual_seed(seed))
    moved = Data(edge_index=order[graph.edge_index], num_nodes=size)
    rows = spectral_positions(batch_of(pack([graph, moved])), 5)
    torch.testing.assert_close(rows[size:][order], rows[:size], rtol=1e-4, atol=1e-5)


def test_nodes_without_edges():
    alone = Data(edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=3)
    rows = spectral_positions(batch_of(pack([alone])), 4)
    expected = torch.tensor([[1 / math.sqrt(3)] * 3 + [0.0]]).expand(3, -1)
    torch.testing.assert_close(rows, expected)


def test_a_part_of_the_spectrum_is_that_part(monkeypatch):
    batch = batch_of(random_set((40, 30), seed=5))
    whole = spectral_positions(batch, 4)
    monkeypatch.setattr(source, "_WHOLE", 10)
    before = np.random.get_state()[1].copy()
    torch.testing.assert_close(spectral_positions(batch, 4), whole, rtol=1e-3, atol=1e-4)
    assert np.array_equal(np.random.get_state()[1], before)
