"""Plain, slow, dense computations that the fast ones are held against."""

import torch
from hypothesis import strategies as st

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.sparse import SparsePattern


def pattern_of(filled):
    """The CSR pattern of a boolean matrix, entry by entry."""
    pointer, column = [0], []
    for row in filled.tolist():
        column += [place for place, is_filled in enumerate(row) if is_filled]
        pointer.append(len(column))
    return SparsePattern(
        torch.tensor(pointer), torch.tensor(column, dtype=torch.long), tuple(filled.shape)
    )


def places(pattern):
    """Row and column of each entry of a pattern, entry by entry."""
    pointer, column = pattern.row_pointer.tolist(), pattern.column.tolist()
    return [
        (row, column[place])
        for row in range(pattern.shape[0])
        for place in range(pointer[row], pointer[row + 1])
    ]


def to_dense(pattern, values):
    """The dense matrix of a pattern with values, differentiable in the values."""
    out = values.new_zeros(pattern.shape)
    found = places(pattern)
    if not found:
        return out
    rows, columns = torch.tensor(found).T
    return out.index_put((rows, columns), values)


def dense_adjacency(edge_index, num_nodes, edge_weight=None):
    """``A + I`` in double precision: entry (target, source)."""
    matrix = torch.eye(num_nodes, dtype=torch.double)
    for place, (source, target) in enumerate(edge_index.T.tolist()):
        matrix[target, source] = 1.0 if edge_weight is None else edge_weight[place].double()
    return matrix


def dense_normalized(matrix):
    """``D_row^-1/2 A D_col^-1/2``, entry by entry."""
    into, out_of = matrix.sum(dim=1).tolist(), matrix.sum(dim=0).tolist()
    out = torch.zeros_like(matrix)
    for i in range(matrix.size(0)):
        for j in range(matrix.size(1)):
            out[i, j] = matrix[i, j] / (into[i] ** 0.5 * out_of[j] ** 0.5)
    return out


def make_graph(nodes=9, features=6, seed=0, directed=False, weighted=False, density=1.0, share=0.3):
    """A random double-precision graph: its edges, its weights, its features, its input."""
    random = torch.Generator().manual_seed(seed)
    drawn = torch.rand(nodes, nodes, generator=random) < share
    drawn.fill_diagonal_(False)
    weight = 0.5 + torch.rand(nodes, nodes, generator=random, dtype=torch.double)
    if not directed:
        drawn, weight = drawn | drawn.T, torch.maximum(weight, weight.T)
    source, target = drawn.nonzero().T
    edge_index = torch.stack([source, target])
    values = weight[source, target] if weighted else torch.ones(source.numel()).double()
    x = torch.randn(nodes, features, generator=random, dtype=torch.double)
    x = x * (torch.rand(nodes, features, generator=random) < density)
    graph = GraphInput(FeatureMatrix(x), Adjacency(edge_index, nodes, values))
    return edge_index, values, x, graph


@st.composite
def masks(draw, largest=7, square=False):
    """Boolean matrices of any fill, empty rows and columns included."""
    rows = draw(st.integers(1, largest))
    columns = rows if square else draw(st.integers(1, largest))
    size = rows * columns
    share = draw(st.sampled_from([0.0, 0.2, 0.5, 1.0]))
    random = torch.Generator().manual_seed(draw(st.integers(0, 10_000)))
    return (torch.rand(size, generator=random) < share).view(rows, columns)
