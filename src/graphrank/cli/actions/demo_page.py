"""The table and the page of the demo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torch_geometric.data import Data

from graphrank.methods.base import Method
from graphrank.report.compare import Comparison
from graphrank.report.html import Details, Page, Section, configuration, image
from graphrank.report.plots import embedding_picture, loss_curve
from graphrank.report.projection import flat_picture
from graphrank.report.tables import Cell, TextTable, score_cell, spread

METRICS = {"node-classification": "accuracy", "clustering": "nmi"}
"""The tasks of the demo, and the metric of each that is shown."""

_LEAD = (
    "GraphRank learnt to embed 1,797 handwritten digits, joined to their nearest neighbours in a "
    "graph, without seeing a label. The labels below only judge what it learnt."
)
_CONTROLS = (
    "Only what beats the controls counts: SVD smoothing and the untrained encoder use the same "
    "graph without any training, raw features do not even use the graph."
)
_NEXT = (
    "graphrank list datasets",
    "graphrank fit edges.csv --features nodes.csv --output model",
    "graphrank embed model edges.csv --features nodes.csv --output embeddings.parquet",
)


@dataclass(frozen=True)
class Outcome:
    """What the demo found.

    Args:
        data: the graph with its labels.
        model: one trained model, for the pictures.
        comparisons: GraphRank and the controls, for each task of :data:`METRICS`.
    """

    data: Data
    model: Method[Any]
    comparisons: Mapping[str, Comparison]


def demo_table(comparisons: Mapping[str, Comparison]) -> TextTable:
    """Both tasks in one table, a row for each method."""
    first = next(iter(comparisons.values()))
    rows = []
    for place, label in enumerate(first.labels):
        scores = [
            score_cell(comparison, comparison.results[place], METRICS[task])
            for task, comparison in comparisons.items()
        ]
        fit_seconds = first.results[place].seconds["fit"]
        rows.append((Cell(label), *scores, Cell(spread(fit_seconds))))
    seeds = len(first.results[0].seeds)
    return TextTable(
        title=f"digits: mean ± standard deviation over {seeds} seed{'s' * (seeds != 1)}",
        columns=("method", "accuracy %", "k-means NMI %", "fit seconds"),
        rows=tuple(rows),
        notes=("Accuracy of a linear probe on 80 % of the nodes; 10 % train it, 10 % tune it.",),
    )


def demo_page(outcome: Outcome) -> Page:
    """The picture, the table, the loss, the configuration, and what to type next."""
    first = outcome.comparisons["node-classification"].results[0]
    details = (
        Details("Options of GraphRank", configuration(first), opened=True),
        Details("Environment", first.environment),
    )
    sections = [
        _picture(outcome),
        Section("Beside the controls", _CONTROLS, table=demo_table(outcome.comparisons)),
        _training(outcome.model),
        Section(
            "Configuration", "Everything needed to measure these figures again.", details=details
        ),
        Section("Next steps", "The same on your own graph:", commands=_NEXT),
    ]
    return Page("GraphRank on handwritten digits", _LEAD, sections, _facts(outcome))


def _facts(outcome: Outcome) -> dict[str, str]:
    scores = {
        METRICS[task]: spread(comparison.results[0].values[METRICS[task]], digits=1)
        for task, comparison in outcome.comparisons.items()
    }
    return {
        "Accuracy %": scores["accuracy"],
        "k-means NMI %": scores["nmi"],
        "Seconds of training": f"{sum(outcome.model.history_.seconds):.1f}",
        "Labels seen in training": "0",
    }


def _picture(outcome: Outcome) -> Section:
    picture = flat_picture(outcome.model.embedding_)
    figure = embedding_picture(picture, outcome.data.y.numpy(), outcome.data.get("class_names"))
    caption = (
        f"Each point is one digit, placed by {picture.method} of its embedding and coloured by "
        "what it really is."
    )
    return Section("What it learnt", images=(image(figure, caption),))


def _training(model: Method[Any]) -> Section:
    history = model.history_
    caption = f"Loss of {history.epochs} epochs (thin) and its moving mean, seed {model.seed}."
    return Section("Training", images=(image(loss_curve(history.loss), caption),))
