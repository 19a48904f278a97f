"""Validation figures: what variants are compared by before anything of test is looked at."""

from __future__ import annotations

from typing import Any, TypeAlias

from sklearn.metrics import normalized_mutual_info_score
from torch import Tensor
from torch_geometric.data import Data

from graphrank.data import GraphSet
from graphrank.methods.base import Method
from graphrank.results.record import Result
from graphrank.tasks.base import Task
from graphrank.tasks.clustering import Clustering, kmeans
from graphrank.tasks.graph_classification import GraphClassification
from graphrank.tasks.node_classification import NodeClassification
from graphrank.tasks.runner import Experiment, empty_result

FIGURES = {
    "node-classification": "validation_accuracy",
    "link-prediction": "validation_auc",
    "clustering": "validation_nmi",
    "graph-classification": "validation_accuracy",
}
"""Tasks that variants can be compared on, and the names of their validation figures."""

NODE_TASKS = ("node-classification", "link-prediction", "clustering")
NEED_LABELS = ("node-classification", "clustering", "graph-classification")
PREFIX = "ablation:"
_DIGITS = 9

Graphs: TypeAlias = Data | GraphSet
"""What an ablation runs on: one graph, or a set of graphs where the tasks are about those."""


def validation_figure(
    task: Task[Any], embedding: Tensor, data: Graphs, split: Any, seed: int
) -> float:
    """The figure of an embedding on the validation part of a split, in per cent."""
    if isinstance(task, GraphClassification):
        return task.inner_accuracy(embedding, data, split)
    if isinstance(task, Clustering):
        return validation_nmi(embedding, data, seed)
    return task.validate(embedding, data, split, seed)


def validation_nmi(embedding: Tensor, data: Data, seed: int) -> float:
    """NMI of k-means over the validation nodes of node classification, in per cent.

    The task itself has no validation part: k-means chooses nothing by labels, and all nodes count
    in its score. Here all nodes are clustered as there, and only the labels of the validation
    nodes of the dataset's usual split are compared. The number of clusters is that of the classes
    among training and validation nodes: no label of a test node is looked at.

    Args:
        embedding: ``[nodes, channels]``.
        data: the graph with its labels.
        seed: seed of the split and of k-means.
    """
    probing = NodeClassification()
    split = probing.split(data, probing.protocol(None, data), seed)
    labels = probing.visible_labels(data, split)
    clusters = kmeans(embedding, int(labels.max()) + 1, seed)
    score = normalized_mutual_info_score(labels[split.val], clusters[split.val])
    # Its last digits depend on the numbers that clusters happen to have; equal has to be equal.
    return round(100 * float(score), _DIGITS)


def empty_line(task: Task[Any], data: Graphs, preset: str, method: Method[Any]) -> Result:
    """A result line without seeds; its task says that its figures are of validation."""
    protocol = task.protocol(None, data)
    line = empty_result(task, protocol, data, preset, method, Experiment(task=task.name))
    if isinstance(task, Clustering):
        line.config["task"]["validation_nodes"] = NodeClassification().default_protocol(data)
    line.task = PREFIX + task.name
    return line
