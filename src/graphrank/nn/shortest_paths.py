"""Shortest paths of graphs as words: two labels, and how far apart the nodes are that have them.

A word is one 64-bit number that holds both labels and the length, and so means the same in every
graph. Which end a path begins at is not part of it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import dijkstra

from graphrank.errors import DataError
from graphrank.nn.wl import ColorCounts, Numbers

# Three numbers of 21 bits fit into a word. A graph whose lengths or degrees did not fit would have
# millions of nodes, and all of its pairs could not be looked at anyway.
_BITS = 21
# Pairs of nodes that are looked at together; a hundred bytes or so for each of them.
_BLOCK = 1 << 20


def path_counts(
    labels: Numbers, row_pointer: Numbers, column: Numbers, ptr: Numbers, block: int = _BLOCK
) -> ColorCounts:
    """How often each word occurs among the shortest paths from each node.

    A path counts at both of its ends. Pairs that no path connects are left out, and so are nodes
    with themselves; directions of edges mean nothing. Time is quadratic in the nodes of a graph.

    Args:
        labels: ``[nodes]`` from zero on.
        row_pointer: ``[nodes + 1]`` of the adjacency matrix with all self-loops, as CSR.
        column: ``[edges + nodes]`` of the same; no edge is between two graphs.
        ptr: ``[graphs + 1]``; graph ``i`` has the nodes ``ptr[i]`` to ``ptr[i + 1] - 1``.
        block: pairs of nodes that are looked at together, but for those of one node.

    Returns:
        Counts whose texts are the nodes.

    Example:
        >>> path = np.array([0, 2, 5, 7]), np.array([0, 1, 0, 1, 2, 1, 2])
        >>> counts = path_counts(np.zeros(3, dtype=np.int64), *path, np.array([0, 3]))
        >>> [(int(node), int(word)) for node, word in zip(counts.graph, counts.color)]
        [(0, 1), (0, 2), (1, 1), (2, 1), (2, 2)]
        >>> counts.count
        array([1, 1, 2, 1, 1])
    """
    if labels.size and int(labels.max()) >> _BITS:
        raise DataError(f"shortest paths take fewer than {1 << _BITS} labels, counted from zero")
    parts = [
        _counted(labels[start:end], distance, first, start, labels.size)
        for start, end in zip(ptr[:-1].tolist(), ptr[1:].tolist(), strict=True)
        for first, distance in _distances(row_pointer, column, start, end, block)
    ]
    return ColorCounts.joined(parts, labels.size)


def _distances(
    row_pointer: Numbers, column: Numbers, start: int, end: int, block: int
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Some rows at a time of a graph's distances: where they begin, and ``[rows, size]``."""
    size = end - start
    entries = slice(row_pointer[start], row_pointer[end])
    pointer = row_pointer[start : end + 1] - row_pointer[start]
    neighbor = column[entries] - start
    adjacency = sp.csr_array((np.ones(neighbor.size), neighbor, pointer), shape=(size, size))
    step = max(1, block // max(1, size))
    for first in range(0, size, step):
        rows = np.arange(first, min(first + step, size))
        yield first, dijkstra(adjacency, directed=False, indices=rows, unweighted=True)


def _counted(
    labels: Numbers, distance: NDArray[np.float64], first: int, start: int, num_nodes: int
) -> ColorCounts:
    """The words of some nodes of a graph, from their distances to all of its nodes."""
    row, sink = np.nonzero(np.isfinite(distance) & (distance > 0))
    ends = labels[first + row], labels[sink]
    word = (np.minimum(*ends) << 2 * _BITS) | (np.maximum(*ends) << _BITS)
    word |= distance[row, sink].astype(np.int64)
    source = start + first + row
    return ColorCounts.summed(source, word, np.ones_like(word), num_nodes)
