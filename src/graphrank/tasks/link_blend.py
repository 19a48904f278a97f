"""A blend of link scores: a dozen numbers of a pair, weighed by validation pairs.

No single scorer serves all graphs. What an embedding says of a pair depends on which of its
directions may speak and how far rows are spread; what the degrees say depends on the graph, and
the smaller of the two says most where many nodes have one edge or none. A logistic regression on
the validation pairs weighs them; with a dozen weights, a few hundred pairs are enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from torch import Tensor

from graphrank.tasks.link_metrics import auc
from graphrank.tasks.link_scores import Scored, SeenGraph, similarities

_POWERS, _HOPS = (0.5, 1.0), 2
_FOLDS = 5


@dataclass(frozen=True, eq=False)
class PairNumbers:
    """What is known of a pair: similarities of differently prepared rows, and degrees."""

    scored: Scored

    @cached_property
    def unit_rows(self) -> Sequence[Tensor]:
        """Rows of length one, prepared once for all pairs: their products are cosines."""
        embedding, graph = self.scored.embedding, self.scored.graph
        found = [embedding, embedding - embedding.mean(dim=0)]
        for power in _POWERS:
            found.append(self.scored.evened(power, hops=0))
            for _ in range(_HOPS):
                found.append(graph.spread(found[-1], 1))
        return [F.normalize(rows, dim=1) for rows in found]

    def of(self, pairs: Tensor) -> Tensor:
        """``[P, numbers]`` of ``[2, P]`` pairs, in double precision."""
        cosines = [similarities("dot", rows, pairs).double() for rows in self.unit_rows]
        degrees = self.scored.graph.log_degree[pairs].double()
        told = [degrees.sum(dim=0), degrees.amin(dim=0), degrees.prod(dim=0)]
        return torch.stack([*cosines, *told], dim=1)


@dataclass(frozen=True, eq=False)
class BlendedScorer:
    """Scores pairs by a weighed sum of their numbers."""

    numbers: PairNumbers
    weights: Tensor
    shift: Tensor

    def __call__(self, pairs: Tensor) -> Tensor:
        """Score ``[2, P]`` pairs: ``[P]``, the log-odds of an edge."""
        return self.numbers.of(pairs) @ self.weights + self.shift


def fit_blend(
    embedding: Tensor, graph: SeenGraph, positives: Tensor, negatives: Tensor
) -> BlendedScorer:
    """Weigh the numbers by ``[2, V]`` validation edges and as many pairs without an edge."""
    numbers = PairNumbers(Scored(embedding, graph))
    model = _model().fit(*_examples(numbers, positives, negatives))
    scale, regression = model[0], model[-1]
    # The scaling folded into the weights: a score is then one product.
    weights = regression.coef_[0] / scale.scale_
    shift = regression.intercept_[0] - scale.mean_ @ weights
    device = embedding.device
    return BlendedScorer(
        numbers,
        torch.as_tensor(weights, dtype=torch.float64, device=device),
        torch.as_tensor(shift, dtype=torch.float64, device=device),
    )


def blend_validation_auc(
    embedding: Tensor, graph: SeenGraph, positives: Tensor, negatives: Tensor
) -> float:
    """AUC on validation pairs of blends that were fitted to the others of five folds.

    A single pair leaves none to fit to; the blend is then that pair's own.
    """
    if positives.size(1) < 2:
        score = fit_blend(embedding, graph, positives, negatives)
        return auc(score(positives), score(negatives))
    rows, joined = _examples(PairNumbers(Scored(embedding, graph)), positives, negatives)
    folds = StratifiedKFold(min(_FOLDS, positives.size(1)), shuffle=True, random_state=0)
    scores = cross_val_predict(_model(), rows, joined, cv=folds, method="decision_function")
    return auc(torch.from_numpy(scores[joined]), torch.from_numpy(scores[~joined]))


def _examples(
    numbers: PairNumbers, positives: Tensor, negatives: Tensor
) -> tuple[np.ndarray, np.ndarray]:
    rows = numbers.of(torch.cat([positives, negatives], dim=1)).cpu().numpy()
    return rows, np.arange(len(rows)) < positives.size(1)


def _model() -> Pipeline:
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
