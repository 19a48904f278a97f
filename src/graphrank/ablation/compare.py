"""How far variants are from the reference: on a graph, over graphs, and over tasks."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphrank.ablation.run import Figures, Place
from graphrank.report.compare import Difference, paired_difference, seed_differences
from graphrank.results.record import Result


@dataclass(frozen=True)
class Scores:
    """Figures of one task: variants in rows, datasets in columns.

    Args:
        task: name of the task.
        metric: name of its figure.
        reference: the variant that the others are compared with.
        variants: names of all.
        datasets: names of all.
        results: what was measured; one without seeds where nothing was.
    """

    task: str
    metric: str
    reference: str
    variants: tuple[str, ...]
    datasets: tuple[str, ...]
    results: Figures

    def result(self, variant: str, dataset: str) -> Result | None:
        """What was measured of a variant on a dataset; none where nothing was."""
        found = self.results[Place(variant, dataset, self.task)]
        return found if found.seeds else None

    def difference(self, variant: str, dataset: str) -> Difference | None:
        """Paired difference to the reference on a dataset; none for the reference itself."""
        mine, other = self.result(variant, dataset), self.result(self.reference, dataset)
        if variant == self.reference or mine is None or other is None:
            return None
        return paired_difference(mine, other, self.metric)

    def mean_difference(self, variant: str) -> Difference | None:
        """Mean over all datasets; none where one of them is missing."""
        return mean_of([self.difference(variant, dataset) for dataset in self.datasets])

    def best(self, dataset: str) -> str | None:
        """The variant with the highest mean on a dataset."""
        found = {name: self.result(name, dataset) for name in self.variants}
        means = {name: each.mean(self.metric) for name, each in found.items() if each is not None}
        return max(means, key=lambda name: means[name]) if means else None

    def seconds(self, variant: str) -> float | None:
        """Seconds of a fit: the mean over datasets of the means over seeds."""
        found = [self.result(variant, dataset) for dataset in self.datasets]
        means = [statistics.fmean(each.seconds["fit"]) for each in found if each is not None]
        return statistics.fmean(means) if means else None


def mean_of(differences: Sequence[Difference | None]) -> Difference | None:
    """Mean of differences on several graphs, with the error that seeds alone give it.

    Errors of graphs are independent and add up as such: ``sqrt(sum of squares) / number``. That is
    the error of the mean over these very graphs; how a variant would do on other graphs, their
    spread would tell.

    Example:
        >>> mean_of([Difference(1.0, 0.3), Difference(3.0, 0.4)])
        Difference(mean=2.0, error=0.25)
    """
    known = [each for each in differences if each is not None]
    if not known or len(known) < len(differences):
        return None
    errors = [each.error for each in known if each.error is not None]
    error = math.hypot(*errors) / len(known) if len(errors) == len(known) else None
    return Difference(statistics.fmean(each.mean for each in known), error)


def overall_differences(scores: Sequence[Scores]) -> dict[str, Difference]:
    """Mean difference of every variant over all datasets and tasks; the reference has zero.

    Tasks of one seed share an embedding, so that their errors are not independent: differences are
    averaged over tasks seed by seed first, then over seeds, then over datasets. Variants that lack
    a figure are left out, since their means would be of other datasets.
    """
    first = scores[0]
    found = {}
    for variant in first.variants:
        by_dataset = [_over_tasks(scores, variant, dataset) for dataset in first.datasets]
        mean = mean_of(by_dataset)
        if variant == first.reference:
            found[variant] = Difference(0.0, None)
        elif mean is not None:
            found[variant] = mean
    return found


def _over_tasks(scores: Sequence[Scores], variant: str, dataset: str) -> Difference | None:
    """Difference on a dataset, the mean over tasks taken seed by seed."""
    rows: list[Mapping[int, float]] = []
    for each in scores:
        mine, other = each.result(variant, dataset), each.result(each.reference, dataset)
        if mine is None or other is None:
            return None
        rows.append(seed_differences(mine, other, each.metric))
    common = [seed for seed in rows[0] if all(seed in row for row in rows)]
    means = [statistics.fmean(row[seed] for row in rows) for seed in common]
    return Difference.of(means) if means else None
