"""How many graphs a second does training take? GraphRank, InfoGraph and GraphCL in one run.

    python benchmarks/graphs.py [DATASET ...] [--methods NAME ...] [--rounds 5] [--json FILE]

All have the same width, layers and batches. They take turns, round by round, so that none gets the
better moments: each trains two epochs from the start, and the second is timed, as the training
loop does it. The median of the rounds counts.
"""

import argparse
import json
import statistics
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from graphrank.data import GraphSet, load, without_labels
from graphrank.files import write_text
from graphrank.measure import environment
from graphrank.methods.options import option_rows
from graphrank.methods.registry import make_method, method_class
from graphrank.report.tables import Cell, TextTable, for_terminal
from graphrank.training.collapse import CollapseWarning
from graphrank.training.loop import Run

METHODS = ("graphrank-graph", "infograph", "graphcl")
SAME: Mapping[str, Any] = {"channels": 32, "num_layers": 3, "batch_graphs": 128, "epochs": 2}


@dataclass(frozen=True)
class Pace:
    """What training of one method costs on one set.

    Args:
        dataset: its name.
        method: name of the method.
        graphs_per_second: of an epoch, the median of the rounds.
    """

    dataset: str
    method: str
    graphs_per_second: float


def second_epoch(name: str, graphs: GraphSet) -> float:
    """Seconds of the second epoch of a new training."""
    known = option_rows(method_class(name))
    method = make_method(name, settings={k: v for k, v in SAME.items() if k in known})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CollapseWarning)
        method.fit(without_labels(graphs), run=Run(progress=False))
    return method.history_.seconds[-1]


def measure(dataset: str, names: Sequence[str], rounds: int) -> list[Pace]:
    """The pace of every method on one set, all of them in every round."""
    graphs = load(dataset)
    if not isinstance(graphs, GraphSet):
        raise SystemExit(f"{dataset} is one graph; give a set of graphs")
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            seconds[name].append(second_epoch(name, graphs))
    return [
        Pace(graphs.name, name, len(graphs) / statistics.median(taken))
        for name, taken in seconds.items()
    ]


def table(paces: Sequence[Pace]) -> TextTable:
    """One row a set and method; how many times the first method's pace is that of each."""
    first = {pace.dataset: pace for pace in reversed(paces)}
    rows = tuple(
        (
            Cell(pace.dataset),
            Cell(pace.method),
            Cell(f"{pace.graphs_per_second:,.0f}"),
            Cell(f"{first[pace.dataset].graphs_per_second / pace.graphs_per_second:.2f}"),
        )
        for pace in paces
    )
    columns = ("dataset", "method", "graphs/s", f"{paces[0].method} is faster by")
    note = "Training, same width, layers and batches; the median of the rounds."
    return TextTable("Graphs a second", columns, rows, 2, (note,))


def main() -> None:
    """Read the arguments, measure, print the table, keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*", default=["mutag", "proteins", "imdb-binary"])
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    paces = [p for name in given.datasets for p in measure(name, given.methods, given.rounds)]
    Console().print(for_terminal(table(paces)))
    if given.json is not None:
        report = {"environment": environment(), "paces": [asdict(pace) for pace in paces]}
        write_text(given.json, json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
