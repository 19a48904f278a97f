"""What the authors of a method set for a dataset: the preset ``authors``.

Experiment files lie under ``experiments/<method>/<dataset>.yaml`` in the repository, and in the
same place inside an installed package.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphrank.data.catalog import CATALOG, find
from graphrank.methods.experiment_file import ExperimentFile, read_experiment

if TYPE_CHECKING:
    from graphrank.methods.base import Method

_log = logging.getLogger("graphrank")

AUTHORS = "authors"
FOLDER = Path(__file__).parents[1] / "experiments"


def experiment_paths(method: type[Method[Any]]) -> dict[str, Path]:
    """The experiment files of a method by dataset, in the order of the catalog."""
    paths = {name: FOLDER / method.info.name / f"{name.casefold()}.yaml" for name in CATALOG}
    return {name: path for name, path in paths.items() if path.is_file()}


def experiments_of(method: type[Method[Any]]) -> list[ExperimentFile]:
    """All experiment files of a method, read, in the order of the catalog."""
    return [read_experiment(path, method) for path in experiment_paths(method).values()]


def experiment_for(method: type[Method[Any]], dataset: str | None) -> ExperimentFile | None:
    """The experiment file of a method on a dataset, which may go by any of its names."""
    info = find(dataset or "")
    path = None if info is None else experiment_paths(method).get(info.name)
    return None if path is None else read_experiment(path, method)


def authors_settings(method: type[Method[Any]], dataset: str | None) -> Mapping[str, Any]:
    """What the authors of a method set for a dataset; nothing, and a line that says so, else."""
    experiment = experiment_for(method, dataset)
    if experiment is not None:
        return experiment.settings
    if method.info.family != "control":  # nobody expects settings for a control
        where = f"on {dataset}" if dataset else "without the name of a dataset"
        _log.info(
            "%s has no settings of its authors %s; its defaults are taken", method.info.name, where
        )
    return {}


def preset_in_force(method: type[Method[Any]], preset: str, dataset: str | None) -> str:
    """The preset as a result states it: ``default`` where the authors set nothing."""
    silent = preset == AUTHORS and experiment_for(method, dataset) is None
    return "default" if silent else preset
