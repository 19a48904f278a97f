"""How likely two nodes are joined, from their embeddings: named scorers without any training.

Every scorer is a product of two rows plus a term for each node, so that pairs can be scored one
by one (:meth:`LinkScorer.__call__`) or a block of nodes against a block of others
(:meth:`LinkScorer.block`). The rows may be prepared with the help of the edges that may be seen.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import torch
import torch.nn.functional as F
from torch import Tensor

from graphrank.errors import ConfigError, unknown_name
from graphrank.nn.adjacency import Adjacency
from graphrank.nn.sparse import spmm
from graphrank.nn.spectrum import Spectrum
from graphrank.tasks.link_metrics import auc
from graphrank.training.randomness import seeded

_log = logging.getLogger("graphrank")

AUTO = "auto"
BLEND = "blend"  # of several, weighed on validation: graphrank.tasks.link_blend
DEGREE_WEIGHTS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
_DEFAULT_DEGREE_WEIGHT = 0.02
_NUMBERS_AT_ONCE = 1 << 24


@dataclass(frozen=True, eq=False)
class SeenGraph:
    """The edges that may be seen: those of training, or all of a user's graph.

    Args:
        edge_index: ``[2, E]`` both directions.
        num_nodes: number of nodes.
    """

    edge_index: Tensor
    num_nodes: int

    @cached_property
    def log_degree(self) -> Tensor:
        """log(1 + degree) ``[nodes]``, edges counted where they start."""
        return torch.bincount(self.edge_index[0], minlength=self.num_nodes).float().log1p()

    @cached_property
    def adjacency(self) -> Adjacency:
        """The normalised matrix that spreads rows over neighbours."""
        return Adjacency(self.edge_index, self.num_nodes)

    def spread(self, rows: Tensor, hops: int) -> Tensor:
        """Rows averaged over neighbours ``hops`` times, ``[nodes, channels]``."""
        for _ in range(hops):
            value = self.adjacency.normalized_weight.to(rows.dtype)
            rows = spmm(self.adjacency.pattern, value, rows)
        return rows


@dataclass(frozen=True, eq=False)
class Scored:
    """What scorers prepare their rows from.

    Args:
        embedding: ``[nodes, channels]``.
        graph: the edges that may be seen.
    """

    embedding: Tensor
    graph: SeenGraph

    @cached_property
    def spectrum(self) -> Spectrum:
        """The embedding's spectrum: the same each time, whatever was drawn before."""
        with seeded(0, self.embedding.device):
            return Spectrum.of(self.embedding)

    def evened(self, power: float, hops: int) -> Tensor:
        """Rows with an evened-out spectrum, averaged over neighbours."""
        return self.graph.spread(self.spectrum.flattened(power), hops)


Prepare = Callable[[Scored], Tensor]
Transform = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class ScorerKind:
    """What a named scorer does.

    Args:
        summary: its formula in one line.
        transform: rows ``[P, d]`` and the mean of all rows ``[d]`` to the rows that are multiplied.
        prepare: what is done to the whole embedding before, with the graph that may be seen.
        degree_weights: what may stand before the logarithms of the degrees; the best on
            validation is taken.
        default_weight: the one to take where there is no validation.
    """

    summary: str
    transform: Transform
    degree_weights: tuple[float, ...] = (0.0,)
    default_weight: float = 0.0
    prepare: Prepare = lambda scored: scored.embedding


def _as_they_are(rows: Tensor, mean: Tensor) -> Tensor:
    return rows


def _unit(rows: Tensor, mean: Tensor) -> Tensor:
    return F.normalize(rows, dim=1)


def _centred(rows: Tensor, mean: Tensor) -> Tensor:
    return rows - mean


def _centred_unit(rows: Tensor, mean: Tensor) -> Tensor:
    return F.normalize(rows - mean, dim=1)


SCORERS: dict[str, ScorerKind] = {
    "dot": ScorerKind("z_u · z_v; its sigmoid is the paper's probability", _as_they_are),
    "cosine": ScorerKind("z_u · z_v at unit length", _unit),
    "centred-dot": ScorerKind("(z_u − m) · (z_v − m), m the mean over all nodes", _centred),
    "centred-cosine": ScorerKind("the same at unit length", _centred_unit),
    "degree-cosine": ScorerKind(
        "cosine + a (log(1 + d_u) + log(1 + d_v)), d the degrees in the training graph",
        _unit,
        DEGREE_WEIGHTS,
        _DEFAULT_DEGREE_WEIGHT,
    ),
    "degree-centred-cosine": ScorerKind(
        "centred-cosine + a (log(1 + d_u) + log(1 + d_v))",
        _centred_unit,
        DEGREE_WEIGHTS,
        _DEFAULT_DEGREE_WEIGHT,
    ),
    "flat-cosine": ScorerKind(
        "cosine after singular values^1/2 and one step to neighbours, + a (log-degrees)",
        _unit,
        (0.0, *DEGREE_WEIGHTS),
        0.0,
        lambda scored: scored.evened(0.5, hops=1),
    ),
    "white-cosine": ScorerKind(
        "cosine after whitening and two steps to neighbours, + a (log-degrees)",
        _unit,
        (0.0, *DEGREE_WEIGHTS),
        _DEFAULT_DEGREE_WEIGHT,
        lambda scored: scored.evened(1.0, hops=2),
    ),
}


