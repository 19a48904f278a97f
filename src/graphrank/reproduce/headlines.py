"""The tables of README.md, docs/method.md and docs/evaluation.md, and one figure, from lines alone.

Each is the default of GraphRank beside its controls, its variants or its other protocols. What is
compared is data; how a cell is found is what ``graphrank reproduce`` does.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence

from matplotlib.figure import Figure

from graphrank.errors import DataError
from graphrank.report.tables import Cell, TextTable, spread
from graphrank.reproduce.headline_rows import (
    ALIKE,
    CLUSTERS,
    DATASETS,
    DEFAULT,
    FILES,
    FRESH_SEEDS,
    GRAPHS,
    LINKS,
    METRICS,
    NODES,
    NOISY,
    OTHERS,
    PAPER,
    RAW,
    SEEDS,
    SETS,
    SMOOTHING,
    UNTRAINED,
    Headline,
    Measured,
    Published,
    shown_mean,
)
from graphrank.reproduce.item import Row
from graphrank.reproduce.published import as_printed
from graphrank.reproduce.render.plots import points_figure
from graphrank.reproduce.wanted import Stored
from graphrank.results.record import Result

# What was measured beside the default; the lines lie under results/variants.
_NO_OWN_WORDS = {"own_words": 0}
_AS_THEY_ARE = {"scale_features": "auto"} | _NO_OWN_WORDS
_BEFORE_STRUCTURE = {"structure": 0} | _AS_THEY_ARE
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


def _pieces(task: str) -> tuple[Measured, ...]:
    """What each piece of the default adds to a task."""
    # Links by one scorer: a blend of them all lets less of a difference be seen.
    options = _ONE_SCORER if task == LINKS else {}
    return tuple(
        Measured(title, task, row, task_options=options)
        for title, row in (
            ("the default", DEFAULT),
            ("without own words", Row("graphrank", settings=_NO_OWN_WORDS)),
            ("with words as they are", Row("graphrank", settings=_AS_THEY_ARE)),
            ("without structure", _NO_STRUCTURE),
            ("without structure, three times the MLP's batches", _MORE_BATCHES),
            ("without structure and MLP", _NO_MLP),
            ("SVD smoothing, no training", SMOOTHING),
            ("the default, untrained", UNTRAINED),
        )
    )


def _beside_controls(task: str, word: str, protocol: str | None = None) -> tuple[Measured, ...]:
    """The default and what needs no training."""
    return tuple(
        Measured(f"{word}, {name}", task, row, protocol, rivals=word)
        for name, row in (
            ("GraphRank", DEFAULT),
            ("SVD smoothing", SMOOTHING),
            ("untrained encoder", UNTRAINED),
        )
    )


_CONTROLS = {"SVD smoothing": SMOOTHING, "untrained encoder": UNTRAINED, "raw features": RAW}


def _classes_and_clusters(rows: Mapping[str, Row]) -> tuple[Measured, ...]:
    """Accuracy of each, then how well k-means finds the classes in each."""
    return tuple(
        Measured(f"{word}, {name}", task, row, rivals=word)
        for word, task in (("accuracy", NODES), ("NMI, k-means", CLUSTERS))
        for name, row in rows.items()
    )


_ACCURACY = tuple(
    Measured(title, NODES, row, rivals="all")
    for title, row in (
        ("GraphRank", DEFAULT),
        ("SVD smoothing, no training", SMOOTHING),
        ("untrained encoder", UNTRAINED),
        ("raw features", RAW),
    )
)
# What others have published, by their authors' settings where they gave any for a dataset.
_FIELD = (
    Measured("GraphRank", NODES, DEFAULT, rivals="all"),
    *(
        Measured(title, NODES, Row(name, preset="authors"), rivals="all")
        for title, name in (
            ("CCA-SSG", "cca-ssg"),
            ("GraphMAE", "graphmae"),
            ("BGRL", "bgrl"),
            ("MVGRL", "mvgrl"),
            ("DGI", "dgi"),
            ("GRACE", "grace"),
            ("GCA", "gca"),
            ("SeeGera", "seegera"),
            ("CAN", "can"),
            ("SIG-VAE", "sig-vae"),
            ("GCN, from labels", "gcn"),
            ("GAT, from labels", "gat"),
            ("APPNP, from labels", "appnp"),
        )
    ),
)
TABLES: dict[str, tuple[Headline, ...]] = {
    "accuracy": (
        *_ACCURACY,
        Published("the paper, as published", NODES),
        Measured("preset `paper`: its text as written", NODES, PAPER),
    ),
    "field": _FIELD,
    "links-and-clusters": (
        *_beside_controls(LINKS, "AUC"),
        *_beside_controls(CLUSTERS, "NMI"),
        *_beside_controls(CLUSTERS, "NMI mixture", "mixture"),
    ),
    "other-graphs": _ACCURACY,
    "alike-graphs": _classes_and_clusters({"GraphRank": DEFAULT} | _CONTROLS),
    "noisy-graphs": _classes_and_clusters(
        {
            "GraphRank": DEFAULT,
            "without wide view": Row("graphrank", settings={"wide_view": 0}),
        }
        | _CONTROLS
    ),
    "fresh-seeds": tuple(
        Measured(f"{word}, {name}", task, row, protocol, rivals=word, seeds=FRESH_SEEDS)
        for word, task, protocol in (
            ("accuracy", NODES, None),
            ("NMI, mixture", CLUSTERS, "mixture"),
        )
        for name, row in (("GraphRank", DEFAULT), ("SVD smoothing", SMOOTHING))
    ),
    "pieces-accuracy": _pieces(NODES),
    "pieces-links": _pieces(LINKS),
    "pieces-clusters": _pieces(CLUSTERS),
    # Of one embedding, so that protocols differ and nothing else.
    "link-protocols": (
        Measured("`edges-85-5-10`", LINKS, _NO_STRUCTURE),
        Measured("`edges-85-5-10`, `--scorer auto`", LINKS, _NO_STRUCTURE, None, _ONE_SCORER),
        Measured("`edges-85-5-10`, `--scorer dot`", LINKS, _NO_STRUCTURE, None, {"scorer": "dot"}),
        *(
            Measured(f"`{name}`, `--scorer auto`{mark}", LINKS, _NO_STRUCTURE, name, _ONE_SCORER)
            for name, mark in (
                ("edges-70-20-10", ""),
                ("edges-leaky", " [diagnostic]"),
                ("edges-label-aware", " [diagnostic]"),
            )
        ),
        Published("published", LINKS),
    ),
    "cluster-readings": (
        Measured("`kmeans`", CLUSTERS, DEFAULT),
        Measured("`mixture`", CLUSTERS, DEFAULT, "mixture"),
        Measured("`label-means` [diagnostic]", CLUSTERS, DEFAULT, "label-means"),
        Measured("`probe-predictions` [diagnostic]", CLUSTERS, DEFAULT, "probe-predictions"),
        Published("published", CLUSTERS),
    ),
    "graphs": (
        *(
            Measured(title, GRAPHS, Row(name), rivals="all")
            for title, name in (
                ("GraphRank", "graphrank-graph"),
                ("untrained GIN", "untrained-gin"),
                ("degree histogram", "degree-histogram"),
            )
        ),
        Measured(
            "GraphRank without spectra", GRAPHS, Row("graphrank-graph", settings={"spectrum": 0})
        ),
        Published("the paper, as published", GRAPHS),
    ),
}
PAGES: dict[str, tuple[str, ...]] = {
    "README.md": ("accuracy", "links-and-clusters", "field", "graphs"),
    "docs/method.md": (
        "fresh-seeds",
        "pieces-accuracy",
        "pieces-links",
        "pieces-clusters",
        "alike-graphs",
        "other-graphs",
        "noisy-graphs",
    ),
    "docs/evaluation.md": ("link-protocols", "cluster-readings"),
}
# Heads and names of a table's columns, where they are not DATASETS.
_COLUMNS: dict[str, Mapping[str, str]] = {
    "graphs": {name: name for name in SETS},
    "alike-graphs": ALIKE,
    "other-graphs": {name: name for name in OTHERS},
    "noisy-graphs": NOISY,
}
_PANELS = {"accuracy": NODES, "link AUC": LINKS, "k-means NMI": CLUSTERS}


def headline_table(name: str, results: Sequence[Result]) -> TextTable:
    """One of :data:`TABLES`, datasets in columns; seeds in brackets where they are not five."""
    stored, lines = Stored(results), TABLES[name]
    datasets = _COLUMNS.get(name, {name: name for name in DATASETS})
    columns = [list(_column(lines, stored, dataset)) for dataset in datasets.values()]
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
            best[line.rivals] = max(best.get(line.rivals, 0.0), shown_mean(found[line.title]))
    for line in lines:
        if isinstance(line, Published):
            yield Cell(as_printed(FILES[line.task], "GraphRank", dataset, METRICS[line.task]))
            continue
        values = found[line.title]
        few = f" ({len(values)})" if 0 < len(values) < len(SEEDS) else ""
        strong = bool(values) and shown_mean(values) == best.get(line.rivals)
        yield Cell(spread(values) + few, strong)


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
    smoothing = next(line for line in lines if line.row is SMOOTHING)
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
