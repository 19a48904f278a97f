"""Many graphs in one: the form of graph-level datasets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor
from torch_geometric.data import Data


@dataclass(frozen=True, eq=False)
class GraphSet:
    """A set of graphs, packed block-diagonally: few large tensors instead of many small ones.

    Attributes:
        name: Name of the set.
        edge_index: Edges of all graphs ``[2, E]`` in the numbering of the whole set, both
            directions, sorted by (row, column) and so by graph.
        ptr: Graph ``i`` has the nodes ``ptr[i]..ptr[i+1]-1``, int64 ``[G+1]``.
        x: Features of all nodes, dense or CSR ``[N, F]``, or None.
        node_label: Label of every node, ``0..L-1``, int64 ``[N]``, or None.
        y: Class of every graph, int64 ``[G]``, or None.
        graph_id: Id of every graph; ``0..G-1`` by default.
        label_names: What the numbers in ``node_label`` stand for; ``"0".."L-1"`` by default.
        edge_ptr: Graph ``i`` has the edges ``edge_ptr[i]..edge_ptr[i+1]-1``; derived.

    Example:
        >>> pair = torch.tensor([[0, 1], [1, 0]])
        >>> graphs = GraphSet("pairs", torch.cat([pair, pair + 2], dim=1), torch.tensor([0, 2, 4]))
        >>> len(graphs), graphs[1].edge_index.tolist()
        (2, [[0, 1], [1, 0]])
    """

    name: str
    edge_index: Tensor
    ptr: Tensor
    x: Tensor | None = None
    node_label: Tensor | None = None
    y: Tensor | None = None
    graph_id: Sequence[int] | Sequence[str] = ()
    label_names: Sequence[str] = ()
    edge_ptr: Tensor = field(init=False, repr=False)

    def __post_init__(self) -> None:
        edge_ptr = torch.searchsorted(self.edge_index[0].contiguous(), self.ptr)
        object.__setattr__(self, "edge_ptr", edge_ptr)
        object.__setattr__(self, "graph_id", list(self.graph_id) or list(range(len(self))))
        if self.node_label is not None and not self.label_names:
            count = int(self.node_label.max()) + 1 if self.node_label.numel() else 0
            object.__setattr__(self, "label_names", [str(label) for label in range(count)])

    def __len__(self) -> int:
        return len(self.ptr) - 1

    def __iter__(self) -> Iterator[Data]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: int) -> Data:
        """Return graph ``index`` with its own numbering; negative counts from the end."""
        if not -len(self) <= index < len(self):
            raise IndexError(f"graph {index} of {len(self)}")
        index %= len(self)
        low, high = int(self.ptr[index]), int(self.ptr[index + 1])
        edges = slice(int(self.edge_ptr[index]), int(self.edge_ptr[index + 1]))
        graph = Data(edge_index=self.edge_index[:, edges] - low, num_nodes=high - low)
        if self.x is not None:
            graph.x = _rows(self.x, low, high)
        if self.node_label is not None:
            graph.node_label = self.node_label[low:high]
        if self.y is not None:
            graph.y = self.y[index : index + 1]
        graph.graph_id = self.graph_id[index]
        return graph

    def __repr__(self) -> str:
        edges = self.edge_index.size(1)
        return f"GraphSet({self.name!r}, graphs={len(self)}, nodes={self.num_nodes}, edges={edges})"

    @property
    def num_nodes(self) -> int:
        """Number of nodes of all graphs."""
        return int(self.ptr[-1])

    @property
    def batch(self) -> Tensor:
        """The graph that every node belongs to, int64 ``[N]``."""
        return torch.repeat_interleave(torch.arange(len(self)), self.ptr.diff())


def _rows(x: Tensor, low: int, high: int) -> Tensor:
    """Return rows ``low..high-1`` of a dense or CSR tensor, in time linear in these rows."""
    if x.layout != torch.sparse_csr:
        return x[low:high]
    pointers = x.crow_indices()[low : high + 1]
    kept = slice(int(pointers[0]), int(pointers[-1]))
    return torch.sparse_csr_tensor(
        pointers - pointers[0],
        x.col_indices()[kept],
        x.values()[kept],
        size=(high - low, x.size(1)),
        check_invariants=False,
    )
