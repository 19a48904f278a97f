"""What was measured of a method here, beside what was published of it, as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from graphrank.data.catalog import CATALOG
from graphrank.methods.base import Method
from graphrank.methods.experiment_file import PublishedFigure
from graphrank.methods.experiments import AUTHORS, experiments_of
from graphrank.report.paper_figures import paper_figures
from graphrank.report.tables import metric_title, spread
from graphrank.results.record import Result
from graphrank.tasks.base import Task
from graphrank.tasks.registry import TASKS

_NOTHING = "Nothing was measured here yet."
_ABOUT = (
    "Mean ± standard deviation over seeds, in per cent. `make docs` writes this from `results/` "
    "and `experiments/`."
)


@dataclass(frozen=True)
class FigureRow:
    """One line of a table: the figures of one source on one split.

    Args:
        dataset: its name.
        split: the protocol, or what the publication says of it.
        values: metric to figure, as text.
        source: who measured it, and how.
        published: whether somebody else measured it.
    """

    dataset: str
    split: str
    values: dict[str, str]
    source: str
    published: bool


def method_figures(method: type[Method[Any]], results: Sequence[Result]) -> str:
    """Tables of all figures of a method, one for each task.

    Args:
        method: the method; published figures come from its experiment files, GraphRank's own from
            the tables of its paper.
        results: lines of any methods, tasks and datasets.
    """
    mine = [result for result in results if result.method == method.info.name]
    figures = [*_of_experiments(method), *paper_figures(method.info.name)]
    parts = []
    for task in TASKS.values():
        rows = [*_measured(method, task, mine), *_published(task, figures)]
        rows.sort(key=lambda row: _place(row.dataset))  # stable: ours come first
        if rows:
            parts += [f"### {task.name.capitalize().replace('-', ' ')}", _table(task, rows)]
    if not any(result.task in TASKS for result in mine):
        parts.append(_NOTHING)
    return "\n\n".join([*parts, _ABOUT])


def _of_experiments(method: type[Method[Any]]) -> Iterator[tuple[str, PublishedFigure]]:
    """What experiment files quote, with the dataset of each."""
    for experiment in experiments_of(method):
        for figure in experiment.published:
            yield experiment.dataset, figure


def _measured(
    method: type[Method[Any]], task: type[Task[Any]], results: Sequence[Result]
) -> Iterator[FigureRow]:
    """Our own figures, protocol by protocol."""
    for protocol in task.protocols.values():
        for result in results:
            if (result.task, result.protocol) == (task.name, protocol.name):
                yield FigureRow(
                    result.dataset,
                    f"`{protocol.name}`" + " [diagnostic]" * protocol.diagnostic,
                    {name: spread(values) for name, values in result.values.items()},
                    f"**measured here**: {_how(method, task, result)}",
                    published=False,
                )


def _how(method: type[Method[Any]], task: type[Task[Any]], result: Result) -> str:
    """Preset, what differs from it, and the number of seeds."""
    options = asdict(task().suited_to(method))
    usual: dict[str, Any] = {"epoch_selection": "fixed", "select_every": 10, **options}
    if result.preset in ("default", AUTHORS, *method.presets):
        usual |= method.from_preset(result.preset, dataset=result.dataset).get_params()
    used = {**result.config["method"], **result.config["task"]}
    changed = [f"`{k}={v}`" for k, v in used.items() if k in usual and usual[k] != v]
    seeds = len(result.seeds)
    return ", ".join([f"preset `{result.preset}`", *changed, f"{seeds} seed{'s' * (seeds != 1)}"])


def _published(
    task: type[Task[Any]], figures: Iterable[tuple[str, PublishedFigure]]
) -> Iterator[FigureRow]:
    """Published figures, those of one source on one split of a dataset in one line."""
    rows: dict[tuple[str, str, str], dict[str, str]] = {}
    for dataset, figure in figures:
        if figure.task == task.name:
            row = rows.setdefault((dataset, figure.split, figure.source), {})
            row[figure.metric] = _figure_text(figure)
    for (dataset, split, source), values in rows.items():
        yield FigureRow(dataset, split, values, source, published=True)


def _figure_text(figure: PublishedFigure) -> str:
    return f"{figure.value}" if figure.std is None else f"{figure.value} ± {figure.std}"


def _place(dataset: str) -> tuple[int, str]:
    """Datasets in the order of the catalog, others behind them by name."""
    names = list(CATALOG)
    return (names.index(dataset) if dataset in names else len(names), dataset)


def _table(task: type[Task[Any]], rows: Sequence[FigureRow]) -> str:
    """The task's first metric, and those others that were published."""
    given = {name for row in rows if row.published for name in row.values}
    metrics = [name for name in task.metrics if name == task.metrics[0] or name in given]
    lines = [["dataset", "split", *map(metric_title, metrics), "from"]]
    lines.append(["---"] * len(lines[0]))
    for row in rows:
        values = [row.values.get(name, "–") for name in metrics]
        lines.append([row.dataset, row.split, *values, row.source])
    return "\n".join(
        "| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines
    )
