import numpy as np

from graphrank.data import pack
from graphrank.nn.graph_blocks import block, normalized_matrix
from tests.nn.test_graph_batch import batch_of, random_set
from tests.nn.test_spectral_positions import path, ring


def plain_matrix(graph):
    matrix = np.zeros((graph.num_nodes, graph.num_nodes))
    for source, target in graph.edge_index.T.tolist():
        matrix[target, source] = 1.0
    degree = np.maximum(matrix.sum(axis=1), 1)
    return matrix / np.sqrt(np.outer(degree, degree))


def test_each_block_is_the_normalised_matrix_of_its_graph():
    packed = pack([ring(5), path(3), *random_set((7, 1, 9), seed=1)])
    batch = batch_of(packed)
    whole, bounds = normalized_matrix(batch), batch.ptr.tolist()
    for graph, first, last in zip(packed, bounds[:-1], bounds[1:], strict=True):
        found = block(whole, first, last).toarray()
        np.testing.assert_allclose(found, plain_matrix(graph))
        np.testing.assert_allclose(found, whole.toarray()[first:last, first:last])
