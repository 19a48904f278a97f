"""How well what needs no label goes with what does: rank correlations over variants."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import spearmanr

from graphrank.ablation.described import CRITERIA, OF_NODES
from graphrank.ablation.figures import FIGURES, NEED_LABELS, NODE_TASKS
from graphrank.ablation.plan import Plan
from graphrank.ablation.run import Figures, Place
from graphrank.errors import ConfigError
from graphrank.report.tables import Cell, TextTable, metric_title

LEAST_VARIANTS = 4
HELD_OUT = "held-out edges"
_LINKS = "link-prediction"
_RANKS = (
    "Spearman's correlation over {variants} variants, the means over seeds of each; near 1 or -1 "
    "the criterion orders variants as the figure does."
)
_FEW = (
    f"– fewer than {LEAST_VARIANTS} variants have it, or all have the same: there is nothing to "
    "order."
)
_NO_LINKS = "Held-out edges are not among them: add the task link-prediction."


@dataclass(frozen=True)
class Correlations:
    """How criteria go with the figure of one task.

    Args:
        task: name of the task.
        datasets: names of the datasets.
        rows: criterion to one correlation for each dataset, none where there is none.
    """

    task: str
    datasets: tuple[str, ...]
    rows: Mapping[str, tuple[float | None, ...]]

    def mean(self, criterion: str) -> float | None:
        """Mean over the datasets that have one."""
        known = [each for each in self.rows[criterion] if each is not None]
        return statistics.fmean(known) if known else None


def check_criteria(plan: Plan) -> None:
    """Refuse too few variants, or tasks with no figure to hold criteria against."""
    if len(plan.variants) < LEAST_VARIANTS:
        raise ConfigError(
            f"correlations over {len(plan.variants)} variants say nothing; name at least "
            f"{LEAST_VARIANTS} variants for --criteria"
        )
    if not set(NEED_LABELS) & set(plan.tasks):
        raise ConfigError(
            "criteria are held against accuracy and NMI, and neither is measured; add the task "
            f"{' or '.join(task for task in NODE_TASKS if task in NEED_LABELS)}"
        )


def correlations(plan: Plan, figures: Figures) -> list[Correlations]:
    """Rank correlations of every criterion, for each task that needs labels."""
    datasets = tuple(dict.fromkeys(place.dataset for place in figures))
    found = []
    for task in plan.tasks:
        if task not in NEED_LABELS:
            continue
        # Where a criterion is read: the task whose lines have it, and its name there.
        places = {
            title: (task, name)
            for name, title in CRITERIA.items()
            if task in NODE_TASKS or name not in OF_NODES
        }
        if _LINKS in plan.tasks:
            places[HELD_OUT] = (_LINKS, FIGURES[_LINKS])
        rows = {
            title: tuple(
                _correlation(plan, figures, dataset, place, (task, FIGURES[task]))
                for dataset in datasets
            )
            for title, place in places.items()
        }
        found.append(Correlations(task, datasets, rows))
    return found


def _correlation(
    plan: Plan,
    figures: Figures,
    dataset: str,
    criterion: tuple[str, str],
    figure: tuple[str, str],
) -> float | None:
    """Correlation on a dataset, over the variants that have both."""
    pairs = []
    for variant in plan.variants:
        both = [figures[Place(variant, dataset, task)] for task, _ in (criterion, figure)]
        names = (criterion[1], figure[1])
        if all(each.values.get(name) for each, name in zip(both, names, strict=True)):
            pairs.append([each.mean(name) for each, name in zip(both, names, strict=True)])
    return spearman(*zip(*pairs, strict=True)) if len(pairs) >= LEAST_VARIANTS else None


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's rank correlation, equal values at their mean rank; none where all are equal.

    Example:
        >>> round(spearman([1.0, 2.0, 3.0], [2.0, 9.0, 10.0]), 6)
        1.0
    """
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(spearmanr(first, second).statistic)


def criteria_table(found: Correlations, variants: int) -> TextTable:
    """Criteria in rows, datasets in columns, and the mean over datasets."""
    rows = tuple(
        (Cell(title), *(Cell(_text(each)) for each in (*values, found.mean(title))))
        for title, values in found.rows.items()
    )
    lacking = any(each is None for values in found.rows.values() for each in values)
    notes = (
        _RANKS.format(variants=variants),
        *(_FEW,) * lacking,
        *(_NO_LINKS,) * (HELD_OUT not in found.rows and found.task in NODE_TASKS),
    )
    return TextTable(
        title=f"What goes with {metric_title(FIGURES[found.task])}",
        columns=("criterion", *found.datasets, "mean"),
        rows=rows,
        notes=notes,
    )


def _text(value: float | None) -> str:
    return "–" if value is None else f"{value:+.2f}"
