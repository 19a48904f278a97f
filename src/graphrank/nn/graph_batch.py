"""Many graphs in one input: a block-diagonal pack that parts can be picked from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.sparse import joined_ranges


@dataclass(frozen=True, eq=False)
class GraphBatch(GraphInput):
    """Some graphs, or all of a set, ready for products on one device.

    To views and encoders it is one graph of many components; like every :class:`GraphInput` it
    has no field for labels.

    Args:
        features: the features of all nodes.
        adjacency: all edges, none of them between two graphs.
        ptr: ``[graphs + 1]``; graph ``i`` has the nodes ``ptr[i]`` to ``ptr[i + 1] - 1``, of which
            there may be none.
    """

    ptr: Tensor

    @classmethod
    def of(
        cls, x: Tensor, edge_index: Tensor, ptr: Tensor, device: torch.device | str = "cpu"
    ) -> GraphBatch:
        """Pack graphs that are numbered through, as in a ``GraphSet``; this sorts the edges, once.

        Args:
            x: ``[nodes, features]`` dense or CSR.
            edge_index: ``[2, edges]`` without self-loops or duplicates.
            ptr: ``[graphs + 1]``.
            device: where the products are computed.
        """
        adjacency = Adjacency(edge_index, x.size(0), None, device)
        return cls(FeatureMatrix(x, device), adjacency, ptr.to(device))

    @property
    def num_graphs(self) -> int:
        """Number of graphs."""
        return self.ptr.numel() - 1

    @property
    def sizes(self) -> Tensor:
        """``[graphs]`` number of nodes of each graph."""
        return self.ptr.diff()

    @cached_property
    def graph_of_node(self) -> Tensor:
        """``[nodes]`` the graph that each node belongs to."""
        graphs = torch.arange(self.num_graphs, device=self.device)
        return graphs.repeat_interleave(self.sizes, output_size=self.num_nodes)

    def select(self, graphs: Tensor) -> GraphBatch:
        """Some graphs in their order, in time and memory linear in them.

        Args:
            graphs: ``[selected]`` graphs of this pack.
        """
        start, size = self.ptr[graphs], self.sizes[graphs]
        nodes = joined_ranges(start, size)
        return GraphBatch(
            self.features.select_rows(nodes),
            self.adjacency.select_components(nodes),
            torch.cat([size.new_zeros(1), size.cumsum(0)]),
        )

    def induced(self, kept: Tensor) -> GraphBatch:
        """The same graphs without some of their nodes and those nodes' edges.

        Args:
            kept: ``[nodes]`` booleans; a graph may lose all its nodes.
        """
        before = torch.cat([kept.new_zeros(1, dtype=torch.long), kept.cumsum(0)])
        return GraphBatch(
            self.features.select_rows(kept.nonzero().flatten()),
            self.adjacency.induced(kept),
            before[self.ptr],
        )


def split_by_size(
    order: Tensor, sizes: Tensor, most_graphs: int, most_nodes: int
) -> Iterator[Tensor]:
    """Cut a sequence of graphs into parts of bounded size; a larger graph is a part of its own.

    Args:
        order: ``[graphs]`` the graphs in their sequence.
        sizes: number of nodes of every graph.
        most_graphs: graphs of a part at most.
        most_nodes: nodes of a part at most.

    Example:
        >>> sizes = torch.tensor([3, 9, 2, 2])
        >>> [part.tolist() for part in split_by_size(torch.arange(4), sizes, 2, 5)]
        [[0], [1], [2, 3]]
    """
    first, nodes = 0, 0
    for place, size in enumerate(sizes[order].tolist()):
        if place > first and (place - first == most_graphs or nodes + size > most_nodes):
            yield order[first:place]
            first, nodes = place, 0
        nodes += size
    if first < order.numel():
        yield order[first:]
