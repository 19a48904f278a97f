"""Batches of small random graphs in double precision, for steps of graph-level methods."""

from itertools import pairwise

import torch

from graphrank.nn.graph_batch import GraphBatch
from tests.nn.test_graph_batch import random_set


def double_batch(sizes=(5, 1, 4, 6), features=4, seed=3, density=1.0):
    """Random graphs with normal features, of which a share is zero."""
    graphs = random_set(sizes, seed=seed, features=features)
    random = torch.Generator().manual_seed(seed)
    x = graphs.x.double() * (torch.rand(graphs.x.shape, generator=random) < density)
    return graphs, x, GraphBatch.of(x, graphs.edge_index, graphs.ptr)


def summed(graphs, rows, node_weight=1.0):
    """Each node's row and those of its neighbours, added up node by node."""
    out = []
    for node in range(graphs.num_nodes):
        into = graphs.edge_index[0][graphs.edge_index[1] == node]
        out.append(node_weight * rows[node] + rows[into].sum(dim=0))
    return torch.stack(out)


def batch_normed(rows, norm):
    """Batch normalisation with the batch's own statistics, written out."""
    centred = rows - rows.mean(dim=0)
    return centred / (centred.square().mean(dim=0) + norm.eps).sqrt() * norm.weight + norm.bias


def pooled(graphs, rows, reduce=torch.sum):
    """One row a graph, graph by graph."""
    ptr = graphs.ptr.tolist()
    parts = [rows[low:high] for low, high in pairwise(ptr)]
    return torch.stack([reduce(part, dim=0) for part in parts])
