"""Supervised methods under a task: fitted on the labels that they may see, judged by the rest."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from torch_geometric.data import Data

from graphrank.data import GraphSet
from graphrank.methods.graph_supervised import SupervisedGraphMethod
from graphrank.methods.node_supervised import SupervisedNodeMethod
from graphrank.methods.supervised import SupervisedMethod
from graphrank.tasks.base import Task
from graphrank.tasks.graph_classification import GraphClassification, GraphFolds
from graphrank.tasks.node_classification import NodeClassification
from graphrank.tasks.supervised_folds import EPOCH_ON_TEST, FoldFit
from graphrank.training.loop import Run


def fit_classes(
    task: Task[Any], data: Data | GraphSet, split: Any, method: SupervisedMethod, progress: bool
) -> Callable[[], dict[str, float]]:
    """Fit on the labels that may be seen; what is given back scores the predictions."""
    if isinstance(task, GraphClassification) and isinstance(method, SupervisedGraphMethod):
        return _fit_folds(task, data, split, method, progress)
    if not (isinstance(task, NodeClassification) and isinstance(method, SupervisedNodeMethod)):
        raise AssertionError("checked before any method was made")
    labels = task.visible_labels(data, split)
    method.fit(task.visible(data, split), labels, split, run=Run(progress=progress))
    return partial(task.score, method.prediction_, data, split, method.ranking_)


def _fit_folds(
    task: GraphClassification,
    data: Any,
    split: GraphFolds,
    method: SupervisedGraphMethod,
    progress: bool,
) -> Callable[[], dict[str, float]]:
    """Fit anew for each fold; what is given back scores the predictions of all."""
    params = method.get_params()
    if split.protocol == EPOCH_ON_TEST:
        params["stop"] = "none"  # one epoch for all folds: each of them has to reach it
    graphs, folds = task.visible(data, split), task.supervised_splits(data, split)
    fits = []
    for number, fold in enumerate(folds, start=1):
        one = type(method)(**params)
        run = Run(progress=progress, title=f"fold {number} of {len(folds)}")
        one.fit(graphs, task.visible_labels(data, fold), fold, run=run)
        fits.append(FoldFit(one.prediction_, one.history_.validation_accuracy))
    return partial(task.score, fits, data, split)
