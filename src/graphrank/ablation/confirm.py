"""The chosen variant and the reference on test, with seeds that nothing was chosen on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from graphrank.ablation.figures import PREFIX, Graphs
from graphrank.ablation.plan import Plan
from graphrank.ablation.run import Cell, Figures, Place, check_labels, make_cells
from graphrank.errors import ConfigError
from graphrank.results.record import Result
from graphrank.results.store import read
from graphrank.tasks.fits import Fit, Fits
from graphrank.tasks.runner import Experiment, evaluate

_THE_SAME_FOR_ALL_SEEDS = {"public": "one public test set", "svm-10-fold": "the same ten folds"}


def confirmed_file(results: Path) -> Path:
    """Where test figures go, beside the file of validation figures.

    Example:
        >>> confirmed_file(Path("mine.jsonl")).name
        'mine.confirmed.jsonl'
    """
    return results.with_name(f"{results.stem}.confirmed{results.suffix}")


def fresh_seed(results: Path) -> int:
    """The first seed past all that were used on validation or test."""
    lines = [*_lines(results), *_lines(confirmed_file(results))]
    return max((seed for line in lines for seed in line.seeds), default=-1) + 1


def check_fresh(plan: Plan, results: Path) -> None:
    """Refuse to confirm on seeds that were used on validation.

    Raises:
        ConfigError: For the first such seed, with the first fresh one.
    """
    used = {seed for line in _lines(results) if _is_validation(line) for seed in line.seeds}
    for seed in plan.seed_range:
        if seed in used:
            raise ConfigError(
                f"seed {seed} was used on validation, where the choice was made; confirm on fresh "
                f"seeds, as with --first-seed {fresh_seed(results)}"
            )


def check_confirmable(name: str, plan: Plan, graphs: Mapping[str, Graphs], results: Path) -> None:
    """Refuse a variant without validation figures, and test seeds seen for another variant.

    Args:
        name: the variant to confirm.
        plan: the plan with all its variants, which tells whose lines are whose.
        graphs: its graphs by name.
        results: file of validation figures.

    Raises:
        ConfigError: With what to do instead.
    """
    cells = make_cells(plan, graphs)
    keys = {cell.empty.key for cell in cells if cell.place.variant == name}
    if not any(line.key in keys for line in _lines(results)):
        raise ConfigError(
            f"{results} has no validation figures of {name} on these datasets; choose on "
            "validation first: run it without --confirm"
        )
    for line in _lines(confirmed_file(results)):
        seen = sorted(set(line.seeds) & set(plan.seed_range))
        owners = _owners(line, cells)
        if line.dataset in graphs and seen and not {name, plan.reference} & set(owners):
            whose = f"variant {owners[0]}" if owners else f"another variant ({line.method})"
            raise ConfigError(
                f"test figures of seed {seen[0]} on {line.dataset} were already looked at for "
                f"{whose}; confirm {name} on fresh seeds, with --first-seed {fresh_seed(results)}"
            )


def confirm(
    plan: Plan,
    graphs: Mapping[str, Graphs],
    results_file: Path,
    *,
    progress: bool = True,
    on_seed: Callable[[Place, Result], None] | None = None,
) -> Figures:
    """Evaluate the variants of a plan on test, as ``graphrank evaluate`` does.

    Args:
        plan: the chosen variant and the reference, alone.
        graphs: its graphs by name, with their labels.
        results_file: append a line a seed there; seeds that it holds are not run again.
        progress: show progress bars on a terminal.
        on_seed: called after every seed that was run, with its place and its line.
    """
    check_labels(plan, graphs)
    found: dict[Place, Result] = {}
    fits: Fits[Fit] = Fits()
    for seed in plan.seed_range:
        for place, experiment in _experiments(plan, graphs, seed):
            (line,) = evaluate(
                graphs[place.dataset],
                experiment,
                results_file=results_file,
                progress=progress,
                on_seed=None if on_seed is None else partial(on_seed, place),
                fits=fits,
            )
            found.setdefault(place, line.only([])).add(line)
    return found


def looked_at(figures: Figures) -> str:
    """What was given away by showing test figures, in one sentence."""
    parts = ["these test seeds count as looked at: another variant needs fresh ones"]
    for protocol, what in _THE_SAME_FOR_ALL_SEEDS.items():
        found = {place.dataset for place, line in figures.items() if line.protocol == protocol}
        if found:
            parts.append(f"{', '.join(sorted(found))}: {what} for all seeds, so every look counts")
    return "; ".join(parts)


def _experiments(
    plan: Plan, graphs: Mapping[str, Graphs], seed: int
) -> Sequence[tuple[Place, Experiment]]:
    """All of one seed; tasks of one variant and graph follow each other and share fits."""
    return [
        (
            Place(name, dataset, task),
            Experiment(
                task=task,
                methods=(variant.method,),
                seeds=(seed,),
                preset=variant.preset,
                settings=variant.settings,
            ),
        )
        for dataset in graphs
        for name, variant in plan.variants.items()
        for task in plan.tasks
    ]


def _owners(line: Result, cells: Sequence[Cell]) -> list[str]:
    """The variants whose method and options a line has."""
    return [
        cell.place.variant
        for cell in cells
        if cell.place.dataset == line.dataset
        and cell.empty.method == line.method
        and cell.empty.config["method"] == line.config.get("method")
    ]


def _is_validation(line: Result) -> bool:
    return line.task.startswith(PREFIX)


def _lines(path: Path) -> list[Result]:
    return read(path) if path.exists() else []
