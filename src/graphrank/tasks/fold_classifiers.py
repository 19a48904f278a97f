"""Classifiers of one fold, their strength chosen by cross-validation within its training part."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from torch import Tensor

STRENGTHS = (1e-3, 1e-2, 1e-1, 1.0, 10.0)
# The grid of InfoGraph, GraphCL, JOAO and MVGRL.
WIDE_STRENGTHS = (*STRENGTHS, 100.0, 1000.0)
_INNER_FOLDS = 5
_MAX_ITERATIONS = 1000

Places = NDArray[np.int64]
Classes = NDArray[np.int64]
Kernel = NDArray[np.float64]


class FoldClassifier(ABC):
    """A classifier with one strength, for any parts of one embedding.

    Args:
        embedding: ``[graphs, channels]``.
        y: ``[graphs]`` classes.
        strengths: those to choose from, the strongest penalty first.
    """

    def __init__(
        self, embedding: Tensor, y: Tensor, strengths: Sequence[float] = STRENGTHS
    ) -> None:
        self.x, self.y, self.strengths = embedding.double().numpy(), y.numpy(), strengths

    @abstractmethod
    def predictions(self, train: Places, test: Places, *strengths: float) -> list[Classes]:
        """Classes of ``test``, fitted to ``train``, one array for each strength."""

    def accuracy(self, train: Places, test: Places) -> float:
        """Share of ``test`` that is right; no class in it is looked at before."""
        (found,) = self.predictions(train, test, self.strength(train))
        return float((found == self.y[test]).mean())

    def strength(self, train: Places) -> float:
        """The strength that five inner folds find best; of equal ones the strongest penalty."""
        return self.strengths[int(self._inner_scores(train).argmax())]

    def inner_accuracy(self, train: Places) -> float:
        """What that strength reaches in the inner folds: no graph but those of ``train`` counts."""
        return float(self._inner_scores(train).max())

    def _inner_scores(self, train: Places) -> NDArray[np.float64]:
        """Mean accuracy of each strength in the inner folds, equal ones equal to the last bit."""
        scores = np.zeros(len(self.strengths))
        for inner, held_out in StratifiedKFold(_INNER_FOLDS).split(train, self.y[train]):
            found = self.predictions(train[inner], train[held_out], *self.strengths)
            right = [float((each == self.y[train[held_out]]).mean()) for each in found]
            scores += np.asarray(right) / _INNER_FOLDS
        return scores.round(12)


class KernelFolds(FoldClassifier):
    """SVM on a kernel of the graphs."""

    @abstractmethod
    def kernels(self, train: Places, test: Places) -> tuple[Kernel, Kernel]:
        """``[train, train]`` and ``[test, train]``."""

    def predictions(self, train: Places, test: Places, *strengths: float) -> list[Classes]:
        """Fit on the kernel of the training graphs."""
        kernel, to_train = self.kernels(train, test)
        models = (SVC(C=strength, kernel="precomputed") for strength in strengths)
        return [model.fit(kernel, self.y[train]).predict(to_train) for model in models]


class LinearFolds(KernelFolds):
    """SVM on dot products of embeddings, for methods where they are the kernel."""

    def __init__(
        self, embedding: Tensor, y: Tensor, strengths: Sequence[float] = STRENGTHS
    ) -> None:
        super().__init__(embedding, y, strengths)
        self.product = self.x @ self.x.T

    def kernels(self, train: Places, test: Places) -> tuple[Kernel, Kernel]:
        """Parts of the kernel of all graphs."""
        return self.product[np.ix_(train, train)], self.product[np.ix_(test, train)]


class RbfFolds(KernelFolds):
    """SVM with an RBF kernel, its width by scikit-learn's rule ``gamma="scale"``.

    All distances are computed once, for all folds and strengths; each fit has its own width.
    """

    def __init__(
        self, embedding: Tensor, y: Tensor, strengths: Sequence[float] = STRENGTHS
    ) -> None:
        super().__init__(embedding, y, strengths)
        centred = self.x - self.x.mean(axis=0)  # the same distances, with less to cancel
        length = np.square(centred).sum(axis=1)
        self.distance = length[:, None] + length[None, :] - 2 * centred @ centred.T
        np.maximum(self.distance, 0, out=self.distance)

    def kernels(self, train: Places, test: Places) -> tuple[Kernel, Kernel]:
        """Of the width that suits the training graphs."""
        variance = self.x[train].var()
        gamma = 1 / (self.x.shape[1] * variance) if variance > 0 else 1.0
        kernel = np.exp(-gamma * self.distance[np.ix_(train, train)])
        return kernel, np.exp(-gamma * self.distance[np.ix_(test, train)])


class LogisticFolds(FoldClassifier):
    """Logistic regression with an L2 penalty, on columns z-scored by the training graphs."""

    def predictions(self, train: Places, test: Places, *strengths: float) -> list[Classes]:
        """Fit each strength."""
        scaler = StandardScaler().fit(self.x[train])
        seen, unseen = scaler.transform(self.x[train]), scaler.transform(self.x[test])
        model = LogisticRegression(max_iter=_MAX_ITERATIONS, warm_start=True)
        found = []
        for strength in strengths:
            with warnings.catch_warnings():
                # A weak penalty may not be minimised to the last digit; it is judged as it is.
                warnings.simplefilter("ignore", ConvergenceWarning)
                model.set_params(C=strength).fit(seen, self.y[train])
            found.append(model.predict(unseen))
        return found
