"""Node classification, few labels and many test nodes: a linear probe on frozen embeddings.

Supervised methods need no probe: their own predictions are scored, on the same splits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import torch
from sklearn.metrics import accuracy_score, f1_score
from torch import Tensor
from torch_geometric.data import Data

from graphrank.data import NodeSplit, public_split, random_split
from graphrank.errors import ConfigError, DataError, unknown_name
from graphrank.tasks.base import Protocol, Task
from graphrank.tasks.probes import PROBES
from graphrank.tasks.two_classes import has_two_classes, ranking_figures, rare_class

# Shares of training and validation nodes.
_SHARES = {"random-10-10-80": (0.1, 0.1), "random-60-20-20": (0.6, 0.2)}
# Labelled nodes that leave none of the three parts empty.
_LEAST = {"random-10-10-80": 10, "random-60-20-20": 5}


@dataclass(frozen=True)
class NodeClassification(Task[NodeSplit]):
    """Accuracy and macro-F1 of a probe on the test nodes; nodes without a label take no part.

    Of two classes also how well the probe ranks them: AUC, and average precision of the rarer one.

    Args:
        probe: ``logistic`` (default), or one of the others in :data:`PROBES`.
    """

    name: ClassVar[str] = "node-classification"
    summary: ClassVar[str] = "a linear probe on frozen embeddings"
    metrics: ClassVar[tuple[str, ...]] = ("accuracy", "macro_f1")
    protocols: ClassVar[Mapping[str, Protocol]] = {
        "public": Protocol(
            "public", "the dataset's own masks (Planetoid: 20 a class / 500 / 1000)", "validation"
        ),
        "random-10-10-80": Protocol(
            "random-10-10-80",
            "10 % / 10 % / 80 % of the nodes, redrawn for each seed",
            "validation",
        ),
        "random-60-20-20": Protocol(
            "random-60-20-20",
            "60 % / 20 % / 20 % of the nodes, redrawn for each seed; for few labelled nodes",
            "validation",
        ),
    }

    probe: str = "logistic"

    def __post_init__(self) -> None:
        if self.probe not in PROBES:
            raise ConfigError(unknown_name("probe", self.probe, PROBES))

    def default_protocol(self, data: Data) -> str:
        """The public split where the dataset has one."""
        return "public" if data.get("train_mask") is not None else "random-10-10-80"

    def split(self, data: Data, protocol: Protocol, seed: int) -> NodeSplit:
        """Training, validation and test nodes."""
        if data.get("y") is None:
            raise DataError(
                "node classification needs a label for each node; name the label column with "
                "--label-column or use --task clustering"
            )
        labelled = (data.y >= 0).nonzero().flatten()
        classes = data.y[labelled].unique().numel()
        if classes < 2:
            count = f"all {labelled.numel():,} labelled nodes have the same label"
            raise DataError(
                f"{count if labelled.numel() else 'no node has a label'}; there is nothing to "
                "classify, give labels of two classes"
            )
        if 2 * classes > labelled.numel():
            raise DataError(
                f"the {labelled.numel():,} labelled nodes have {classes:,} different labels, which "
                "are no classes; name the column with the classes with --label-column"
            )
        if protocol.name == "public":
            given = public_split(data)
            parts = [part[data.y[part] >= 0] for part in (given.train, given.val, given.test)]
        else:
            least = _LEAST[protocol.name]
            if labelled.numel() < least:
                raise DataError(
                    f"{protocol.name} needs {least} labelled nodes at least and the graph has "
                    f"{labelled.numel()}; label more nodes, or use --protocol random-60-20-20"
                )
            drawn = random_split(labelled.numel(), seed, *_SHARES[protocol.name])
            parts = [labelled[part] for part in (drawn.train, drawn.val, drawn.test)]
        split = NodeSplit(*parts)
        if data.y[split.train].unique().numel() < 2:
            raise DataError(
                f"the {split.train.numel()} training nodes of seed {seed} all have one label; "
                "label more nodes, use --protocol random-60-20-20 or choose other seeds"
            )
        return split

    def evaluate(
        self, embedding: Tensor, data: Data, split: NodeSplit, seed: int
    ) -> dict[str, float]:
        """Test figures of the probe that validation chose, in per cent."""
        found = PROBES[self.probe](embedding, data.y, split, seed)
        return self.score(found.prediction, data, split, found.ranking)

    def score(
        self, prediction: Tensor, data: Data, split: NodeSplit, ranking: Tensor | None = None
    ) -> dict[str, float]:
        """Test figures of predicted classes ``[nodes]``, in per cent.

        Args:
            prediction: ``[nodes]`` the classes.
            data: the graph with all labels.
            split: its parts.
            ranking: of two classes, ``[nodes]`` how likely the second one is.
        """
        expected, found = data.y[split.test], prediction[split.test]
        figures = {
            "accuracy": 100 * float(accuracy_score(expected, found)),
            "macro_f1": 100 * float(f1_score(expected, found, average="macro")),
        }
        if ranking is not None and has_two_classes(data.y):
            figures |= ranking_figures(ranking[split.test], expected, rare_class(data.y))
        return figures

    def visible_labels(self, data: Data, split: NodeSplit) -> Tensor:
        """What a supervised method may see: labels of training and validation nodes, else -1."""
        seen = torch.cat([split.train, split.val])
        labels = torch.full_like(data.y, -1)
        labels[seen] = data.y[seen]
        return labels

    def validate(self, embedding: Tensor, data: Data, split: NodeSplit, seed: int) -> float:
        """Validation accuracy of the probe, in per cent."""
        return 100 * PROBES[self.probe](embedding, data.y, split, seed).validation_accuracy
