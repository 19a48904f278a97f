"""The adjacency matrix of a graph, with self-loops, and its normalisation under dropped edges."""

from __future__ import annotations

from functools import cached_property

import torch
from torch import Tensor

from graphrank.nn.sparse import SparsePattern


class Adjacency:
    """``A + I`` as one CSR pattern, built once; views of it differ in values only.

    Row ``i`` holds the nodes that send messages to ``i``: entry ``(target, source)``.

    Args:
        edge_index: ``[2, edges]`` sources and targets, without self-loops or duplicates.
        num_nodes: number of nodes.
        edge_weight: ``[edges]`` non-negative weights, or none for ones.
        device: where the products are computed.
    """

    def __init__(
        self,
        edge_index: Tensor,
        num_nodes: int,
        edge_weight: Tensor | None = None,
        device: torch.device | str = "cpu",
    ) -> None:
        source, target = edge_index
        loops = torch.arange(num_nodes, device=edge_index.device)
        row, column = torch.cat([target, loops]), torch.cat([source, loops])
        order = (row * num_nodes + column).argsort()
        row, column = row[order], column[order]
        counts = torch.bincount(row, minlength=num_nodes)
        row_pointer = torch.cat([counts.new_zeros(1), counts.cumsum(0)])
        self.pattern = SparsePattern(
            row_pointer.to(device), column.to(device), (num_nodes, num_nodes)
        )
        if edge_weight is None:
            weight = torch.ones(order.numel())
        else:
            weight = torch.cat([edge_weight, edge_weight.new_ones(num_nodes)])[order]
        self.weight = weight.to(device)

    @classmethod
    def from_pattern(cls, pattern: SparsePattern, weight: Tensor) -> Adjacency:
        """Take over a square pattern with all self-loops, and the weights of its entries."""
        adjacency = object.__new__(cls)
        adjacency.pattern, adjacency.weight = pattern, weight
        return adjacency

    def select_components(self, nodes: Tensor) -> Adjacency:
        """Whole components of the graph, in time and memory linear in them.

        Args:
            nodes: ``[selected]`` nodes in the new order; no edge leaves them, and those of one
                component follow each other as they do here.
        """
        picked, places = self.pattern.select_rows(nodes)
        moved_by = torch.arange(nodes.numel(), device=nodes.device) - nodes
        column = picked.column + moved_by[picked.row]
        size = (nodes.numel(), nodes.numel())
        return Adjacency.from_pattern(
            SparsePattern(picked.row_pointer, column, size), self.weight[places]
        )

    def induced(self, kept: Tensor) -> Adjacency:
        """The graph of some nodes and of the edges among them, in the order that they have here.

        Args:
            kept: ``[nodes]`` booleans.
        """
        pattern = self.pattern
        left = kept[pattern.row] & kept[pattern.column]
        number = kept.cumsum(0) - 1
        before = torch.cat([left.new_zeros(1, dtype=torch.long), left.cumsum(0)])
        length = (before[pattern.row_pointer[1:]] - before[pattern.row_pointer[:-1]])[kept]
        row_pointer = torch.cat([length.new_zeros(1), length.cumsum(0)])
        size = (length.numel(), length.numel())
        column = number[pattern.column[left]]
        return Adjacency.from_pattern(SparsePattern(row_pointer, column, size), self.weight[left])

    @property
    def num_nodes(self) -> int:
        """Number of nodes."""
        return self.pattern.shape[0]

    @cached_property
    def is_loop(self) -> Tensor:
        """``[entries]`` whether an entry is a self-loop (which is never dropped)."""
        return self.pattern.row == self.pattern.column

    @cached_property
    def is_symmetric(self) -> bool:
        """Whether the matrix equals its transpose: an undirected graph."""
        turned, order = self.pattern.transpose
        return torch.equal(turned.column, self.pattern.column) and torch.equal(
            self.weight[order], self.weight
        )

    @cached_property
    def representative(self) -> Tensor:
        """``[entries]`` for each entry one that stands for it and its mirror image alike."""
        _, order = self.pattern.transpose
        return torch.minimum(torch.arange(order.numel(), device=order.device), order)

    @cached_property
    def normalized_weight(self) -> Tensor:
        """``[entries]`` values of the clean graph's normalised matrix."""
        return self.normalize(self.weight, symmetric=self.is_symmetric)

    def normalize(self, weight: Tensor, *, symmetric: bool) -> Tensor:
        """``D_row^-1/2 A D_col^-1/2`` for values ``weight``; one degree serves if symmetric."""
        pattern = self.pattern
        into = pattern.row_sums(weight).rsqrt()
        out_of = into if symmetric else pattern.column_sums(weight).rsqrt()
        # A self-loop of weight one keeps every degree above zero.
        return into[pattern.row] * weight * out_of[pattern.column]

    def random_neighbor(self, nodes: Tensor | None = None) -> Tensor:
        """One random entry of each row, or of some: a neighbour, or sometimes the node itself."""
        pointer = self.pattern.row_pointer
        start, degree = pointer[:-1], pointer.diff()
        if nodes is not None:
            start, degree = start[nodes], degree[nodes]
        step = (torch.rand(degree.numel(), device=degree.device) * degree).long()
        return self.pattern.column[start + step.minimum(degree - 1)]

    def __repr__(self) -> str:
        edges = self.pattern.num_entries - self.num_nodes
        return f"Adjacency({self.num_nodes} nodes, {edges} edges, {self.pattern.column.device})"
