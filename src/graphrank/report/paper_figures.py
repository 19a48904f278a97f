"""GraphRank's own figures as its paper printed them, for the pages of its two methods."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from graphrank.data.catalog import find
from graphrank.methods.experiment_file import PublishedFigure
from graphrank.methods.experiments import FOLDER

_PRINTED_AS = "GraphRank"
_PUBLIC = ("Cora", "CiteSeer", "PubMed")
# Tables of the paper by task; it has one name for what are two methods here.
_TABLES = {
    "graphrank": {
        "node-classification": "node_classification.csv",
        "clustering": "clustering.csv",
        "link-prediction": "link_prediction.csv",
    },
    "graphrank-graph": {"graph-classification": "graph_classification.csv"},
}


def paper_figures(method: str) -> Iterator[tuple[str, PublishedFigure]]:
    """Datasets and figures; none of methods of other papers, whose experiment files have them.

    Args:
        method: name of a method.
    """
    for task, file in _TABLES.get(method, {}).items():
        with (FOLDER / "published" / file).open(newline="") as table:
            for entry in csv.DictReader(table):
                if entry["method"] == _PRINTED_AS and entry["mean"]:
                    yield _figure(task, entry)


def _figure(task: str, entry: dict[str, str]) -> tuple[str, PublishedFigure]:
    info = find(entry["dataset"])
    dataset = entry["dataset"] if info is None else info.name
    std = entry.get("std")
    return dataset, PublishedFigure(
        task,
        entry["metric"].casefold(),
        float(entry["mean"]),
        float(std) if std else None,
        _split(task, dataset),
        f"Hu et al. 2024, table of {task.replace('-', ' ')}",
    )


def _split(task: str, dataset: str) -> str:
    """What the paper says of how it was measured; docs/reproduction.md tells what fits."""
    if task == "node-classification":
        return "public" if dataset in _PUBLIC else "random 10 % / 10 % / 80 %"
    return {
        "link-prediction": "70 % / 20 % / 10 % of the edges",
        "clustering": "not described",
        "graph-classification": "10 folds",
    }[task]
