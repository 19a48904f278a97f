"""The tables of README.md, docs/method.md and docs/evaluation.md, and one figure, from lines alone.

Each is the default of GraphRank beside its controls, its variants or its other protocols. What is
compared is data; how a cell is found is what ``graphrank reproduce`` does.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from matplotlib.figure import Figure

from graphrank.errors import DataError
from graphrank.report.tables import Cell, TextTable, spread
from graphrank.reproduce.item import Row
from graphrank.reproduce.jobs.base import usual_protocol
from graphrank.reproduce.jobs.evaluation import EvaluationJob
from graphrank.reproduce.published import as_printed
from graphrank.reproduce.render.plots import points_figure
from graphrank.reproduce.wanted import Stored
from graphrank.results.record import Result

DATASETS = ("Cora", "CiteSeer", "PubMed", "Photo", "Computers", "CS", "Physics")
SETS = ("MUTAG", "PROTEINS", "IMDB-BINARY", "IMDB-MULTI", "COLLAB", "REDDIT-BINARY")
# Graphs that no choice was made on, by the names of their files (docs/method.md).
OTHERS = (
    "blogcatalog", "flickr", "tolokers", "minesweeper", "actor",
    "chameleon", "squirrel", "wisconsin", "cornell", "texas",
)  # fmt: skip
SEEDS = range(5)

_NODES, _LINKS, _CLUSTERS = "node-classification", "link-prediction", "clustering"
_GRAPHS = "graph-classification"
_METRICS = {_NODES: "accuracy", _LINKS: "auc", _CLUSTERS: "nmi", _GRAPHS: "accuracy"}
_PROTOCOLS = {_LINKS: "edges-85-5-10", _CLUSTERS: "kmeans", _GRAPHS: "svm-10-fold"}
_FILES = {
    _NODES: "node_classification.csv",
    _LINKS: "link_prediction.csv",
    _CLUSTERS: "clustering.csv",
    _GRAPHS: "graph_classification.csv",
}

_DEFAULT, _PAPER = Row("graphrank"), Row("graphrank", preset="paper")
_SMOOTHING, _UNTRAINED, _RAW = Row("smoothing"), Row("untrained"), Row("raw-features")
# What was measured beside the default; the lines lie under results/variants.
_BEFORE_STRUCTURE = {"structure": 0}
_MORE_BATCHES = Row(
    "graphrank",
    settings={"epochs": 24, "learning_rate": 0.0035, "mlp_batch": 256, "mlp_steps": 20}
    | _BEFORE_STRUCTURE,
)
_NO_MLP = Row(
    "graphrank",
    settings={"epochs": 40, "learning_rate": 0.002, "mlp": 0, "hop_weight": 0.5}
    | _BEFORE_STRUCTURE,
)
_NO_STRUCTURE = Row("graphrank", settings=_BEFORE_STRUCTURE)
_ONE_SCORER = {"scorer": "auto"}


@dataclass(frozen=True)
class Measured:
    """A row of measured figures.

    Args:
        title: its head.
        task: name of the task.
        row: the method.
        protocol: name of the protocol; none for the usual one of a dataset.
        task_options: options of the task.
        rivals: rows with the same word here are compared, and the best of each column is strong.
    """

    title: str
    task: str
    row: Row
    protocol: str | None = None
    task_options: Mapping[str, Any] = field(default_factory=dict)
    rivals: str = ""

    def values(self, stored: Stored, dataset: str) -> list[float]:
        """The figure of each seed on a dataset."""
        protocol = self.protocol or _PROTOCOLS.get(self.task) or usual_protocol(dataset)
        job = EvaluationJob(self.task, dataset, protocol, self.row, self.task_options)
        metric = _METRICS[self.task]
        found = stored.find(job.wanted, [metric])
        return [] if found is None else found.only(SEEDS).values[metric]


@dataclass(frozen=True)
class Published:
    """A row of the paper's figures."""

    title: str
    task: str


Headline = Measured | Published


def _pieces(task: str) -> tuple[Measured, ...]:
    """What each piece of the default adds to a task."""
    # Links by one scorer: a blend of them all lets less of a difference be seen.
    options = _ONE_SCORER if task == _LINKS else {}
    return tuple(
        Measured(title, task, row, task_options=options)
        for title, row in (
            ("the default", _DEFAULT),
            ("without structure", _NO_STRUCTURE),
            ("without structure, three times the MLP's batches", _MORE_BATCHES),
            ("without structure and MLP", _NO_MLP),
            ("SVD smoothing, no training", _SMOOTHING),
            ("the default, untrained", _UNTRAINED),
        )
    )


def _beside_controls(task: str, word: str, protocol: str | None = None) -> tuple[Measured, ...]:
    """The default and what needs no training."""
    return tuple(
        Measured(f"{word}, {name}", task, row, protocol, rivals=word)
        for name, row in (
            ("GraphRank", _DEFAULT),
            ("SVD smoothing", _SMOOTHING),
            ("untrained encoder", _UNTRAINED),
        )
    )


