"""The format of an experiment file: one method on one dataset, read and checked.

``settings`` holds what the authors set, by the names of our options; ``presets`` what they set for
another use of the method; ``published`` the figures that they or others reported.
``experiments/README.md`` shows one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphrank.data.catalog import CATALOG
from graphrank.errors import ConfigError, GraphRankError, unknown_name
from graphrank.methods.options import check_options, option_rows
from graphrank.yaml_files import read_yaml

if TYPE_CHECKING:
    from graphrank.methods.base import Method

FILE_NAMES = {name.casefold(): name for name in CATALOG}
"""Datasets by the name that their files bear."""

_ENTRIES = ("method", "dataset", "settings", "published")
_ONLY_WHEN_ASKED = "only_when_asked"
_PRESETS = "presets"
_FIGURE_ENTRIES = ("task", "metric", "value", "std", "split", "source")
_FIGURE_WORDS = ("task", "metric", "split", "source")


@dataclass(frozen=True)
class PublishedFigure:
    """One figure as somebody published it.

    Args:
        task: name of the task.
        metric: name of the metric.
        value: the figure, in per cent.
        std: its standard deviation, where it was given.
        split: what it was measured on, in words.
        source: who published it.
    """

    task: str
    metric: str
    value: float
    std: float | None
    split: str
    source: str


@dataclass(frozen=True)
class ExperimentFile:
    """One method on one dataset.

    Args:
        method: name of the method.
        dataset: name of the dataset, as the catalog writes it.
        settings: options of the method; what is not named keeps its default.
        published: figures to compare with.
        only_when_asked: whether ``--preset auto`` leaves the settings out, as they take hours
            where the defaults do not.
        presets: presets of the method that have other options on this dataset.
    """

    method: str
    dataset: str
    settings: Mapping[str, Any]
    published: tuple[PublishedFigure, ...]
    only_when_asked: bool = False
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def read_experiment(path: Path, method: type[Method[Any]]) -> ExperimentFile:
    """Read one file and check it against the method that it is for.

    Raises:
        ConfigError: In one sentence, with the file's name in it.
    """
    try:
        return _parse(read_yaml(path), path, method)
    except GraphRankError as error:
        raise ConfigError(f"{path.parent.name}/{path.name}: {error}") from None


def _parse(content: object, path: Path, method: type[Method[Any]]) -> ExperimentFile:
    entries = _entries(content, _ENTRIES, "the file", may_have=(_ONLY_WHEN_ASKED, _PRESETS))
    only_when_asked = entries.get(_ONLY_WHEN_ASKED, False)
    if not isinstance(only_when_asked, bool):
        raise ConfigError(f"{_ONLY_WHEN_ASKED} has to be true or false")
    name, folder = method.info.name, path.parent.name
    if not entries["method"] == folder == name:
        raise ConfigError(
            f"it is for the method {entries['method']!r}, lies in the folder {folder!r} and is "
            f"read for {name!r}; make all three the same"
        )
    if path.stem not in FILE_NAMES:
        raise ConfigError(unknown_name("dataset", path.stem, FILE_NAMES))
    if entries["dataset"] != path.stem:
        raise ConfigError(
            f"it is for the dataset {entries['dataset']!r} and bears the name {path.stem!r}; make "
            "both the same"
        )
    return ExperimentFile(
        name,
        FILE_NAMES[path.stem],
        typed_settings(entries["settings"], method),
        tuple(_figure(figure) for figure in _list(entries["published"])),
        only_when_asked,
        _presets(entries.get(_PRESETS, {}), method),
    )


def _presets(presets: object, method: type[Method[Any]]) -> dict[str, dict[str, Any]]:
    """Options by the preset that they are of, which the method must have."""
    if not isinstance(presets, dict):
        raise ConfigError("its presets have to be a mapping of presets to settings")
    for name in presets:
        if name not in method.presets:
            raise ConfigError(
                unknown_name(f"preset of {method.info.name}", str(name), method.presets)
            )
    return {name: typed_settings(settings, method) for name, settings in presets.items()}


def typed_settings(settings: object, method: type[Method[Any]]) -> dict[str, Any]:
    """Options checked; a whole number as the float that it stands for.

    Raises:
        ConfigError: For what is no mapping, an unknown option or an unfit value.
    """
    if not isinstance(settings, dict):
        raise ConfigError("its settings have to be a mapping of options, {} for the defaults")
    named = {str(name): value for name, value in settings.items()}
    check_options(method, named)
    rows = option_rows(method)
    return {
        name: float(value) if rows[name].kind is float else value for name, value in named.items()
    }


def _figure(figure: object) -> PublishedFigure:
    entries = _entries(figure, _FIGURE_ENTRIES, "a published figure")
    for name in _FIGURE_WORDS:
        if not isinstance(entries[name], str) or not entries[name].strip():
            raise ConfigError(f"a published figure needs its {name} in words")
    value, std = entries["value"], entries["std"]
    if not _is_number(value) or not (std is None or _is_number(std)):
        raise ConfigError("a published figure has a number as value, a number or null as std")
    return PublishedFigure(**entries)


def _entries(
    content: object, names: tuple[str, ...], what: str, may_have: tuple[str, ...] = ()
) -> dict[str, Any]:
    """A mapping with exactly these names, and those that it may have."""
    if not isinstance(content, dict):
        raise ConfigError(f"{what} has to be a mapping of {', '.join(names)}")
    for name in content:
        if name not in (*names, *may_have):
            raise ConfigError(unknown_name(f"entry of {what}", str(name), (*names, *may_have)))
    for name in names:
        if name not in content:
            raise ConfigError(f"{what} lacks its {name}")
    return content


def _list(figures: object) -> list[Any]:
    if not isinstance(figures, list):
        raise ConfigError("published has to be a list, [] where nothing was published")
    return figures


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
