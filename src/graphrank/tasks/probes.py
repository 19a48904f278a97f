"""Probes: linear classifiers on frozen embeddings, every choice of theirs made on validation."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from torch import Tensor

from graphrank.data import NodeSplit
from graphrank.tasks.linear_layer import LayerTraining, best_layer

# Inverse strengths of the L2 penalty, relative to one training node of unit length.
STRENGTHS = tuple(2.0**power for power in range(-4, 19, 2))
MAX_ITERATIONS = 200

# Dropout, weight decay and learning rate of the probes of SeeGera's authors, strongest first.
_DROPOUT_SETTINGS = (
    (0.9, 1e-3, 1e-3),
    (0.9, 0.0, 1e-3),
    (0.7, 5e-5, 5e-3),
    (0.5, 5e-5, 1e-2),
    (0.3, 1e-4, 5e-3),
    (0.3, 0.0, 1e-3),
    (0.0, 1e-3, 1e-2),
)


@dataclass(frozen=True)
class ProbeResult:
    """What a probe found.

    Args:
        prediction: ``[nodes]`` predicted class of every node.
        validation_accuracy: share of validation nodes predicted right, at the chosen setting.
        chosen: the setting that validation chose.
        ranking: of two classes, ``[nodes]`` scores, the higher the likelier the second one.
    """

    prediction: Tensor
    validation_accuracy: float
    chosen: dict[str, float]
    ranking: Tensor | None = None


Probe = Callable[[Tensor, Tensor, NodeSplit, int], ProbeResult]


def logistic_probe(embedding: Tensor, y: Tensor, split: NodeSplit, seed: int) -> ProbeResult:
    """L2-regularised logistic regression, its strength chosen by validation accuracy.

    The embedding is centred and scaled as a whole (by the training nodes), so that one grid of
    strengths serves every method. Of equal accuracies the stronger penalty wins. Two classes are
    ranked by the strength whose ranking of the validation nodes is best: one may be so rare that
    accuracy tells strengths apart no more.

    Args:
        embedding: ``[nodes, channels]``.
        y: ``[nodes]`` classes.
        split: training, validation and test nodes; the test nodes' labels are not looked at.
        seed: unused, the optimum is unique.
    """
    del seed
    z = in_span_of(embedding, split.train)
    train, labels = z[split.train].numpy(), y[split.train].numpy()
    validation, expected = z[split.val].numpy(), y[split.val].numpy()
    model = LogisticRegression(max_iter=MAX_ITERATIONS, warm_start=True)
    best, prediction, chosen = -1.0, y, 0.0
    best_area, ranking = -1.0, None
    for strength in STRENGTHS:
        model.set_params(C=strength)
        with warnings.catch_warnings():
            # A weak penalty may not be minimised to the last digit; validation judges it as it is.
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(train, labels)
        accuracy = float((model.predict(validation) == expected).mean())
        if accuracy > best:
            best, chosen = accuracy, strength
            prediction = torch.from_numpy(model.predict(z.numpy()).astype(np.int64))
        if len(model.classes_) == 2:
            area = _area(model.decision_function(validation), expected)
            if area > best_area:
                best_area, ranking = area, torch.from_numpy(model.decision_function(z.numpy()))
    return ProbeResult(prediction, best, {"C": chosen}, ranking)


def _area(scores: NDArray[Any], expected: NDArray[np.int64]) -> float:
    """Area under the ROC curve; a half where there is one class, and so nothing to rank."""
    classes = np.unique(expected)
    return float(roc_auc_score(expected == classes[-1], scores)) if len(classes) == 2 else 0.5


def adam_probe(
    embedding: Tensor,
    y: Tensor,
    split: NodeSplit,
    seed: int,
    *,
    epochs: int = 500,
    weight_decay: float = 1e-4,
    dropout: float = 0.3,
) -> ProbeResult:
    """One linear layer behind dropout, trained by Adam; the best validation epoch is kept."""
    z = _centred(embedding, split.train) * embedding.size(1) ** 0.5
    training = LayerTraining(epochs=epochs, weight_decay=weight_decay, dropout=dropout)
    return _by_layer(z, y, split, seed, [training], ())


def logistic_rows_probe(embedding: Tensor, y: Tensor, split: NodeSplit, seed: int) -> ProbeResult:
    """The same as ``logistic`` on rows of length one, as GRACE, GCA and BGRL are judged."""
    return logistic_probe(F.normalize(embedding, dim=1), y, split, seed)


def plain_probe(
    embedding: Tensor,
    y: Tensor,
    split: NodeSplit,
    seed: int,
    *,
    epochs: int = 300,
    weight_decays: Sequence[float] = (1e-2, 1e-3, 1e-4, 0.0),
) -> ProbeResult:
    """One linear layer on the embedding as it is, as DGI, MVGRL, CCA-SSG and GraphMAE are judged.

    Trained by Adam on all training nodes at once. They fix a weight decay for each dataset; here
    validation chooses among theirs, and the epoch. Of equal accuracies the stronger decay and the
    earlier epoch win.
    """
    trainings = [
        LayerTraining(epochs=epochs, weight_decay=decay, xavier=True) for decay in weight_decays
    ]
    return _by_layer(embedding, y, split, seed, trainings, ("weight_decay",))


def plain_dropout_probe(
    embedding: Tensor, y: Tensor, split: NodeSplit, seed: int, *, epochs: int = 500
) -> ProbeResult:
    """One linear layer behind dropout on the embedding as it is, as SeeGera is judged.

    Its authors fix dropout, weight decay and rate for each of seven datasets; here validation
    chooses among these seven, and the epoch. Of equal accuracies the stronger dropout, then the
    stronger decay, and the earlier epoch win.
    """
    trainings = [
        LayerTraining(
            epochs=epochs,
            dropout=dropout,
            weight_decay=weight_decay,
            learning_rate=learning_rate,
            longest_gradient=3.0,
        )
        for dropout, weight_decay, learning_rate in _DROPOUT_SETTINGS
    ]
    names = ("dropout", "weight_decay", "learning_rate")
    return _by_layer(embedding, y, split, seed, trainings, names)


def _by_layer(
    z: Tensor,
    y: Tensor,
    split: NodeSplit,
    seed: int,
    trainings: Sequence[LayerTraining],
    chosen: Sequence[str],
) -> ProbeResult:
    """What the best of some layers finds, with the named settings of its training."""
    layer = best_layer(z, y, split, seed, trainings)
    settings = {name: float(getattr(layer.training, name)) for name in chosen}
    return ProbeResult(
        layer.logits.argmax(dim=1),
        layer.validation_accuracy,
        {**settings, "epoch": float(layer.epoch)},
        _ranking(layer.logits, y[split.train]),
    )


PROBES: dict[str, Probe] = {
    "logistic": logistic_probe,
    "logistic-rows": logistic_rows_probe,
    "adam": adam_probe,
    "plain": plain_probe,
    "plain-dropout": plain_dropout_probe,
}


def _ranking(logits: Tensor, y: Tensor) -> Tensor | None:
    """How much likelier the second of two classes is; none where there are more."""
    classes = torch.unique(y)
    return logits[:, classes[1]] - logits[:, classes[0]] if classes.numel() == 2 else None


def _centred(embedding: Tensor, train: Tensor) -> Tensor:
    """Centred on the training nodes and scaled so that their mean square length is one."""
    z = embedding - embedding[train].mean(dim=0)
    scale = z[train].square().sum(dim=1).mean().sqrt().clamp_min(1e-12)
    return z / scale


def in_span_of(embedding: Tensor, train: Tensor) -> Tensor:
    """The same, in a basis of the training nodes' span where that is smaller.

    The optimum of an L2-regularised linear model lies in that span, so nothing is lost.
    """
    z = _centred(embedding, train)
    if train.numel() < z.size(1):
        z = z @ torch.linalg.qr(z[train].T).Q
    return z
