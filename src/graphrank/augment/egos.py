"""Neighbourhoods of single nodes as graphs of their own, drawn by random walks with restart.

Reference: Qiu et al., "GCC: Graph Contrastive Coding for Graph Neural Network Pre-Training", KDD
2020, section 3.2.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.sparse import SparsePattern, joined_ranges


def draw_starts(graphs: GraphBatch, count: int) -> Tensor:
    """``[count]`` nodes of all graphs, each with a chance that grows as its degree to 3/4.

    Where no node has a neighbour, all are alike.
    """
    weight = (graphs.adjacency.pattern.row_pointer.diff() - 1).double() ** 0.75
    if not bool(weight.any()):
        weight = torch.ones_like(weight)
    end = weight.cumsum(0)
    drawn = torch.rand(count, dtype=torch.double, device=graphs.device) * end[-1]
    # A number next to the end may be rounded up to it.
    return torch.searchsorted(end, drawn, right=True).clamp_max(int(weight.nonzero()[-1]))


def draw_egos(graphs: GraphBatch, starts: Tensor, steps: int, restart: float) -> GraphBatch:
    """The sub-graphs of the nodes that random walks from each start visit.

    A walk goes to a random neighbour and then, with chance ``restart``, back to its start, until
    it has made ``steps`` steps; from a node of high degree, so many more that it sees a good part
    of the neighbours.

    Args:
        graphs: where to walk.
        starts: ``[egos]`` where each walk begins.
        steps: steps of a walk at least.
        restart: chance to go back after each step.

    Returns:
        One graph for each start, whose first node it is.
    """
    degree = graphs.adjacency.pattern.row_pointer.diff() - 1
    wanted = degree[starts].double() ** 0.75 * (math.e / (math.e - 1) / restart) + 0.5
    length = wanted.long().clamp_min(steps)
    ego = torch.arange(starts.numel(), device=starts.device).repeat_interleave(length)
    visited = _walk(graphs.adjacency, starts[ego], joined_ranges(length * 0, length) == 0, restart)
    return _induced(graphs, starts, ego, visited)


def _walk(adjacency: Adjacency, start: Tensor, is_first: Tensor, restart: float) -> Tensor:
    """``[steps]`` where each step ends; all steps that are as far from a restart go at once."""
    place = torch.arange(start.numel(), device=start.device)
    fresh = is_first | (torch.rand(start.numel(), device=start.device) < restart)
    since = place - torch.where(fresh, place, 0).cummax(0).values
    ends = start.clone()
    for depth in range(int(since.max()) + 1):
        now = (since == depth).nonzero().flatten()
        ends[now] = _random_neighbor(adjacency, start[now] if depth == 0 else ends[now - 1])
    return ends


def _random_neighbor(adjacency: Adjacency, nodes: Tensor) -> Tensor:
    """One neighbour of each node; a node without any stays where it is."""
    pointer, column = adjacency.pattern.row_pointer, adjacency.pattern.column
    degree = pointer[nodes + 1] - pointer[nodes] - 1
    step = (torch.rand(nodes.numel(), device=nodes.device) * degree).long()
    place = pointer[nodes] + step.minimum((degree - 1).clamp_min(0))
    # Columns are sorted and the node itself is among them: those from it on move up by one.
    return torch.where(
        degree == 0, nodes, column[place + ((degree > 0) & (column[place] >= nodes))]
    )


def _induced(graphs: GraphBatch, starts: Tensor, ego: Tensor, visited: Tensor) -> GraphBatch:
    """The visited nodes of each ego with all edges among them, the start first."""
    # Nodes of an ego are known by their rank in it: the start is 0, others follow by number.
    count, stride = starts.numel(), graphs.num_nodes + 1
    base = torch.arange(count, device=starts.device) * stride
    others = visited != starts[ego]
    known = torch.unique(torch.cat([base, (base[ego] + visited + 1)[others]]))
    whose = known // stride
    node = torch.where(known % stride == 0, starts[whose], known % stride - 1)

    pattern, _ = graphs.adjacency.pattern.select_rows(node)
    is_start = pattern.column == starts[whose[pattern.row]]
    wanted = base[whose[pattern.row]] + torch.where(is_start, 0, pattern.column + 1)
    found = torch.searchsorted(known, wanted).clamp_max(known.numel() - 1)
    inside = known[found] == wanted
    row, column = pattern.row[inside], found[inside]
    order = (row * known.numel() + column).argsort()
    pointer = torch.cat([row.new_zeros(1), torch.bincount(row, minlength=known.numel()).cumsum(0)])
    size = (known.numel(), known.numel())
    adjacency = Adjacency.from_pattern(
        SparsePattern(pointer, column[order], size),
        graphs.adjacency.weight.new_ones(column.numel()),
    )
    ptr = torch.cat([whose.new_zeros(1), torch.bincount(whose, minlength=count).cumsum(0)])
    return GraphBatch(graphs.features.select_rows(node), adjacency, ptr)