@dataclass(frozen=True, eq=False)
class LinkScorer:
    """A scorer bound to an embedding.

    The sigmoid of the paper is left out: it changes no order, and in single precision it would
    make equal what is not.

    Args:
        name: its name in :data:`SCORERS`.
        embedding: ``[nodes, channels]``, prepared as the scorer asks.
        log_degree: ``[nodes]`` log(1 + degree) in the graph that may be seen.
        degree_weight: what stands before it.
    """

    name: str
    embedding: Tensor
    log_degree: Tensor
    degree_weight: float

    @cached_property
    def mean(self) -> Tensor:
        """Mean ``[channels]`` over all nodes."""
        return self.embedding.mean(dim=0)

    def __call__(self, pairs: Tensor) -> Tensor:
        """Score ``[2, P]`` pairs: ``[P]``, in blocks, so that few rows are copied at a time."""
        return similarities(self.name, self.embedding, pairs) + self.degree_weight * (
            self.log_degree[pairs].sum(dim=0)
        )

    def rows(self, nodes: Tensor | slice) -> Tensor:
        """The rows of some nodes ``[n, channels]`` as they are multiplied."""
        return SCORERS[self.name].transform(self.embedding[nodes], self.mean)

    def block(self, nodes: Tensor, rows: Tensor, others: slice) -> Tensor:
        """Score nodes ``[n]``, whose :meth:`rows` are given, against others: ``[n, others]``."""
        bias = self.degree_weight * self.log_degree
        return rows @ self.rows(others).T + bias[nodes][:, None] + bias[others]


def similarities(name: str, embedding: Tensor, pairs: Tensor) -> Tensor:
    """The product part of a scorer for ``[2, P]`` pairs: ``[P]``."""
    transform, mean = SCORERS[name].transform, embedding.mean(dim=0)
    size = max(1, _NUMBERS_AT_ONCE // max(1, embedding.size(1)))
    blocks = [
        (transform(embedding[u], mean) * transform(embedding[v], mean)).sum(dim=1)
        for u, v in (part.unbind() for part in torch.split(pairs, size, dim=1))
    ]
    return torch.cat(blocks) if blocks else embedding.new_empty(0)


def check_scorer(name: str, *, validated: bool = True) -> None:
    """Refuse an unknown scorer; some need validation edges, which are not always there."""
    known = [BLEND, AUTO, *SCORERS] if validated else list(SCORERS)
    if name not in known:
        raise ConfigError(unknown_name("scorer", name, known))


def make_scorer(name: str, embedding: Tensor, graph: SeenGraph) -> LinkScorer:
    """A scorer with its usual degree weight, where there is no validation to choose it on."""
    check_scorer(name, validated=False)
    kind = SCORERS[name]
    prepared = kind.prepare(Scored(embedding, graph))
    return LinkScorer(name, prepared, graph.log_degree, kind.default_weight)


def choose_scorer(
    name: str, embedding: Tensor, graph: SeenGraph, positives: Tensor, negatives: Tensor
) -> LinkScorer:
    """The scorer of that name, or for ``auto`` any, with the best AUC on validation pairs.

    Args:
        name: a name in :data:`SCORERS`, or ``auto``.
        embedding: ``[nodes, channels]``.
        graph: the training edges.
        positives: ``[2, V]`` validation edges.
        negatives: ``[2, V]`` pairs without an edge.
    """
    if name != AUTO:
        check_scorer(name, validated=False)
    names = SCORERS if name == AUTO else (name,)
    pairs = torch.cat([positives, negatives], dim=1)
    tried = _tried(names, embedding, graph, pairs, positives.size(1))
    score, scorer = max(tried, key=lambda one: one[0])
    _log.debug("validation chose %s (%g): AUC %.4f", scorer.name, scorer.degree_weight, score)
    return scorer


def _tried(
    names: Iterable[str], embedding: Tensor, graph: SeenGraph, pairs: Tensor, positives: int
) -> Iterator[tuple[float, LinkScorer]]:
    """Every candidate with its AUC; of equal ones the first is taken."""
    degree = graph.log_degree[pairs].sum(dim=0)
    scored = Scored(embedding, graph)
    for name in names:
        prepared = SCORERS[name].prepare(scored)
        similarity = similarities(name, prepared, pairs)
        for weight in SCORERS[name].degree_weights:
            scores = similarity + weight * degree
            found = auc(scores[:positives], scores[positives:])
            yield found, LinkScorer(name, prepared, graph.log_degree, weight)
