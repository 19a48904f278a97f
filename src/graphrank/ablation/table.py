"""Tables of an ablation: variants in rows, datasets in columns, differences to the reference."""

from __future__ import annotations

from collections.abc import Sequence

from graphrank.ablation.compare import Scores, overall_differences
from graphrank.ablation.figures import FIGURES
from graphrank.ablation.plan import Plan
from graphrank.ablation.run import Figures
from graphrank.report.compare import Difference
from graphrank.report.tables import Cell, TextTable, difference_text, metric_title
from graphrank.tasks.registry import TASKS

_MISSING = "–"
_ERROR = (
    "Below a mean: its difference to {reference}, paired by seed, ± the standard error of that "
    "mean; mean difference: over datasets, its error that of the seeds."
)
_ONE_SEED = "Below a mean: its difference to {reference}. One seed has no standard error."
_CLEAR = "* differs from {reference} by more than two standard errors."
_LACKING = "– could not be measured; what went wrong was said when it was tried."


def validation_scores(plan: Plan, figures: Figures) -> list[Scores]:
    """Validation figures, one set for each task."""
    return _scores(plan, figures, FIGURES)


def confirmed_scores(plan: Plan, figures: Figures) -> list[Scores]:
    """Test figures, one set for each task: the first metric of each."""
    return _scores(plan, figures, {name: TASKS[name].metrics[0] for name in plan.tasks})


def _scores(plan: Plan, figures: Figures, metrics: dict[str, str]) -> list[Scores]:
    datasets = tuple(dict.fromkeys(place.dataset for place in figures))
    variants = tuple(plan.variants)
    return [
        Scores(task, metrics[task], plan.reference, variants, datasets, figures)
        for task in plan.tasks
    ]


def scores_table(scores: Scores, seeds: Sequence[int]) -> TextTable:
    """One task: means, and below them paired differences to the reference."""
    rows = tuple(_row(scores, variant) for variant in scores.variants)
    of = f"{len(seeds)} seeds ({seeds[0]} to {seeds[-1]})" if len(seeds) > 1 else f"seed {seeds[0]}"
    return TextTable(
        title=f"{scores.task}: {metric_title(scores.metric)} in %, {of}",
        columns=("variant", *scores.datasets, "mean difference", "s per fit"),
        rows=rows,
        notes=_notes(scores, rows, one_seed=len(seeds) == 1),
    )


def _row(scores: Scores, variant: str) -> tuple[Cell, ...]:
    seconds = scores.seconds(variant)
    mean = "reference"
    if variant != scores.reference:
        mean = difference_text(scores.mean_difference(variant)) or _MISSING
    return (
        Cell(variant),
        *(_figure(scores, variant, dataset) for dataset in scores.datasets),
        Cell(mean),
        Cell(_MISSING if seconds is None else f"{seconds:.2f}"),
    )


def _figure(scores: Scores, variant: str, dataset: str) -> Cell:
    result = scores.result(variant, dataset)
    if result is None:
        return Cell(_MISSING)
    difference = difference_text(scores.difference(variant, dataset))
    lines = [f"{result.mean(scores.metric):.2f}", *([difference] if difference else [])]
    return Cell("\n".join(lines), strong=scores.best(dataset) == variant)


def _notes(scores: Scores, rows: Sequence[tuple[Cell, ...]], *, one_seed: bool) -> tuple[str, ...]:
    """What the figures mean, as far as there are such."""
    texts = [cell.text for row in rows for cell in row[1:]]
    notes = []
    if len(scores.variants) > 1:
        notes.append(_ONE_SEED if one_seed else _ERROR)
    if any(text.endswith(" *") for text in texts):
        notes.append(_CLEAR)
    if _MISSING in texts:
        notes.append(_LACKING)
    return tuple(note.format(reference=scores.reference) for note in notes)


def best_variant(scores: Sequence[Scores]) -> tuple[str, Difference]:
    """The variant with the best mean difference; the reference, if no other is better."""
    found = overall_differences(scores)
    reference = scores[0].reference
    name = max(found, key=lambda variant: (found[variant].mean, variant == reference))
    return name, found[name]


def best_sentence(scores: Sequence[Scores]) -> str:
    """Which variant is best on validation, and by how much."""
    name, difference = best_variant(scores)
    datasets, tasks = len(scores[0].datasets), len(scores)
    over = f"over {_count(datasets, 'dataset')} and {_count(tasks, 'task')}"
    if len(overall_differences(scores)) < len(scores[0].variants):
        over += ", variants that lack a figure left out"
    if name == scores[0].reference:
        return f"best on validation: {name}, the reference; no variant has a better mean {over}"
    text = difference_text(difference).removesuffix(" *")
    ending = ""
    if difference.error is None:
        ending = "; one seed has no standard error"
    elif not difference.clear:
        ending = "; less than two standard errors, which is no clear gain"
    return f"best on validation: {name}, {text} to {scores[0].reference}, the mean {over}{ending}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"
