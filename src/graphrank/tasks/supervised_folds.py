"""Supervised methods on ten folds: whose classes they see, and what is counted.

Nested, an inner part of the training graphs chooses the epoch and the test fold is predicted once.
GIN's own paper chose one epoch for all folds by their test accuracy: that is the diagnostic here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrank.data.graph_splits import GraphSplit, hold_out
from graphrank.errors import ConfigError

EPOCH_ON_TEST = "epoch-on-test-10-fold"
# Part of each training fold that chooses the epoch.
_VALIDATION_SHARE = 0.1

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FoldFit:
    """What a method learnt on one fold.

    Args:
        prediction: ``[graphs]`` classes of all graphs of the set.
        validation_accuracy: share of the validation part that was right after each epoch.
    """

    prediction: Tensor
    validation_accuracy: Sequence[float]


def nested_split(train: Places, test: Places, y: Tensor, seed: int) -> GraphSplit:
    """A fold with an inner validation part, stratified and drawn by the seed of the folds."""
    left, chosen = hold_out(torch.from_numpy(train), y, _VALIDATION_SHARE, seed)
    return GraphSplit(left, chosen, torch.from_numpy(test))


def leaky_split(train: Places, test: Places) -> GraphSplit:
    """A fold whose test part is looked at after every epoch, as if it were validation."""
    held_out = torch.from_numpy(test)
    return GraphSplit(torch.from_numpy(train), held_out, held_out)


def classes_seen(y: Tensor, split: GraphSplit) -> Tensor:
    """The classes of training and validation graphs, -1 for all others."""
    seen = torch.cat([split.train, split.val])
    classes = torch.full_like(y, -1)
    classes[seen] = y[seen]
    return classes


def fold_accuracy(fit: FoldFit, y: Tensor, split: GraphSplit) -> float:
    """Share of the test graphs that is predicted right."""
    return float((fit.prediction[split.test] == y[split.test]).double().mean())


def at_the_best_epoch(fits: Sequence[FoldFit]) -> list[float]:
    """The accuracy of every fold at the one epoch whose mean over the folds is best.

    Of equal epochs the first is taken.

    Raises:
        ConfigError: If there was no epoch to choose.

    Example:
        >>> fits = [FoldFit(torch.empty(0), curve) for curve in ([0.5, 0.9], [0.9, 0.7])]
        >>> at_the_best_epoch(fits)
        [0.9, 0.7]
    """
    curves = np.asarray([fit.validation_accuracy for fit in fits])
    if curves.size == 0:
        raise ConfigError(f"{EPOCH_ON_TEST} has no epoch to choose; set epochs to 1 or more")
    best = int(curves.mean(axis=0).round(12).argmax())
    return [float(accuracy) for accuracy in curves[:, best]]
