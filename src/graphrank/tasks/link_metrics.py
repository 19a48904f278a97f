"""Figures of link prediction, from the scores of pairs with and without an edge."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, roc_auc_score
from torch import Tensor

from graphrank.data.negatives import Accept, PairSet, sample_non_neighbours

PairScores = Callable[[Tensor], Tensor]

HITS_AT = 50
MRR_STRANGERS = 100
MRR_EDGES = 2_000


def auc(positive: Tensor, negative: Tensor) -> float:
    """Area under the ROC curve, 0 to 1, of the scores ``[P]`` of edges and ``[M]`` of others."""
    return float(roc_auc_score(*_labelled(positive, negative)))


def average_precision(positive: Tensor, negative: Tensor) -> float:
    """Average precision, 0 to 1, of the scores ``[P]`` of edges and ``[M]`` of others."""
    return float(average_precision_score(*_labelled(positive, negative)))


def hits_at(k: int, positive: Tensor, negative: Tensor) -> float:
    """Share of edges that fewer than ``k`` negatives equal or outdo, as OGB counts it.

    With fewer negatives than ``k`` every edge is a hit.

    Args:
        k: how many negatives may not be outdone.
        positive: ``[P]`` scores of edges.
        negative: ``[M]`` scores of pairs without an edge.
    """
    if negative.numel() < k:
        return 1.0
    kth = negative.topk(k).values[-1]
    return float((positive > kth).double().mean())


def mean_reciprocal_rank(
    score: PairScores, edges: Tensor, known: PairSet, seed: int, accept: Accept | None = None
) -> float:
    """How high a true neighbour ranks among strangers: the mean of 1 / rank.

    For each end ``u`` of each edge ``(u, v)``, 100 nodes that are not joined to ``u`` in the
    whole graph are drawn uniformly, with repetition; the rank of ``v`` is one plus the number of
    them that score higher, those that score the same counting half. Past 2,000 edges only the
    first 2,000 are asked, which are a random sample where the order is random.

    Args:
        score: gives ``[P]`` scores of ``[2, P]`` pairs.
        edges: ``[2, T]`` test edges.
        known: all edges of the graph.
        seed: seed of the strangers.
        accept: tells for each of ``[2, P]`` pairs whether they may be strangers of each other.
    """
    asked = edges[:, :MRR_EDGES]
    nodes = torch.cat([asked[0], asked[1]])
    generator = torch.Generator().manual_seed(seed)
    strangers, valid = sample_non_neighbours(known, nodes, MRR_STRANGERS, generator, accept)
    against = torch.stack([nodes[:, None].expand_as(strangers), strangers]).view(2, -1)
    theirs = score(against).view(strangers.shape)
    own = score(torch.cat([asked, asked.flip(0)], dim=1))[:, None]
    higher = ((theirs > own) & valid).sum(dim=1)
    same = ((theirs == own) & valid).sum(dim=1)
    return float((1 / (1 + higher + 0.5 * same)).double().mean())


def _labelled(positive: Tensor, negative: Tensor) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Truth and scores of both kinds of pairs, as scikit-learn takes them."""
    truth = np.repeat([1, 0], [positive.numel(), negative.numel()])
    return truth, torch.cat([positive, negative]).numpy()
