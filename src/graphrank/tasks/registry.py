"""All tasks by name."""

from __future__ import annotations

from typing import Any

from graphrank.errors import ConfigError, unknown_name
from graphrank.tasks.base import Task
from graphrank.tasks.clustering import Clustering
from graphrank.tasks.node_classification import NodeClassification

TASKS: dict[str, type[Task[Any]]] = {
    task.name: task
    for task in (
        NodeClassification,
        Clustering,
    )
}


def make_task(name: str, probe: str = "logistic") -> Task[Any]:
    """A task by name; ``probe`` is for those that have one."""
    if name not in TASKS:
        raise ConfigError(unknown_name("task", name, TASKS))
    if name == NodeClassification.name:
        return NodeClassification(probe)
    return TASKS[name]()
