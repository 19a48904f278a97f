"""All tasks by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from graphrank.errors import ConfigError, unknown_name
from graphrank.tasks.base import Task
from graphrank.tasks.clustering import Clustering
from graphrank.tasks.graph_classification import GraphClassification
from graphrank.tasks.link_prediction import LinkPrediction
from graphrank.tasks.node_classification import NodeClassification

TASKS: dict[str, type[Task[Any]]] = {
    task.name: task
    for task in (
        NodeClassification,
        Clustering,
        LinkPrediction,
        GraphClassification,
    )
}


def make_task(name: str, options: Mapping[str, Any] | None = None) -> Task[Any]:
    """A task by name, with options such as ``{"probe": "adam"}`` where it has them."""
    if name not in TASKS:
        raise ConfigError(unknown_name("task", name, TASKS))
    kind = TASKS[name]
    known = [field.name for field in fields(kind)]
    for option in options or {}:
        if option not in known:
            raise ConfigError(f"the task {name} has no option {option!r}; leave it out")
    return kind(**(options or {}))
