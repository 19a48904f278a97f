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
from torch import Tensor, nn

from graphrank.data import NodeSplit
from graphrank.training.randomness import seeded

# Inverse strengths of the L2 penalty, relative to one training node of unit length.
STRENGTHS = tuple(2.0**power for power in range(-4, 19, 2))
MAX_ITERATIONS = 200


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
    learning_rate: float = 1e-2,
    weight_decay: float = 1e-4,
    dropout: float = 0.3,
) -> ProbeResult:
    """One linear layer behind dropout, trained by Adam; the best validation epoch is kept."""
    z = _centred(embedding, split.train) * embedding.size(1) ** 0.5
    train, validation = z[split.train], z[split.val]
    with seeded(seed, torch.device("cpu")):
        layer = nn.Linear(z.size(1), int(y.max()) + 1)
        optimizer = torch.optim.Adam(
            layer.parameters(), lr=learning_rate, weight_decay=weight_decay
        )
        best, best_epoch, kept = -1.0, 0, {}
        for epoch in range(epochs):
            _step(layer, optimizer, F.dropout(train, dropout), y[split.train])
            with torch.no_grad():
                accuracy = _accuracy(layer(validation), y[split.val])
            if accuracy > best:
                best, best_epoch = accuracy, epoch + 1
                kept = {name: value.clone() for name, value in layer.state_dict().items()}
    layer.load_state_dict(kept)
    with torch.no_grad():
        logits = layer(z)
    return ProbeResult(
        logits.argmax(dim=1), best, {"epoch": float(best_epoch)}, _ranking(logits, y[split.train])
    )


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
    learning_rate: float = 1e-2,
    weight_decays: Sequence[float] = (1e-2, 1e-3, 1e-4, 0.0),
) -> ProbeResult:
    """One linear layer on the embedding as it is, as DGI, MVGRL, CCA-SSG and GraphMAE are judged.

    Trained by Adam on all training nodes at once. They fix a weight decay for each dataset; here
    validation chooses among theirs, and the epoch. Of equal accuracies the stronger decay and the
    earlier epoch win.
    """
    train, validation = embedding[split.train], embedding[split.val]
    best, logits, chosen = -1.0, embedding, {"weight_decay": 0.0, "epoch": 0.0}
    for weight_decay in weight_decays:
        with seeded(seed, torch.device("cpu")):
            layer = nn.Linear(embedding.size(1), int(y.max()) + 1)
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)
        optimizer = torch.optim.Adam(
            layer.parameters(), lr=learning_rate, weight_decay=weight_decay
        )
        for epoch in range(1, epochs + 1):
            _step(layer, optimizer, train, y[split.train])
            with torch.no_grad():
                accuracy = _accuracy(layer(validation), y[split.val])
                if accuracy > best:
                    best, logits = accuracy, layer(embedding)
                    chosen = {"weight_decay": weight_decay, "epoch": float(epoch)}
    return ProbeResult(logits.argmax(dim=1), best, chosen, _ranking(logits, y[split.train]))


PROBES: dict[str, Probe] = {
    "logistic": logistic_probe,
    "logistic-rows": logistic_rows_probe,
    "adam": adam_probe,
    "plain": plain_probe,
}


def _ranking(logits: Tensor, y: Tensor) -> Tensor | None:
    """How much likelier the second of two classes is; none where there are more."""
    classes = torch.unique(y)
    return logits[:, classes[1]] - logits[:, classes[0]] if classes.numel() == 2 else None


def _step(layer: nn.Linear, optimizer: torch.optim.Optimizer, x: Tensor, y: Tensor) -> None:
    """One step of gradient descent on the cross-entropy."""
    loss = F.cross_entropy(layer(x), y)
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimizer.step()


def _accuracy(logits: Tensor, y: Tensor) -> float:
    return float((logits.argmax(dim=1) == y).double().mean())


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
