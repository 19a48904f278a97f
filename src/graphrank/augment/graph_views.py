"""GraphCL's views of whole graphs: every graph of a batch is changed in a way of its own.

Reference: You, Chen, Sui, Chen, Wang & Shen, "Graph Contrastive Learning with Augmentations",
NeurIPS 2020. Nodes, edges or features are left out, or all but a connected part. How many are
taken is a fixed share of each graph, rounded down: a graph of few nodes may stay as it is, and none
ever loses all of them. Graph ``i`` of a view is graph ``i`` of the batch that it was drawn from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import scipy.sparse as sp
import torch
import torch.nn.functional as F
from scipy.sparse.csgraph import dijkstra
from torch import Tensor

from graphrank.augment.views import View, clean_view
from graphrank.nn.adjacency import Adjacency
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.sparse import SparsePattern

AugmentationName = Literal["nodes", "edges", "subgraph", "attributes", "none"]
AUGMENTATIONS: tuple[AugmentationName, ...] = ("nodes", "edges", "subgraph", "attributes", "none")

# Masked features are drawn from a normal distribution with this mean and deviation.
_NOISE_MEAN, _NOISE_SPREAD = 0.5, 0.5


@dataclass(frozen=True)
class Strength:
    """How much of a graph each augmentation changes; all are shares.

    Args:
        node_drop: of the nodes, to be left out.
        edge_drop: of the edges, to be left out.
        edge_add: of the edges, to be added between random nodes of the graph.
        subgraph: of the nodes, to be kept; one more is.
        attribute_mask: of the nodes, to get noise for features.
    """

    node_drop: float
    edge_drop: float
    edge_add: float
    subgraph: float
    attribute_mask: float


@dataclass(frozen=True, eq=False)
class GraphView(View):
    """A view of many graphs, some nodes of which may have noise in place of their features.

    Args:
        graph: the graphs that are left of the batch, in its order.
        noisy: ``[masked]`` nodes with noise, or none.
        noise: ``[masked, features]``.
    """

    graph: GraphBatch
    noisy: Tensor | None = None
    noise: Tensor | None = None

    def project(self, weight: Tensor) -> Tensor:
        """The view's features times ``weight`` ``[features, width]``."""
        projected = super().project(weight)
        if self.noisy is None or self.noise is None:
            return projected
        return projected.index_copy(0, self.noisy, self.noise @ weight)


def whole_view(
    batch: GraphBatch, noisy: Tensor | None = None, noise: Tensor | None = None
) -> GraphView:
    """All graphs as they are, but for the noise."""
    clean = clean_view(batch)
    return GraphView(batch, clean.edge_value, symmetric=clean.symmetric, noisy=noisy, noise=noise)


def augment(batch: GraphBatch, choice: Tensor, strength: Strength) -> GraphView:
    """Draw a view of each graph from torch's global random state.

    Args:
        batch: the graphs.
        choice: ``[graphs]`` place of each graph's augmentation in :data:`AUGMENTATIONS`.
        strength: how much is changed.
    """
    picked = {name: choice == place for place, name in enumerate(AUGMENTATIONS)}
    share = {name: is_picked.double() for name, is_picked in picked.items()}
    if bool((picked["nodes"] | picked["subgraph"]).any()):
        dropped = drawn_nodes(batch, share["nodes"] * strength.node_drop)
        kept = grown_parts(batch, strength.subgraph, picked["subgraph"])
        batch = batch.induced(kept & ~dropped)
    if bool(picked["edges"].any()):
        batch = perturb_edges(
            batch, share["edges"] * strength.edge_drop, share["edges"] * strength.edge_add
        )
    if not bool(picked["attributes"].any()):
        return whole_view(batch)
    masked = drawn_nodes(batch, share["attributes"] * strength.attribute_mask)
    noisy = masked.nonzero().flatten()
    noise = torch.randn(
        noisy.numel(), batch.num_features, dtype=batch.features.dtype, device=batch.device
    )
    return whole_view(batch, noisy, _NOISE_MEAN + _NOISE_SPREAD * noise)


def drawn_nodes(batch: GraphBatch, share: Tensor) -> Tensor:
    """``[nodes]`` whether a node is drawn: a share of each graph's, each as likely as another.

    Args:
        batch: the graphs.
        share: ``[graphs]`` between 0 and 1, in double precision.
    """
    return _drawn(batch.ptr, _part_of(batch.sizes, share))


