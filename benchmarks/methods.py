"""What does an epoch of each method cost? Milliseconds and peak memory, all methods in one run.

    python benchmarks/methods.py [DATASET ...] [--methods NAME ...] [--rounds 3] [--json FILE]
        [--results FILE.jsonl]

The methods take turns, round by round, so that none gets the better moments: each trains two
epochs from the start, and the second is timed, as the training loop does it. Memory is the peak of
a fresh process that loads the graph, trains two epochs and embeds it; `loaded` is a process that
loads the graph and does no more. A method whose process dies, for want of memory, has no figures.

With `--results`, lines are appended by which `graphrank reproduce` tells what a training costs.
"""

import argparse
import json
import statistics
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rich.console import Console
from torch_geometric.data import Data

from graphrank.data import load, without_labels
from graphrank.data.catalog import dataset_info
from graphrank.files import write_text
from graphrank.measure import environment, peak_memory_mib
from graphrank.methods.experiments import preset_in_force
from graphrank.methods.options import option_rows, parse_settings
from graphrank.methods.registry import METHODS, make_method, method_class
from graphrank.methods.supervised import SupervisedMethod
from graphrank.methods.trained import TrainedMethod
from graphrank.report.tables import Cell, TextTable, for_terminal
from graphrank.reproduce.cost import EPOCH
from graphrank.reproduce.wanted import options_of
from graphrank.results.record import Result
from graphrank.results.store import append
from graphrank.tasks.node_classification import NodeClassification
from graphrank.training.collapse import CollapseWarning
from graphrank.training.loop import Run

_EPOCHS = 2


@dataclass(frozen=True)
class EpochRow:
    """What an epoch of one method costs on one dataset.

    Args:
        dataset: its name.
        method: name of the method.
        preset: whose settings it has.
        epochs: how many epochs they ask for.
        milliseconds: of an epoch, the median of the rounds; none where it cannot run.
        peak_mib: peak memory of a process of its own; none where it cannot run.
    """

    dataset: str
    method: str
    preset: str
    epochs: int
    milliseconds: float | None
    peak_mib: float | None


def trained_methods() -> list[str]:
    """All methods that run the training loop; controls do not."""
    nodes = (kind for kind in METHODS.values() if kind.info.level == "node")
    kinds = (kind for kind in nodes if issubclass(kind, TrainedMethod))
    return [kind.info.name for kind in kinds if kind.learn is TrainedMethod.learn]


def make(name: str, preset: str, dataset: str, settings: Mapping[str, Any]) -> TrainedMethod[Any]:
    """A method with those of the settings that it knows."""
    known = option_rows(method_class(name))
    mine = {option: value for option, value in settings.items() if option in known}
    method = make_method(name, preset, mine, dataset=dataset)
    if not isinstance(method, TrainedMethod):
        raise TypeError(f"{name} is not trained")
    return method


def fit(method: TrainedMethod[Any], data: Data) -> float:
    """Train two epochs; milliseconds of the second."""
    method.set_params(epochs=_EPOCHS)
    run = Run(progress=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CollapseWarning)
        if isinstance(method, SupervisedMethod):
            task = NodeClassification()
            split = task.split(data, task.protocol(None, data), 0)
            labels = task.visible_labels(data, split)
            method.fit(without_labels(data), labels, split, run=run)
        else:
            method.fit(without_labels(data), run=run)
    return 1e3 * method.history_.seconds[-1]


def peak_of_fit(name: str, preset: str, dataset: str, settings: Mapping[str, Any]) -> float:
    fit(make(name, preset, dataset, settings), load(dataset))
    return peak_memory_mib()


def peak_of_loading(dataset: str) -> float:
    load(dataset)
    return peak_memory_mib()


def alone(work: Callable[..., float], *arguments: object) -> float | None:
    """What a function gives in a fresh process; none where that process dies."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(work, *arguments).result()
        except BrokenProcessPool:
            return None
        except RuntimeError as error:  # torch says so of the memory that it cannot have
            if "allocate" not in str(error):
                raise
            return None


def measure(
    dataset: str, names: Sequence[str], preset: str, settings: Mapping[str, Any], rounds: int
) -> list[EpochRow]:
    """Memory first: what dies there is not timed."""
    peaks = {name: alone(peak_of_fit, name, preset, dataset, settings) for name in names}
    data = load(dataset)
    times: dict[str, list[float]] = {name: [] for name in names if peaks[name] is not None}
    for _ in range(rounds):
        for name, values in times.items():
            values.append(fit(make(name, preset, dataset, settings), data))
    rows = [EpochRow(dataset, "loaded", "none", 0, None, alone(peak_of_loading, dataset))]
    for name in names:
        told = preset_in_force(method_class(name), preset, dataset)
        epochs = make(name, preset, dataset, settings).epochs
        median = statistics.median(times[name]) if name in times else None
        rows.append(EpochRow(dataset, name, told, epochs, median, peaks[name]))
    return rows


def as_line(row: EpochRow, settings: Mapping[str, Any]) -> Result:
    """A row as a line of results."""
    if row.milliseconds is None or row.peak_mib is None:
        raise ValueError(f"{row.method} has no figures on {row.dataset}")
    method = make(row.method, row.preset, row.dataset, settings)
    return Result(
        task=EPOCH,
        dataset=dataset_info(row.dataset).name,
        method=row.method,
        protocol="second-epoch",
        config={"method": options_of(method.get_params())},
        seeds=[0],
        values={"milliseconds": [row.milliseconds]},
        seconds={"fit": [row.milliseconds / 1e3]},
        peak_mib=[row.peak_mib],
        environment=environment(),
        preset=row.preset,
    )


def table(rows: Sequence[EpochRow]) -> TextTable:
    """One line a method."""
    shown = (
        (row.method, row.preset, f"{row.epochs:,}", _text(row.milliseconds), _text(row.peak_mib))
        for row in rows
    )
    return TextTable(
        f"An epoch on {rows[0].dataset}",
        ("method", "preset", "epochs", "ms an epoch", "peak MiB"),
        tuple(tuple(map(Cell, texts)) for texts in shown),
        words=2,
    )


def _text(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*", default=["cora", "cs", "pubmed"])
    parser.add_argument("--methods", nargs="+", default=trained_methods())
    parser.add_argument("--preset", default="authors")
    parser.add_argument("--set", nargs="+", default=[], help="NAME=VALUE, where a method has it")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--results", type=Path)
    given = parser.parse_args()
    settings = {"device": "cpu", **parse_settings(given.set)}
    rows: list[EpochRow] = []
    for dataset in given.datasets:
        found = measure(dataset, given.methods, given.preset, settings, given.rounds)
        Console().print(for_terminal(table(found)))
        rows += found
        if given.json is not None:
            content = {"environment": environment(), "rows": [asdict(row) for row in rows]}
            write_text(given.json, json.dumps(content, indent=1) + "\n")
        if given.results is not None:
            for row in found:
                if row.milliseconds is not None:
                    append(given.results, as_line(row, settings))


if __name__ == "__main__":
    main()
