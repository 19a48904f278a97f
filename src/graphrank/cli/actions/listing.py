"""Tables of what there is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from graphrank.cli.console import output
from graphrank.data import CATALOG, DatasetInfo, available
from graphrank.data.paths import data_root
from graphrank.methods.base import Method
from graphrank.methods.experiments import AUTHORS, experiment_paths, experiments_of
from graphrank.methods.info import in_short
from graphrank.methods.options import OptionRow, option_rows
from graphrank.methods.registry import METHODS, method_class
from graphrank.report.tables import Cell, TextTable, for_terminal
from graphrank.tasks.base import Protocol, Task
from graphrank.tasks.registry import TASKS

_YES_NO = {True: "yes", False: "no"}

_DATASET: Mapping[str, Callable[[DatasetInfo], str]] = {
    "name": lambda info: info.name,
    "other names": lambda info: ", ".join(info.aliases),
    "level": lambda info: info.level,
    "licence": lambda info: info.licence,
    "nodes or graphs": lambda info: f"{info.size:,}",
    "edge entries": lambda info: f"{info.edges:,}",
    "features": lambda info: f"{info.features:,}",
    "classes": lambda info: str(info.classes),
}

_METHOD: Mapping[str, Callable[[type[Method[Any]]], str]] = {
    "name": lambda method: method.info.name,
    "level": lambda method: method.info.level,
    "family": lambda method: method.info.family,
    "time": lambda method: in_short(method.info.time),
    "memory": lambda method: in_short(method.info.memory),
    "unseen": lambda method: _YES_NO[method.info.inductive],
    "presets": lambda method: "\n".join([*method.presets, *_authors(method)]) or "–",
    "paper": lambda method: method.info.short_paper,
}

_PROTOCOL: Mapping[str, Callable[[tuple[type[Task[Any]], Protocol]], str]] = {
    "task": lambda pair: pair[0].name,
    "protocol": lambda pair: pair[1].name + (" [diagnostic]" if pair[1].diagnostic else ""),
    "what is done": lambda pair: pair[1].summary,
    "selects on": lambda pair: pair[1].selects_on,
    "metrics": lambda pair: ", ".join(pair[0].metrics),
}

_OPTION: Mapping[str, Callable[[OptionRow], str]] = {
    "option": lambda row: row.name,
    "type": lambda row: row.kind_name,
    "default": lambda row: str(row.default),
    "meaning": lambda row: row.option.help,
}


def show_datasets(root: Path | None) -> None:
    """Print the datasets, and whether each can be loaded without a download."""
    data_root(root)
    there: Callable[[DatasetInfo], str] = lambda info: _YES_NO[available(info, root)]  # noqa: E731
    notes = (
        "Beside these, synthetic graphs of any size: sbm:nodes=1000,classes=5.",
        "Files are looked for in --data-root or $GRAPHRANK_DATA, then downloaded.",
    )
    _show("Datasets", {**_DATASET, "files there": there}, CATALOG.values(), words=4, notes=notes)


def show_methods() -> None:
    """Print the methods, a table for each level; N nodes, E edges, F features, d width."""
    notes = (
        "time: of an epoch, N nodes, E edges, F features, d width; unseen: whether it embeds what "
        "it was not trained on; every method has the presets default and auto.",
        "Options, whole costs and papers, settings by dataset: graphrank list options METHOD.",
    )
    titles = {"node": "Methods for the nodes of a graph", "graph": "Methods for whole graphs"}
    for level, title in titles.items():
        methods = [method for method in METHODS.values() if method.info.level == level]
        last = level == "graph"
        _show(title, _METHOD, methods, words=len(_METHOD), notes=notes if last else ())


def show_tasks() -> None:
    """Print the tasks, one row for each protocol."""
    pairs = [(task, each) for task in TASKS.values() for each in task.protocols.values()]
    diagnostic = any(protocol.diagnostic for _, protocol in pairs)
    note = "[diagnostic]: uses what an honest comparison may not use; explains, proves nothing."
    notes = tuple(f"{task.name}: {task.summary}." for task in TASKS.values())
    notes += (note,) * diagnostic
    _show("Tasks and their protocols", _PROTOCOL, pairs, words=len(_PROTOCOL), notes=notes)


def show_options(name: str) -> None:
    """Print all options of a method, its presets, and what it costs."""
    method = method_class(name)
    info = method.info
    notes = (
        *(f"preset {preset}: {_words(values)}" for preset, values in method.presets.items()),
        *(
            f"preset {AUTHORS} on {each.dataset}: {_words(each.settings)}"
            for each in experiments_of(method)
        ),
        *(
            f"preset {preset} on {each.dataset}: {_words(values)}"
            for each in experiments_of(method)
            for preset, values in each.presets.items()
        ),
        f"time of an epoch: {info.time}",
        f"memory: {info.memory}",
        f"paper: {info.paper}",
    )
    title = f"Options of {info.name}, as in --set NAME=VALUE"
    _show(title, _OPTION, option_rows(method).values(), words=len(_OPTION), notes=notes)


def _authors(method: type[Method[Any]]) -> list[str]:
    """The preset of the authors' settings, where there are any."""
    return [AUTHORS] if experiment_paths(method) else []


def _words(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in settings.items()) or "the defaults"


def _show(
    title: str,
    columns: Mapping[str, Callable[[Any], str]],
    records: Iterable[object],
    *,
    words: int,
    notes: tuple[str, ...],
) -> None:
    """Print one row for each record, one function for each column."""
    rows = tuple(tuple(Cell(read(record)) for read in columns.values()) for record in records)
    output().print(for_terminal(TextTable(title, tuple(columns), rows, words, notes)))
