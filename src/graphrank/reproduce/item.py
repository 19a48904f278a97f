"""An item to reproduce, a table or a figure of the paper: all of it is data in a YAML file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from graphrank.errors import ConfigError, unknown_name
from graphrank.yaml_files import as_mapping, from_mapping

Kind = Literal[
    "comparison", "sweep", "measures", "false-negatives", "trajectory", "convergence", "pace",
    "scaling",
]  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A method of an item, with its settings and the name that the paper prints.

    Args:
        name: name of the method; it need not be implemented here.
        preset: preset of the method.
        settings: options on top of the preset.
        published: its name in the published table; none where it is not in there.
        sizes: numbers of nodes, in place of those of the item.
        seeds: number of seeds of each cell, in place of the item's.
        label: what tables call it, where the method has two rows.
        datasets: those of the item that it takes; all where there are none.
    """

    name: str
    preset: str = "default"
    settings: Mapping[str, Any] = field(default_factory=dict)
    published: str | None = None
    sizes: tuple[int, ...] = ()
    seeds: int | None = None
    label: str = ""
    datasets: tuple[str, ...] = ()

    def takes(self, dataset: str) -> bool:
        """Whether it has cells on a dataset of the item."""
        return not self.datasets or dataset in self.datasets


@dataclass(frozen=True)
class Reading:
    """One way to read how the paper measured a table.

    Args:
        name: short name, unique in the item.
        title: heading of its table.
        protocol: the protocol, or one for each dataset.
        same_protocol: whether published figures are taken to be of this protocol.
        about: what it is, in words.
        task_options: options of the task.
        datasets: those of the item that it takes; all where there are none.
        methods: those of the item that it takes, as ``name`` or ``name/preset``; all where there
            are none.
        seeds: number of seeds of each cell, in place of the item's.
    """

    name: str
    title: str
    protocol: str | Mapping[str, str]
    same_protocol: bool
    about: str = ""
    task_options: Mapping[str, Any] = field(default_factory=dict)
    datasets: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    seeds: int | None = None

    def takes(self, row: Row) -> bool:
        """Whether a row of the item has cells in it."""
        return not self.methods or bool({row.name, f"{row.name}/{row.preset}"} & set(self.methods))

    def protocol_on(self, dataset: str) -> str:
        """The protocol on a dataset."""
        return self.protocol if isinstance(self.protocol, str) else self.protocol[dataset]


@dataclass(frozen=True)
class Remark:
    """Why something is as it is, for all cells that have the named parts."""

    why: str
    method: str | None = None
    dataset: str | None = None
    reading: str | None = None

    def is_about(self, method: str, dataset: str, reading: str) -> bool:
        """Whether a cell is meant."""
        pairs = ((self.method, method), (self.dataset, dataset), (self.reading, reading))
        return all(mine is None or mine == theirs for mine, theirs in pairs)


@dataclass(frozen=True)
class Claim:
    """A statement of the paper that one method has more of a measure than another.

    Args:
        text: the statement.
        measure: what is compared.
        higher: the method that shall have more.
        lower: the method that shall have less.
    """

    text: str
    measure: str
    higher: str
    lower: str


Change = Literal["rises", "falls", "stays", "gains nothing"]


@dataclass(frozen=True)
class Trend:
    """A statement of the paper about what a swept option does to a measure.

    Args:
        text: the statement.
        measure: what changes, or does not.
        start: the value of the option that it begins with.
        end: the value that it ends with.
        change: what the measure does in between; to gain nothing is to stay, or to fall.
        within: how far it may be from its first figure and still be said to stay.
    """

    text: str
    measure: str
    start: float
    end: float
    change: Change
    within: float = 0.0


@dataclass(frozen=True)
class Source:
    """Published figures: a file under ``experiments/published``, and the number of their runs."""

    file: str
    seeds: int


@dataclass(frozen=True)
class Item:
    """A table or a figure of the paper.

    Args:
        name: name on the command line.
        title: heading.
        order: place in lists.
        kind: how it is measured and shown.
        about: what it shows.
        metrics: what is measured.
        seeds: number of seeds of each cell.
        methods: its methods, in the order of its rows.
        datasets: names of datasets.
        task: name of the task, for comparisons.
        published: published figures.
        readings: ways to measure a comparison.
        other_protocol: published figures that are of another protocol than stated, and why.
        not_had: cells that cannot be had here, and why.
        claims: statements about two methods that are checked.
        trends: statements about a swept option that are checked.
        guess: method to seconds of a seed, on a graph of 100,000 nodes and edges, to start from.
        parameter: option that a sweep varies.
        values: its values.
        graph: synthetic graph with ``{nodes}`` in it.
        sizes: numbers of nodes.
        epochs: epochs that are timed, or to extrapolate to.
        timed: epochs of a turn.
        rounds: turns.
        looks: number of looks at a training.
    """

    name: str
    title: str
    order: int
    kind: Kind
    about: str
    metrics: tuple[str, ...]
    seeds: int
    methods: tuple[Row, ...]
    datasets: tuple[str, ...] = ()
    task: str = ""
    published: Source | None = None
    readings: tuple[Reading, ...] = ()
    other_protocol: tuple[Remark, ...] = ()
    not_had: tuple[Remark, ...] = ()
    claims: tuple[Claim, ...] = ()
    trends: tuple[Trend, ...] = ()
    guess: Mapping[str, float] = field(default_factory=dict)
    parameter: str = ""
    values: tuple[Any, ...] = ()
    graph: str = ""
    sizes: tuple[int, ...] = ()
    epochs: int = 0
    timed: int = 0
    rounds: int = 0
    looks: int = 0


_PARTS: dict[str, Any] = {
    "methods": Row,
    "readings": Reading,
    "other_protocol": Remark,
    "not_had": Remark,
    "claims": Claim,
    "trends": Trend,
}


def parse_item(name: str, content: object) -> Item:
    """An item from the content of its file.

    Raises:
        ConfigError: For an entry that is missing or not known.
    """
    entries = dict(as_mapping(content, "the file"))
    for entry, kind in _PARTS.items():
        entries[entry] = tuple(from_mapping(kind, part, entry) for part in entries.get(entry) or ())
    if "published" in entries:
        entries["published"] = from_mapping(Source, entries["published"], "published")
    item = from_mapping(Item, {"name": name, **entries}, "the file")
    if item.kind not in get_args(Kind):
        raise ConfigError(unknown_name("kind of item", item.kind, get_args(Kind)))
    for trend in item.trends:
        if trend.change not in get_args(Change):
            raise ConfigError(unknown_name("change of a trend", trend.change, get_args(Change)))
    return item
