"""Graph classification: a classifier on frozen embeddings of whole graphs, ten folds."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from torch import Tensor

from graphrank.data import GraphSet
from graphrank.errors import ConfigError, DataError
from graphrank.methods.info import Level
from graphrank.tasks.base import Protocol, Task
from graphrank.tasks.fold_classifiers import LogisticFolds, RbfFolds

_FOLDS = 10
# The folds are part of the protocol: only the method differs from seed to seed.
_FOLD_SEED = 0

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class GraphFolds:
    """The classifier of the protocol, and the training and test graphs of every fold."""

    protocol: str
    folds: tuple[tuple[Places, Places], ...]


_CLASSIFIERS: dict[str, Callable[[Tensor, Tensor], RbfFolds | LogisticFolds]] = {
    "svm-10-fold": RbfFolds,
    "logreg-10-fold": LogisticFolds,
}


@dataclass(frozen=True)
class GraphClassification(Task[GraphFolds]):
    """Mean accuracy over ten stratified folds, and how far the folds lie apart.

    Methods are fitted once, on all graphs without their classes; the classifier of each fold is
    chosen and fitted on the classes of the other nine.
    """

    name: ClassVar[str] = "graph-classification"
    summary: ClassVar[str] = "SVM or logistic regression on embeddings of whole graphs"
    level: ClassVar[Level] = "graph"
    metrics: ClassVar[tuple[str, ...]] = ("accuracy", "fold_std")
    protocols: ClassVar[Mapping[str, Protocol]] = {
        "svm-10-fold": Protocol(
            "svm-10-fold",
            "10 stratified folds, the same for all seeds; SVM with an RBF kernel",
            "5 inner folds of the training graphs",
        ),
        "logreg-10-fold": Protocol(
            "logreg-10-fold",
            "the same folds; logistic regression on z-scored columns",
            "5 inner folds of the training graphs",
        ),
    }

    def default_protocol(self, data: GraphSet) -> str:
        """What the field reports."""
        return "svm-10-fold"

    def split(self, data: GraphSet, protocol: Protocol, seed: int) -> GraphFolds:
        """Ten folds, the same for every seed."""
        if data.y is None:
            raise DataError(
                f"graph classification needs a class for each graph, which {data.name} lacks; give "
                "every graph its y"
            )
        classes, members = torch.unique(data.y, return_counts=True)
        if classes.numel() < 2:
            raise DataError(f"all graphs of {data.name} have one class; there is nothing to learn")
        least = int(members.argmin())
        if int(members[least]) < _FOLDS:
            raise DataError(
                f"class {int(classes[least])} of {data.name} has {int(members[least])} graphs and "
                f"{_FOLDS} folds need at least {_FOLDS}; add graphs or leave the class out"
            )
        cut = StratifiedKFold(_FOLDS, shuffle=True, random_state=_FOLD_SEED)
        y = data.y.numpy()
        return GraphFolds(protocol.name, tuple(cut.split(np.zeros((len(y), 1)), y)))

    def evaluate(
        self, embedding: Tensor, data: GraphSet, split: GraphFolds, seed: int
    ) -> dict[str, float]:
        """Mean accuracy of the folds and its standard deviation over them, in per cent."""
        if data.y is None:
            raise AssertionError("checked when the folds were cut")
        classifier = _CLASSIFIERS[split.protocol](embedding, data.y)
        scores = [100 * classifier.accuracy(train, test) for train, test in split.folds]
        return {"accuracy": statistics.fmean(scores), "fold_std": statistics.stdev(scores)}

    def validate(self, embedding: Tensor, data: GraphSet, split: GraphFolds, seed: int) -> float:
        """There is no validation part to choose on."""
        raise ConfigError(
            "graph classification has no validation graphs to choose an epoch on; use "
            "--epoch-selection fixed"
        )
