"""The best new neighbours of nodes, without ever scoring all pairs at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrank.data.kinds import alike
from graphrank.tasks.link_scores import LinkScorer

_QUERIES_AT_ONCE = 512
_OTHERS_AT_ONCE = 16_384


@dataclass(frozen=True, eq=False)
class TopLinks:
    """The best partners of some nodes, best first.

    Attributes:
        queries: ``[Q]`` nodes.
        nodes: ``[Q, k]`` their partners; -1 where there are no more.
        scores: ``[Q, k]`` their scores; minus infinity where there are no more.
    """

    queries: Tensor
    nodes: Tensor
    scores: Tensor

    def rows(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """All that was found as four columns: query, partner, score, rank from 1."""
        place, rank = (self.nodes >= 0).nonzero(as_tuple=True)
        return self.queries[place], self.nodes[place, rank], self.scores[place, rank], rank + 1


def top_links(
    scorer: LinkScorer,
    queries: Tensor,
    k: int,
    exclude: Tensor | None = None,
    block: tuple[int, int] = (_QUERIES_AT_ONCE, _OTHERS_AT_ONCE),
    kind: Tensor | None = None,
) -> TopLinks:
    """Find the ``k`` nodes that score best with each of some nodes; a node is not its own partner.

    Blocks of queries are multiplied with blocks of all nodes and only the best are kept: memory
    is that of one block, whatever the size of the graph.

    Args:
        scorer: what scores pairs, bound to the embedding of all nodes.
        queries: ``[Q]`` nodes to find partners for.
        k: how many for each.
        exclude: ``[2, E]`` pairs that may not be found, from query to partner, such as the edges
            of the graph.
        block: how many queries and how many others at once.
        kind: ``[N]`` kind of each node, where only nodes of another kind may be found.
    """
    found = [
        _best_of(scorer, some, k, others, kind, block[1])
        for some, others in _with_excluded(queries, exclude, len(scorer.embedding), block[0])
    ]
    if not found:
        empty = torch.empty(0, k)
        return TopLinks(queries, empty.long(), empty)
    scores, nodes = (torch.cat(parts) for parts in zip(*found, strict=True))
    return TopLinks(queries, nodes, scores)


def _with_excluded(
    queries: Tensor, exclude: Tensor | None, num_nodes: int, size: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """Blocks of queries, each with the ``[2, X]`` (place in the block, node) it may not find."""
    pairs = torch.empty(2, 0, dtype=torch.int64) if exclude is None else exclude
    order = pairs[0].argsort(stable=True)
    partners = pairs[1][order]
    start = torch.zeros(num_nodes + 1, dtype=torch.int64)
    start[1:] = torch.bincount(pairs[0], minlength=num_nodes).cumsum(0)
    for some in torch.split(queries, size) if queries.numel() else ():
        counts = start[some + 1] - start[some]
        place = torch.arange(len(some)).repeat_interleave(counts)
        offset = torch.from_numpy(_ranges(counts.numpy()))
        others = partners[start[some].repeat_interleave(counts) + offset]
        own = torch.stack([torch.arange(len(some)), some])
        yield some, torch.cat([torch.stack([place, others]), own], dim=1)


def _ranges(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """0..a-1, 0..b-1, … for counts a, b, …."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


def _best_of(
    scorer: LinkScorer,
    queries: Tensor,
    k: int,
    excluded: Tensor,
    kind: Tensor | None,
    size: int,
) -> tuple[Tensor, Tensor]:
    """Scores and nodes ``[queries, k]``, best first, merged block by block."""
    scores = torch.full((len(queries), k), -torch.inf)
    nodes = torch.full((len(queries), k), -1)
    rows = scorer.rows(queries)
    for first in range(0, len(scorer.embedding), size):
        others = slice(first, min(first + size, len(scorer.embedding)))
        fresh = scorer.block(queries, rows, others)
        inside = (excluded[1] >= others.start) & (excluded[1] < others.stop)
        place, column = excluded[:, inside]
        fresh[place, column - first] = -torch.inf
        if kind is not None:
            fresh[alike(kind[queries].unsqueeze(1), kind[others])] = -torch.inf
        best = fresh.topk(min(k, fresh.size(1)), dim=1)
        scores = torch.cat([scores, best.values], dim=1)
        nodes = torch.cat([nodes, best.indices + first], dim=1)
        scores, kept = scores.topk(k, dim=1)
        nodes = nodes.gather(1, kept)
    return scores, nodes.masked_fill(scores == -torch.inf, -1)
