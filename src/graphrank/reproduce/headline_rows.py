"""Rows of the tables of pages: a method under a task and protocol, or what the paper printed."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphrank.reproduce.item import Row
from graphrank.reproduce.jobs.base import usual_protocol
from graphrank.reproduce.jobs.evaluation import EvaluationJob
from graphrank.reproduce.wanted import Stored
from graphrank.results.record import Result

DATASETS = ("Cora", "CiteSeer", "PubMed", "Photo", "Computers", "CS", "Physics")
SETS = ("MUTAG", "PROTEINS", "IMDB-BINARY", "IMDB-MULTI", "COLLAB", "REDDIT-BINARY")
# Graphs that no choice was made on, by the names of their files (docs/method.md): those on which
# neighbours are alike, as on DATASETS, and those on which they are not.
ALIKE = {
    "ACM": "acm",
    "Cora-ML": "cora_ml",
    "CiteSeer, full": "citeseer_full",
    "DBLP": "dblp",
    "UAI2010": "uai",
    "Facebook pages": "facebook_pages",
    "Twitch, German": "twitch_de",
    "Photo, dense": "photo_dense",
    "Cora, dense": "cora_dense",
}
OTHERS = (
    "blogcatalog", "flickr", "tolokers", "minesweeper", "actor",
    "chameleon", "squirrel", "wisconsin", "cornell", "texas",
)  # fmt: skip
# Random graphs with features that tell little of a node, by what is special of them.
NOISY = {
    "1,000 nodes": "sbm:nodes=1000,signal=1,seed=7",
    "300 nodes": "sbm:nodes=300,signal=1,seed=7",
    "degree 30": "sbm:nodes=2000,degree=30,signal=0.7,classes=8,seed=7",
    "homophily 0.5": "sbm:nodes=1000,homophily=0.5,seed=7",
    "homophily 0.1": "sbm:nodes=1000,homophily=0.1,seed=7",
    "no features": "sbm:nodes=1000,features=0,seed=7",
}
SEEDS = range(5)
# Run once, when the default had been chosen: no variant was ever seen on them.
FRESH_SEEDS = range(200, 205)

NODES, LINKS, CLUSTERS = "node-classification", "link-prediction", "clustering"
GRAPHS = "graph-classification"
METRICS = {NODES: "accuracy", LINKS: "auc", CLUSTERS: "nmi", GRAPHS: "accuracy"}
PROTOCOLS = {LINKS: "edges-85-5-10", CLUSTERS: "kmeans", GRAPHS: "svm-10-fold"}
FILES = {
    NODES: "node_classification.csv",
    LINKS: "link_prediction.csv",
    CLUSTERS: "clustering.csv",
    GRAPHS: "graph_classification.csv",
}

DEFAULT, PAPER = Row("graphrank"), Row("graphrank", preset="paper")
SMOOTHING, UNTRAINED, RAW = Row("smoothing"), Row("untrained"), Row("raw-features")


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
        seeds: those that are told of.
    """

    title: str
    task: str
    row: Row
    protocol: str | None = None
    task_options: Mapping[str, Any] = field(default_factory=dict)
    rivals: str = ""
    seeds: range = SEEDS

    @property
    def metric(self) -> str:
        """What is told of the task."""
        return METRICS[self.task]

    def found(self, stored: Stored, dataset: str) -> Result | None:
        """All seeds that there are on a dataset; none without any."""
        protocol = self.protocol or PROTOCOLS.get(self.task) or usual_protocol(dataset)
        job = EvaluationJob(self.task, dataset, protocol, self.row, self.task_options)
        return stored.find(job.wanted, [self.metric])

    def values(self, stored: Stored, dataset: str) -> list[float]:
        """The figure of each seed of a table on a dataset."""
        found = self.found(stored, dataset)
        return [] if found is None else found.only(self.seeds).values[self.metric]


@dataclass(frozen=True)
class Published:
    """A row of the paper's figures."""

    title: str
    task: str


def shown_mean(values: Sequence[float]) -> float:
    """A mean as it is written: what looks the same is the same."""
    return round(statistics.fmean(values), 2)


Headline = Measured | Published
