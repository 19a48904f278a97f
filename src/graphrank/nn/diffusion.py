"""Diffusion matrices: how much of a walk from each node ends at each other.

Personalised PageRank walks until a coin says stop, the heat kernel for a Poisson number of steps
(Gasteiger, Weißenberger & Günnemann, "Diffusion Improves Graph Learning", NeurIPS 2019). Both are
weighted sums of powers of a transition matrix. A small graph gets the whole matrix, a larger one
the largest entries of every row, computed block by block so that memory stays linear in nodes.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

import torch
import torch.nn.functional as F
from torch import Tensor

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.propagation import Propagation
from graphrank.nn.sparse import SparsePattern

DiffusionName = Literal["ppr", "heat"]

_log = logging.getLogger("graphrank")

# What the powers that a truncated series leaves out may weigh, all of them together.
_LEFT_OUT = 1e-6
_LEFT_OUT_OF_WHOLE = 1e-13
# Numbers of a block of rows computed at once: few enough to stay near the core. Rows come in
# multiples of what a core's vector registers hold.
_BLOCK, _ROWS_TOGETHER = 1 << 21, 16


@dataclass(frozen=True)
class Diffusion:
    """Which diffusion, and how it is stored.

    Args:
        kind: ``ppr``, ``α (I - (1 - α) D^-1/2 A D^-1/2)^-1``, or ``heat``, ``exp(t A D^-1 - t)``;
            A has self-loops.
        teleport: α, the chance of a walk of ``ppr`` to end at each step.
        time: t, the mean number of steps of ``heat``.
        dense_limit: most nodes of a graph that gets the whole matrix.
        top_k: entries kept in each row of a larger one.
        floor: entries below it are left out, and then the largest of each column made one; 0 for
            the matrix as it is.
    """

    kind: DiffusionName = "ppr"
    teleport: float = 0.2
    time: float = 5.0
    dense_limit: int = 5000
    top_k: int = 64
    floor: float = 0.0

    def matrix(self, graph: GraphInput) -> Propagation:
        """The diffusion of a graph in the number type of its features; kept while it lives."""
        known = _computed.setdefault(graph, {})
        if self not in known:
            known[self] = self._compute(graph)
        return known[self]

    def _compute(self, graph: GraphInput) -> Propagation:
        nodes = graph.num_nodes
        if nodes <= self.dense_limit:
            _log.info("%s diffusion of %d nodes: the whole matrix", self.kind, nodes)
        else:
            _log.info(
                "%s diffusion of %d nodes, above dense_limit=%d: the %d largest entries of each "
                "row",
                self.kind, nodes, self.dense_limit, self.top_k,
            )  # fmt: skip
        return self.of(graph.adjacency, graph.features.dtype)

    def of(self, adjacency: Adjacency, dtype: torch.dtype) -> Propagation:
        """The diffusion over any adjacency matrix, whole or in part as its size says."""
        if adjacency.num_nodes <= self.dense_limit:
            whole = self._whole(adjacency)
            if self.floor > 0:
                whole = torch.where(whole >= self.floor, whole, 0.0)
                whole /= whole.amax(dim=0).clamp_min(self.floor)
            return Propagation(whole.to(dtype))
        return self._largest(adjacency, dtype)

    def _whole(self, adjacency: Adjacency) -> Tensor:
        """All of the matrix ``[nodes, nodes]``, in double precision."""
        values = self._transition(adjacency, torch.double)
        one = torch.eye(adjacency.num_nodes, dtype=torch.double, device=values.device)
        if self.kind == "ppr":
            step = adjacency.pattern.multiply(values, one)
            inverse: Tensor = torch.linalg.inv(one - (1 - self.teleport) * step)
            return self.teleport * inverse
        # The series is as exact as a matrix exponential here, and a sparse product is cheaper.
        return self._series(adjacency.pattern, values, one, _LEFT_OUT_OF_WHOLE)

    def _largest(self, adjacency: Adjacency, dtype: torch.dtype) -> Propagation:
        """The largest entries of each row; a row with fewer nodes in reach has fewer."""
        nodes = adjacency.num_nodes
        # A row of the matrix is a column of its transpose, which is a series of the transpose.
        pattern, order = adjacency.pattern.transpose
        values = self._transition(adjacency, dtype)[order]
        rows = torch.arange(nodes, device=values.device)
        found, column = [], []
        for part in torch.split(rows, _rows_at_once(nodes)):
            start = values.new_zeros(nodes, part.numel())
            start[part, rows[: part.numel()]] = 1
            if self.kind == "ppr" and adjacency.is_symmetric:
                walked = self._solved(pattern, values, start, _LEFT_OUT)
            else:
                walked = self._series(pattern, values, start, _LEFT_OUT)
            walked = walked.T.contiguous()
            top = walked.topk(min(self.top_k, nodes))
            places, sorting = top.indices.sort()
            column.append(places)
            found.append(top.values.gather(1, sorting))
        value = torch.cat(found)
        kept = value >= self.floor if self.floor > 0 else value > 0
        pointer = F.pad(kept.sum(dim=1).cumsum(0), (1, 0))
        value, place = value[kept], torch.cat(column)[kept]
        if self.floor > 0:
            largest = value.new_full((nodes,), self.floor).scatter_reduce(0, place, value, "amax")
            value = value / largest[place]
        return Propagation(value, SparsePattern(pointer, place, (nodes, nodes)))

    def _series(
        self, pattern: SparsePattern, values: Tensor, state: Tensor, left_out: float
    ) -> Tensor:
        """The weighted sum of powers of a matrix, times ``state`` ``[nodes, width]``."""
        total = torch.zeros_like(state)
        for number, weight in enumerate(self._weights(left_out)):
            if number > 0:
                state = pattern.multiply(values, state)
            total.add_(state, alpha=weight)
        return total

    def _solved(
        self, pattern: SparsePattern, values: Tensor, start: Tensor, left_out: float
    ) -> Tensor:
        """What :meth:`_series` gives of ``ppr`` with a symmetric matrix, in a third of the steps.

        Chebyshev's iteration for ``(I - (1 - α) A) x = α start``, given that the eigenvalues of A
        lie between -1 and 1. Entries near zero may come out a little below it.
        """
        reach = 1 - self.teleport
        if reach == 0:
            return start
        # The error falls by this factor with each step, where the series has `reach`.
        fall = reach / (1 + math.sqrt(1 - reach**2))
        values, state, before = reach * values, self.teleport * start, torch.zeros_like(start)
        # A start is one in a few places: only there is something to be added at each step.
        places = start.nonzero(as_tuple=True)
        source, weight = state[places], 2.0
        for _ in range(math.ceil(math.log(left_out / 2) / math.log(fall))):
            weight = 1 / (1 - weight * reach**2 / 4)
            after = pattern.multiply(values, state)
            after[places] += source
            before, state = state, before.lerp_(after, weight)
        return state

    def _transition(self, adjacency: Adjacency, dtype: torch.dtype) -> Tensor:
        """``[entries]`` values of the matrix of one step."""
        weight = adjacency.weight.to(dtype)
        if self.kind == "ppr":
            return adjacency.normalize(weight, symmetric=adjacency.is_symmetric)
        return weight / adjacency.pattern.column_sums(weight)[adjacency.pattern.column]

    def _weights(self, left_out: float) -> Iterator[float]:
        """Weights of the powers 0, 1, 2, …, until those to come sum to ``left_out`` at most."""
        weight = self.teleport if self.kind == "ppr" else math.exp(-self.time)
        remaining, number = 1.0, 0
        while remaining > left_out:
            yield weight
            remaining -= weight
            number += 1
            weight *= 1 - self.teleport if self.kind == "ppr" else self.time / number


def _rows_at_once(nodes: int) -> int:
    """Rows of a block, for a graph of so many nodes."""
    return max(1, _BLOCK // (nodes * _ROWS_TOGETHER)) * _ROWS_TOGETHER


_computed: WeakKeyDictionary[GraphInput, dict[Diffusion, Propagation]] = WeakKeyDictionary()
