"""Colour refinement of Weisfeiler and Leman: what a node's neighbourhood looks like, as a number.

A colour is a 64-bit hash of the sub-tree that it stands for, so that it means the same in every
graph: no dictionary is kept while refining, and unseen graphs are refined like seen ones. Among
ten million distinct colours the chance that any two share a number is about 3 in a million.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Hashes = NDArray[np.uint64]

# Odd constants without meaning: they keep a colour apart from the same colour in another part.
_OWN = np.uint64(0x9E3779B97F4A7C15)
_NEIGHBOR = np.uint64(0xC2B2AE3D27D4EB4F)
_ROUND = np.uint64(0x165667B19E3779F9)


def refine(initial: Numbers, row_pointer: Numbers, column: Numbers, iterations: int) -> Numbers:
    """Colours of all nodes after no, one, … ``iterations`` rounds of refinement.

    A node's next colour is decided by its own and by the multiset of its neighbours' colours. No
    colour occurs in two rounds. Time is linear in nodes and edges.

    Args:
        initial: ``[nodes]`` labels to begin with.
        row_pointer: ``[nodes + 1]`` of the adjacency matrix with all self-loops, as CSR.
        column: ``[edges + nodes]`` of the same.
        iterations: rounds.

    Returns:
        ``[iterations + 1, nodes]``.

    Example:
        >>> path = np.array([0, 2, 5, 7]), np.array([0, 1, 0, 1, 2, 1, 2])
        >>> colors = refine(np.zeros(3, dtype=np.int64), *path, iterations=1)
        >>> [len(np.unique(row)) for row in colors]
        [1, 2]
    """
    color = _mixed(initial.astype(np.int64).view(np.uint64))
    rounds = [color]
    for number in range(1, iterations + 1):
        sent = _mixed(color ^ _NEIGHBOR)
        # Sums of hashes do not depend on an order; a self-loop keeps every part non-empty.
        received = np.add.reduceat(sent[column], row_pointer[:-1]) - sent
        color = _mixed(_mixed(color ^ _OWN) + received + np.uint64(number) * _ROUND)
        rounds.append(color)
    return np.stack(rounds).view(np.int64)


@dataclass(frozen=True, eq=False)
class ColorCounts:
    """How often each colour, or other word, occurs in each graph, or other text.

    Args:
        graph: ``[entries]`` sorted.
        color: ``[entries]`` sorted within a graph.
        count: ``[entries]`` at least one.
        num_graphs: number of graphs.
    """

    graph: Numbers
    color: Numbers
    count: Numbers
    num_graphs: int

    @classmethod
    def of(cls, colors: Numbers, graph_of_node: Numbers, num_graphs: int) -> ColorCounts:
        """Count what :func:`refine` gave, all rounds together.

        Args:
            colors: ``[rounds, nodes]``.
            graph_of_node: ``[nodes]``.
            num_graphs: number of graphs.
        """
        graph, color = np.tile(graph_of_node, len(colors)), colors.ravel()
        return cls.summed(graph, color, np.ones_like(color), num_graphs)

    @classmethod
    def summed(cls, graph: Numbers, color: Numbers, count: Numbers, num_graphs: int) -> ColorCounts:
        """Entries in any order, of which several may be of one graph and colour.

        Args:
            graph: ``[entries]``.
            color: ``[entries]``.
            count: ``[entries]`` at least one.
            num_graphs: number of graphs.
        """
        order = np.lexsort((color, graph))
        graph, color, count = graph[order], color[order], count[order]
        is_first = np.ones(graph.size, dtype=bool)
        is_first[1:] = (graph[1:] != graph[:-1]) | (color[1:] != color[:-1])
        first = np.flatnonzero(is_first)
        return cls(graph[first], color[first], np.add.reduceat(count, first), num_graphs)

    @classmethod
    def joined(cls, parts: Sequence[ColorCounts], num_graphs: int) -> ColorCounts:
        """Counts of some graphs behind those of graphs with lower numbers."""
        empty = np.empty(0, dtype=np.int64)
        graph, color, count = (
            np.concatenate([empty, *(getattr(part, name) for part in parts)])
            for name in ("graph", "color", "count")
        )
        return cls(graph, color, count, num_graphs)

    def merged(self, owner: Numbers, num_owners: int) -> ColorCounts:
        """Sums over what belongs together, such as the nodes of a graph.

        Args:
            owner: ``[num_graphs]`` what each graph, or other text, is a part of.
            num_owners: how many there are of these.
        """
        return ColorCounts.summed(owner[self.graph], self.color, self.count, num_owners)

    def vocabulary(self, min_count: int = 1) -> Numbers:
        """The colours that occur at least so often in all graphs together, sorted."""
        colors, place = np.unique(self.color, return_inverse=True)
        total = np.bincount(place, weights=self.count, minlength=colors.size)
        return colors[total >= min_count]

    def matrix(self, vocabulary: Numbers) -> sp.csr_array:
        """``[graphs, vocabulary]`` counts of the colours in a sorted vocabulary that is not empty.

        In double precision; other colours are left out.
        """
        place = np.searchsorted(vocabulary, self.color).clip(max=vocabulary.size - 1)
        known = vocabulary[place] == self.color
        entries = self.count[known].astype(np.float64), (self.graph[known], place[known])
        return sp.csr_array(entries, shape=(self.num_graphs, vocabulary.size))

    def lengths(self) -> NDArray[np.float64]:
        """``[graphs]`` lengths of the vectors of counts, with all their colours."""
        squares = self.count.astype(np.float64) ** 2
        return np.sqrt(np.bincount(self.graph, weights=squares, minlength=self.num_graphs))


def _mixed(value: Hashes) -> Hashes:
    """Spread 64-bit numbers over all 64-bit numbers, one to one (the finish of SplitMix64)."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))