def grown_parts(batch: GraphBatch, share: float, picked: Tensor) -> Tensor:
    """``[nodes]`` whether a node is kept: a connected part of each picked graph, all of others.

    A part grows from a random node, always along a random edge that leaves it. Fires that spread
    from there and take a time of exponential distribution for each edge reach the nodes in just
    such an order, and when they do is a shortest path. A component that is too small is kept whole.

    Args:
        batch: the graphs.
        share: of the nodes of a graph, to be kept; one more is, as in the authors' code.
        picked: ``[graphs]`` booleans.
    """
    kept = ~picked[batch.graph_of_node]
    if bool(kept.all()):
        return kept
    start = (
        batch.ptr[:-1] + (torch.rand(batch.num_graphs, device=batch.device) * batch.sizes).long()
    )
    pattern = batch.adjacency.pattern
    time = torch.empty(pattern.num_entries, dtype=torch.double, device=batch.device).exponential_()
    edges = sp.csr_array(
        (time.cpu().numpy(), pattern.column.cpu().numpy(), pattern.row_pointer.cpu().numpy()),
        shape=pattern.shape,
    )
    reached = torch.from_numpy(
        dijkstra(edges, indices=start[picked].cpu().numpy(), min_only=True)
    ).to(batch.device)
    wanted = (batch.sizes.double() * share).long() + 1
    is_early = _rank_within(reached, batch.ptr) < wanted[batch.graph_of_node]
    return kept | (is_early & reached.isfinite())


def perturb_edges(batch: GraphBatch, dropped: Tensor, added: Tensor) -> GraphBatch:
    """The graphs without some of their edges, and with others between nodes of the same graph.

    Both directions of an undirected edge go together. A new edge that is a self-loop or there
    already is left out again.

    Args:
        batch: the graphs.
        dropped: ``[graphs]`` share of each graph's edges to be left out.
        added: ``[graphs]`` share of each graph's edges to be drawn anew.
    """
    adjacency, pattern = batch.adjacency, batch.adjacency.pattern
    is_edge = ~adjacency.is_loop
    if adjacency.is_symmetric:
        places = torch.arange(pattern.num_entries, device=batch.device)
        is_edge &= adjacency.representative == places
    before = F.pad(is_edge.cumsum(0), (1, 0))
    edge_ptr = before[pattern.row_pointer[batch.ptr]]
    is_dropped = torch.zeros_like(is_edge)
    is_dropped[is_edge] = _drawn(edge_ptr, _part_of(edge_ptr.diff(), dropped))
    if adjacency.is_symmetric:
        is_dropped = is_dropped[adjacency.representative]
    left = replace(batch, adjacency=_with_entries(adjacency, ~is_dropped))
    count = _part_of(edge_ptr.diff(), added)
    return _with_random_edges(left, count) if bool(count.any()) else left


def _with_random_edges(batch: GraphBatch, count: Tensor) -> GraphBatch:
    """Undirected edges between random pairs of nodes, ``count`` ``[graphs]`` of each graph."""
    graph = torch.arange(batch.num_graphs, device=batch.device).repeat_interleave(count)
    ends = torch.rand(2, graph.numel(), device=batch.device) * batch.sizes[graph]
    one, other = batch.ptr[graph] + ends.long()
    pattern, nodes = batch.adjacency.pattern, batch.num_nodes
    row = torch.cat([pattern.row, one, other])
    column = torch.cat([pattern.column, other, one])
    places = torch.unique((row * nodes + column)[row != column])
    edge_index = torch.stack([places % nodes, places // nodes])
    return replace(batch, adjacency=Adjacency(edge_index, nodes, device=batch.device))


def _with_entries(adjacency: Adjacency, left: Tensor) -> Adjacency:
    """The same nodes with some of the entries, ``left`` ``[entries]``."""
    pattern = adjacency.pattern
    row_pointer = F.pad(left.cumsum(0), (1, 0))[pattern.row_pointer]
    fewer = SparsePattern(row_pointer, pattern.column[left], pattern.shape)
    return Adjacency.from_pattern(fewer, adjacency.weight[left])


def _part_of(size: Tensor, share: Tensor) -> Tensor:
    """``[groups]`` a share of each group's size, rounded down."""
    return (size * share).long()


def _drawn(ptr: Tensor, count: Tensor) -> Tensor:
    """``[items]`` whether an item is drawn: ``count`` ``[groups]`` of each group, at random."""
    chance = torch.rand(int(ptr[-1]), device=ptr.device)
    return _rank_within(chance, ptr) < count.repeat_interleave(ptr.diff())


def _rank_within(key: Tensor, ptr: Tensor) -> Tensor:
    """``[items]`` how many items of the same group come before each, by their keys.

    Args:
        key: ``[items]``, those of a group one after another.
        ptr: ``[groups + 1]`` where each group starts.
    """
    group = torch.arange(ptr.numel() - 1, device=ptr.device).repeat_interleave(ptr.diff())
    order = key.argsort()
    order = order[group[order].argsort(stable=True)]
    rank = torch.empty_like(order)
    rank[order] = torch.arange(order.numel(), device=order.device) - ptr[group]
    return rank
