"""Classes for all nodes from the labels of a few: a linear classifier on a frozen embedding."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from torch import Tensor

from graphrank.errors import DataError
from graphrank.tasks.probes import MAX_ITERATIONS, STRENGTHS, in_span_of

Rows: TypeAlias = NDArray[np.float32]
Classes: TypeAlias = NDArray[np.int64]
Places: TypeAlias = NDArray[np.int64]

_FOLDS = 5
# With more labels than these one fifth is held out, once, in place of every fifth in turn.
_MANY = 500
# Neither strong nor weak, for a class with one label alone: nothing can be held out then.
_UNTRIED_STRENGTH = 16.0


@dataclass(frozen=True)
class Predicted:
    """Classes of all nodes.

    Args:
        probability: ``[nodes, classes]``; zero for classes that no label names.
        accuracy: share of held-out labels predicted right from the others, which chose the
            strength, too; none where a class has too few labels to hold one out.
        majority: the share of the commonest label, which is what guessing would reach.
    """

    probability: Tensor
    accuracy: float | None
    majority: float

    @property
    def label(self) -> Tensor:
        """``[nodes]`` the likeliest class of each."""
        return self.probability.argmax(dim=1)


def predict_classes(embedding: Tensor, y: Tensor, seed: int = 0) -> Predicted:
    """Learn from the labelled nodes and predict all of them.

    An L2-regularised logistic regression; its strength is the best of :data:`STRENGTHS` on
    held-out labels, of equal ones the stronger penalty.

    Args:
        embedding: ``[nodes, channels]``.
        y: ``[nodes]`` classes, -1 where there is no label.
        seed: seed of what is held out.

    Raises:
        DataError: If the labels name fewer than two classes.
    """
    labelled = (y >= 0).nonzero().flatten()
    labels = y[labelled].numpy()
    counts = np.unique_counts(labels).counts
    if len(counts) < 2:
        raise DataError(
            f"{len(labels):,} labels of {len(counts)} class; label nodes of two classes at least"
        )
    z = in_span_of(embedding, labelled).numpy()
    train = z[labelled.numpy()]
    model = _fit(train, labels, _best_strength(train, labels, seed))
    probability = torch.zeros(len(z), int(y.max()) + 1)
    probability[:, model.classes_.tolist()] = torch.from_numpy(model.predict_proba(z)).float()
    accuracy = _accuracy(train, labels, seed)
    return Predicted(probability, accuracy, float(counts.max() / counts.sum()))


def _accuracy(train: Rows, labels: Classes, seed: int) -> float | None:
    """Held-out labels predicted right, by strengths that were chosen without them."""
    judged = right = 0
    for seen, held_out in _parts(labels, seed):
        model = _fit(train[seen], labels[seen], _best_strength(train[seen], labels[seen], seed))
        right += int((model.predict(train[held_out]) == labels[held_out]).sum())
        judged += len(held_out)
    return right / judged if judged else None


def _best_strength(train: Rows, labels: Classes, seed: int) -> float:
    """The strength that predicts held-out labels best."""
    parts = list(_parts(labels, seed))
    best, chosen = 0, _UNTRIED_STRENGTH
    for strength in STRENGTHS if parts else ():
        right = 0
        for seen, held_out in parts:
            model = _fit(train[seen], labels[seen], strength)
            right += int((model.predict(train[held_out]) == labels[held_out]).sum())
        if right > best:
            best, chosen = right, strength
    return chosen


def _parts(labels: Classes, seed: int) -> Iterator[tuple[Places, Places]]:
    """Labels to learn from and labels held out, all classes in both; none where one has too few."""
    folds = min(_FOLDS, int(np.unique_counts(labels).counts.min()))
    if folds < 2:
        return
    parts = StratifiedKFold(folds, shuffle=True, random_state=seed).split(labels, labels)
    yield from islice(parts, 1 if len(labels) > _MANY else folds)


def _fit(train: Rows, labels: Classes, strength: float) -> LogisticRegression:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return LogisticRegression(C=strength, max_iter=MAX_ITERATIONS).fit(train, labels)
