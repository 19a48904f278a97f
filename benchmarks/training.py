"""How long does the whole default take, features to embeddings? Beside the instant mode.

    python benchmarks/training.py [DATASET ...] [--methods NAME ...] [--json FILE]

One after another, the memory of each given back before the next: the file's reading does not count,
the truncated SVD, the training and the embedding do.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console

from graphrank.cli.benchmark import NODE_DATASETS
from graphrank.data import GraphSet, load, without_labels
from graphrank.files import write_text
from graphrank.measure import environment, measured
from graphrank.methods.registry import make_method
from graphrank.report.tables import Cell, TextTable, for_terminal
from graphrank.training.loop import Run


@dataclass(frozen=True)
class Whole:
    """What a whole fit costs.

    Args:
        dataset: its name.
        method: name of the method.
        seconds: from features to embeddings.
        peak_mib: peak memory of it, the interpreter and its libraries included.
    """

    dataset: str
    method: str
    seconds: float
    peak_mib: float


def fit(dataset: str, name: str) -> Whole:
    """Fit a method with its defaults."""
    data = load(dataset)
    if isinstance(data, GraphSet):
        raise SystemExit(f"{dataset} is a set of graphs; give one graph")
    visible = without_labels(data)
    with measured() as cost:
        make_method(name, settings={"device": "cpu"}).fit(visible, run=Run(progress=False))
    return Whole(data.name, name, cost.seconds, cost.peak_mib)


def table(wholes: Sequence[Whole]) -> TextTable:
    """One row a dataset and method."""
    rows = tuple(
        (
            Cell(whole.dataset),
            Cell(whole.method),
            Cell(f"{whole.seconds:.1f}"),
            Cell(f"{whole.peak_mib:.0f}"),
        )
        for whole in wholes
    )
    note = "Features to embeddings, defaults, one run each."
    return TextTable("The whole fit", ("dataset", "method", "seconds", "MiB"), rows, 2, (note,))


def main() -> None:
    """Read the arguments, measure, print the table, keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*", default=NODE_DATASETS)
    parser.add_argument("--methods", nargs="+", default=("graphrank", "smoothing"))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    wholes = [fit(dataset, name) for dataset in given.datasets for name in given.methods]
    Console().print(for_terminal(table(wholes)))
    if given.json is not None:
        report = {"environment": environment(), "wholes": [asdict(whole) for whole in wholes]}
        write_text(given.json, json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
