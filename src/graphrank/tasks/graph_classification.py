"""Graph classification: a classifier on frozen embeddings of whole graphs, ten folds.

Supervised methods need no classifier: their own predictions are scored, on the same folds.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from torch import Tensor

from graphrank.data import GraphSet
from graphrank.data.graph_splits import GraphSplit
from graphrank.errors import ConfigError, DataError, unknown_name
from graphrank.methods.base import Method
from graphrank.methods.info import Level
from graphrank.tasks.base import Protocol, Task
from graphrank.tasks.fold_classifiers import (
    STRENGTHS,
    WIDE_STRENGTHS,
    FoldClassifier,
    LinearFolds,
    LogisticFolds,
    RbfFolds,
)
from graphrank.tasks.supervised_folds import (
    EPOCH_ON_TEST,
    FoldFit,
    at_the_best_epoch,
    classes_seen,
    fold_accuracy,
    leaky_split,
    nested_split,
)

_FOLDS = 10
# The folds are part of the protocol: only the method differs from seed to seed.
_FOLD_SEED = 0
# Where they are drawn anew for every seed, the deviation over seeds tells what they decide.
_REDRAWN = "svm-10-fold-redrawn"
_WIDE = "svm-10-fold-wide"

Places = NDArray[np.int64]
KernelName = Literal["auto", "rbf", "linear"]


@dataclass(frozen=True, eq=False)
class GraphFolds:
    """The classifier of the protocol, and the training and test graphs of every fold."""

    protocol: str
    folds: tuple[tuple[Places, Places], ...]


@dataclass(frozen=True)
class GraphClassification(Task[GraphFolds]):
    """Mean accuracy over ten stratified folds, and how far the folds lie apart.

    Methods are fitted once, on all graphs without their classes; the classifier of each fold is
    chosen and fitted on the classes of the other nine. Supervised methods are fitted anew for each
    fold and classify by themselves.

    Args:
        kernel: the SVM's: ``rbf``, ``linear`` (dot products of embeddings), or ``auto``: dot
            products where the method says that they are its kernel, else ``rbf``.
    """

    name: ClassVar[str] = "graph-classification"
    summary: ClassVar[str] = "SVM or logistic regression on embeddings of whole graphs"
    level: ClassVar[Level] = "graph"
    metrics: ClassVar[tuple[str, ...]] = ("accuracy", "fold_std")
    protocols: ClassVar[Mapping[str, Protocol]] = {
        "svm-10-fold": Protocol(
            "svm-10-fold",
            "10 stratified folds, the same for all seeds; SVM, RBF or the method's own kernel",
            "5 inner folds of the training graphs",
        ),
        _REDRAWN: Protocol(
            _REDRAWN,
            "the same with folds of its own for every seed: how much the division decides",
            "5 inner folds of the training graphs",
        ),
        _WIDE: Protocol(
            _WIDE,
            "the same folds; C up to 1000 in place of 10, as GraphCL and others are judged",
            "5 inner folds of the training graphs",
        ),
        "logreg-10-fold": Protocol(
            "logreg-10-fold",
            "the same folds; logistic regression on z-scored columns",
            "5 inner folds of the training graphs",
        ),
        EPOCH_ON_TEST: Protocol(
            EPOCH_ON_TEST,
            "the same folds, supervised methods alone; one epoch for all folds",
            "the test folds",
            diagnostic=True,
        ),
    }

    kernel: KernelName = "auto"

    def __post_init__(self) -> None:
        if self.kernel not in get_args(KernelName):
            raise ConfigError(unknown_name("kernel", self.kernel, get_args(KernelName)))

    def suited_to(self, method: type[Method[Any]]) -> Self:
        """With the kernel that ``auto`` means for this method."""
        if self.kernel != "auto":
            return self
        return replace(self, kernel="linear" if method.dot_product_is_kernel else "rbf")

    def default_protocol(self, data: GraphSet) -> str:
        """What the field reports."""
        return "svm-10-fold"

    def split(self, data: GraphSet, protocol: Protocol, seed: int) -> GraphFolds:
        """Ten folds, the same for every seed unless the protocol draws them anew."""
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
        fold_seed = seed if protocol.name == _REDRAWN else _FOLD_SEED
        cut = StratifiedKFold(_FOLDS, shuffle=True, random_state=fold_seed)
        y = data.y.numpy()
        return GraphFolds(protocol.name, tuple(cut.split(np.zeros((len(y), 1)), y)))

    def evaluate(
        self, embedding: Tensor, data: GraphSet, split: GraphFolds, seed: int
    ) -> dict[str, float]:
        """Mean accuracy of the folds and its standard deviation over them, in per cent."""
        classifier = self._classifier(split.protocol, embedding, data)
        return _summary([classifier.accuracy(train, test) for train, test in split.folds])

    def inner_accuracy(self, embedding: Tensor, data: GraphSet, split: GraphFolds) -> float:
        """Mean over the folds of what the chosen classifier reaches within the training part.

        To compare variants by, in per cent: the classifier of each fold is chosen as in
        :meth:`evaluate`, and its accuracy is that of the inner folds it was chosen by. Test graphs
        of a fold have no part in its figure. They train other folds, so that this is no ground to
        choose an epoch on, which :meth:`evaluate` would then judge.
        """
        classifier = self._classifier(split.protocol, embedding, data)
        return 100 * statistics.fmean(classifier.inner_accuracy(train) for train, _ in split.folds)

    def supervised_splits(self, data: GraphSet, split: GraphFolds) -> list[GraphSplit]:
        """Every fold with the part that a supervised method chooses its epoch on."""
        if split.protocol == EPOCH_ON_TEST:
            return [leaky_split(train, test) for train, test in split.folds]
        y = _classes(data)
        return [nested_split(train, test, y, _FOLD_SEED) for train, test in split.folds]

    def visible_labels(self, data: GraphSet, fold: GraphSplit) -> Tensor:
        """What a supervised method may see of a fold: classes to learn from or choose by."""
        return classes_seen(_classes(data), fold)

    def score(self, fits: Sequence[FoldFit], data: GraphSet, split: GraphFolds) -> dict[str, float]:
        """The figures of :meth:`evaluate`, of a method that classifies by itself."""
        if split.protocol == EPOCH_ON_TEST:
            return _summary(at_the_best_epoch(fits))
        y, folds = _classes(data), self.supervised_splits(data, split)
        return _summary(
            [fold_accuracy(fit, y, fold) for fit, fold in zip(fits, folds, strict=True)]
        )

    def _classifier(self, protocol: str, embedding: Tensor, data: GraphSet) -> FoldClassifier:
        if protocol == EPOCH_ON_TEST:
            raise ConfigError(only_for_supervised("this method"))
        if protocol == "logreg-10-fold":
            return LogisticFolds(embedding, _classes(data))
        kind = LinearFolds if self.kernel == "linear" else RbfFolds
        strengths = WIDE_STRENGTHS if protocol == _WIDE else STRENGTHS
        return kind(embedding, _classes(data), strengths)

    def validate(self, embedding: Tensor, data: GraphSet, split: GraphFolds, seed: int) -> float:
        """There is no validation part to choose on."""
        raise ConfigError(
            "graph classification has no validation graphs to choose an epoch on; use "
            "--epoch-selection fixed"
        )


def only_for_supervised(name: str) -> str:
    """Why a method without labels has no place under the protocol that looks at test folds."""
    return (
        f"{EPOCH_ON_TEST} chooses the epoch of supervised methods and {name} is none; use "
        "--protocol svm-10-fold, or --no-controls where it is a control"
    )


def _classes(data: GraphSet) -> Tensor:
    if data.y is None:
        raise AssertionError("checked when the folds were cut")
    return data.y


def _summary(accuracies: Sequence[float]) -> dict[str, float]:
    """Mean and sample standard deviation over the folds, in per cent."""
    scores = [100 * accuracy for accuracy in accuracies]
    return {"accuracy": statistics.fmean(scores), "fold_std": statistics.stdev(scores)}