_ACCURACY = tuple(
    Measured(title, _NODES, row, rivals="all")
    for title, row in (
        ("GraphRank", _DEFAULT),
        ("SVD smoothing, no training", _SMOOTHING),
        ("untrained encoder", _UNTRAINED),
        ("raw features", _RAW),
    )
)
TABLES: dict[str, tuple[Headline, ...]] = {
    "accuracy": (
        *_ACCURACY,
        Published("the paper, as published", _NODES),
        Measured("preset `paper`: its text as written", _NODES, _PAPER),
    ),
    "links-and-clusters": (
        *_beside_controls(_LINKS, "AUC"),
        *_beside_controls(_CLUSTERS, "NMI"),
        *_beside_controls(_CLUSTERS, "NMI mixture", "mixture"),
    ),
    "other-graphs": _ACCURACY,
    "pieces-accuracy": _pieces(_NODES),
    "pieces-links": _pieces(_LINKS),
    "pieces-clusters": _pieces(_CLUSTERS),
    # Of one embedding, so that protocols differ and nothing else.
    "link-protocols": (
        Measured("`edges-85-5-10`", _LINKS, _NO_STRUCTURE),
        Measured("`edges-85-5-10`, `--scorer auto`", _LINKS, _NO_STRUCTURE, None, _ONE_SCORER),
        Measured("`edges-85-5-10`, `--scorer dot`", _LINKS, _NO_STRUCTURE, None, {"scorer": "dot"}),
        *(
            Measured(f"`{name}`, `--scorer auto`{mark}", _LINKS, _NO_STRUCTURE, name, _ONE_SCORER)
            for name, mark in (
                ("edges-70-20-10", ""),
                ("edges-leaky", " [diagnostic]"),
                ("edges-label-aware", " [diagnostic]"),
            )
        ),
        Published("published", _LINKS),
    ),
    "cluster-readings": (
        Measured("`kmeans`", _CLUSTERS, _DEFAULT),
        Measured("`mixture`", _CLUSTERS, _DEFAULT, "mixture"),
        Measured("`label-means` [diagnostic]", _CLUSTERS, _DEFAULT, "label-means"),
        Measured("`probe-predictions` [diagnostic]", _CLUSTERS, _DEFAULT, "probe-predictions"),
        Published("published", _CLUSTERS),
    ),
    "graphs": (
        *(
            Measured(title, _GRAPHS, Row(name), rivals="all")
            for title, name in (
                ("GraphRank", "graphrank-graph"),
                ("untrained GIN", "untrained-gin"),
                ("degree histogram", "degree-histogram"),
            )
        ),
        Measured(
            "GraphRank without spectra", _GRAPHS, Row("graphrank-graph", settings={"spectrum": 0})
        ),
        Published("the paper, as published", _GRAPHS),
    ),
}
PAGES: dict[str, tuple[str, ...]] = {
    "README.md": ("accuracy", "links-and-clusters", "graphs"),
    "docs/method.md": ("pieces-accuracy", "pieces-links", "pieces-clusters", "other-graphs"),
    "docs/evaluation.md": ("link-protocols", "cluster-readings"),
}
_PANELS = {"accuracy": _NODES, "link AUC": _LINKS, "k-means NMI": _CLUSTERS}


def headline_table(name: str, results: Sequence[Result]) -> TextTable:
    """One of :data:`TABLES`, datasets in columns; seeds in brackets where they are not five."""
    stored, lines = Stored(results), TABLES[name]
    datasets = {"graphs": SETS, "other-graphs": OTHERS}.get(name, DATASETS)
    columns = [list(_column(lines, stored, dataset)) for dataset in datasets]
    rows = tuple(
        (Cell(line.title, strong="GraphRank" in line.title), *(column[place] for column in columns))
        for place, line in enumerate(lines)
    )
    return TextTable("", ("", *datasets), rows)


def _column(lines: Sequence[Headline], stored: Stored, dataset: str) -> Iterator[Cell]:
    """The cells of one dataset."""
    found = {
        line.title: line.values(stored, dataset) for line in lines if isinstance(line, Measured)
    }
    best: dict[str, float] = {}
    for line in lines:
        if isinstance(line, Measured) and line.rivals and found[line.title]:
            best[line.rivals] = max(best.get(line.rivals, 0.0), _shown(found[line.title]))
    for line in lines:
        if isinstance(line, Published):
            yield Cell(as_printed(_FILES[line.task], "GraphRank", dataset, _METRICS[line.task]))
            continue
        values = found[line.title]
        few = f" ({len(values)})" if 0 < len(values) < len(SEEDS) else ""
        strong = bool(values) and _shown(values) == best.get(line.rivals)
        yield Cell(spread(values) + few, strong)


def _shown(values: Sequence[float]) -> float:
    """A mean as it is written: what looks the same is the same."""
    return round(statistics.fmean(values), 2)


def pieces_figure(results: Sequence[Result]) -> Figure:
    """What each piece adds: figures less the mean of smoothing, a panel for each task that has any.

    Raises:
        DataError: If no line tells of any piece, or none of smoothing.
    """
    stored = Stored(results)
    panels = {
        f"{word}, less that of SVD smoothing": series
        for word, task in _PANELS.items()
        if (series := _gains(task, stored))
    }
    if not panels:
        raise DataError("no line tells what a piece of the default adds; measure it and smoothing")
    return points_figure(panels, columns=1, width=7.2)


def _gains(task: str, stored: Stored) -> dict[str, dict[str, list[float]]]:
    """Title of a piece to dataset to the gain of each seed; only what was measured."""
    lines = _pieces(task)
    smoothing = next(line for line in lines if line.row is _SMOOTHING)
    level = {place: smoothing.values(stored, place) for place in DATASETS}
    gains = {
        line.title: {
            place: [value - statistics.fmean(level[place]) for value in values]
            for place in DATASETS
            if level[place] and (values := line.values(stored, place))
        }
        for line in lines
        if line is not smoothing
    }
    return {title: places for title, places in gains.items() if places}
