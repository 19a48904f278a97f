"""What the authors of a method set for a dataset: the presets ``authors`` and ``auto``, and others.

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
AUTO = "auto"  # the same where there is such a file that need not be asked for, else the defaults
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


def settings_for(method: type[Method[Any]], preset: str, dataset: str | None) -> Mapping[str, Any]:
    """What a preset stands for on a dataset; nothing where it is the defaults.

    A line of the log says what nobody would expect: that ``authors`` finds nothing, or that
    ``auto`` finds something.

    Args:
        method: the method.
        preset: ``default``, ``authors``, ``auto``, or one that the method has.
        dataset: name of the dataset, if it has any.
    """
    if preset in method.presets:
        experiment = experiment_for(method, dataset)
        of_dataset = {} if experiment is None else experiment.presets
        return of_dataset.get(preset, method.presets[preset])
    if preset not in (AUTO, AUTHORS):
        return {}
    experiment = _experiment_meant(method, preset, dataset)
    if experiment is not None:
        if preset == AUTO:
            name = method.info.name
            _log.info("%s: as its authors set it for %s (--preset default: not so)", name, dataset)
        return experiment.settings
    if preset == AUTHORS and method.info.family != "control":  # nobody expects any for a control
        where = f"on {dataset}" if dataset else "without the name of a dataset"
        _log.info(
            "%s has no settings of its authors %s; its defaults are taken", method.info.name, where
        )
    return {}


def preset_for_task(method: type[Method[Any]], preset: str, task: str, dataset: str | None) -> str:
    """What ``auto`` is for a task that the authors have settings of its own for; else the preset.

    Only on datasets that they have settings for at all, as ``auto`` is elsewhere the defaults.
    """
    own = method.task_presets.get(task)
    if preset != AUTO or own is None or experiment_for(method, dataset) is None:
        return preset
    told = "%s: as its authors set it for %s on %s (--preset authors or default: not so)"
    _log.info(told, method.info.name, task, dataset)
    return own


def preset_in_force(method: type[Method[Any]], preset: str, dataset: str | None) -> str:
    """The preset as a result states it: ``default`` where the authors set nothing."""
    if preset not in (AUTO, AUTHORS):
        return preset
    return "default" if _experiment_meant(method, preset, dataset) is None else AUTHORS


def _experiment_meant(
    method: type[Method[Any]], preset: str, dataset: str | None
) -> ExperimentFile | None:
    """The file that ``authors`` or ``auto`` takes."""
    experiment = experiment_for(method, dataset)
    unasked = preset == AUTO and experiment is not None and experiment.only_when_asked
    return None if unasked else experiment
