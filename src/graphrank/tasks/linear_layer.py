"""One linear layer on frozen embeddings, trained by Adam; validation chooses how and how long."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from graphrank.data import NodeSplit
from graphrank.training.clipping import clipped
from graphrank.training.randomness import seeded


@dataclass(frozen=True, kw_only=True)
class LayerTraining:
    """How a layer is trained, on all training nodes at once.

    Args:
        epochs: steps, at most.
        learning_rate: of Adam.
        weight_decay: its L2 penalty.
        dropout: of the embedding's numbers, while training.
        longest_gradient: what a gradient is cut to; none where it is left as it is.
        xavier: start from Xavier's weights and no bias, in place of torch's own.
    """

    epochs: int
    learning_rate: float = 1e-2
    weight_decay: float = 0.0
    dropout: float = 0.0
    longest_gradient: float | None = None
    xavier: bool = False


@dataclass(frozen=True)
class TrainedLayer:
    """A layer at its best epoch.

    Args:
        logits: ``[nodes, classes]`` of every node.
        validation_accuracy: share of validation nodes that they get right.
        epoch: the epoch, from one.
        training: how it was trained.
    """

    logits: Tensor
    validation_accuracy: float
    epoch: int
    training: LayerTraining


def best_layer(
    z: Tensor, y: Tensor, split: NodeSplit, seed: int, trainings: Iterable[LayerTraining]
) -> TrainedLayer:
    """The layer that is best on validation; of equal ones the first training, the first epoch.

    Args:
        z: ``[nodes, channels]``.
        y: ``[nodes]`` classes.
        split: training, validation and test nodes; the test nodes' labels are not looked at.
        seed: of first weights and dropout; each training begins from the same ones.
        trainings: ways to train it, at least one.
    """
    layers = (_trained(z, y, split, seed, training) for training in trainings)
    return max(layers, key=lambda layer: layer.validation_accuracy)  # the first of equals


def _trained(
    z: Tensor, y: Tensor, split: NodeSplit, seed: int, training: LayerTraining
) -> TrainedLayer:
    train, validation, expected = z[split.train], z[split.val], y[split.val]
    best, logits, best_epoch = -1.0, z, 0
    with seeded(seed, torch.device("cpu")):
        layer = _fresh(z.size(1), int(y.max()) + 1, training)
        optimizer = torch.optim.Adam(
            layer.parameters(), lr=training.learning_rate, weight_decay=training.weight_decay
        )
        if training.longest_gradient is not None:
            clipped(optimizer, training.longest_gradient)
        for epoch in range(1, training.epochs + 1):
            loss = F.cross_entropy(layer(F.dropout(train, training.dropout)), y[split.train])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            with torch.no_grad():
                accuracy = _accuracy(layer(validation), expected)
                if accuracy > best:
                    best, logits, best_epoch = accuracy, layer(z), epoch
    return TrainedLayer(logits, best, best_epoch, training)


def _fresh(width: int, classes: int, training: LayerTraining) -> nn.Linear:
    layer = nn.Linear(width, classes)
    if training.xavier:
        nn.init.xavier_uniform_(layer.weight)
        nn.init.zeros_(layer.bias)
    return layer


def _accuracy(logits: Tensor, y: Tensor) -> float:
    return float((logits.argmax(dim=1) == y).double().mean())
