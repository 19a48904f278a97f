"""What an ablation runs: named variants over datasets, tasks and seeds, from a YAML file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphrank.ablation.figures import FIGURES, NODE_TASKS
from graphrank.ablation.variant import Variant, check_level, parse_variant
from graphrank.data.catalog import DatasetInfo
from graphrank.data.source import find_source
from graphrank.errors import ConfigError, DataError, GraphRankError, unknown_name
from graphrank.methods.info import Level
from graphrank.tasks.registry import TASKS
from graphrank.yaml_files import as_mapping, from_mapping, read_yaml

_LAST_SEED = 2**32 - 1


@dataclass(frozen=True)
class Plan:
    """An ablation whose every name was checked.

    Args:
        reference: the variant that the others are compared with.
        datasets: names or paths of graphs, or of sets of graphs where the tasks are about those.
        variants: what is compared, by name.
        tasks: names of tasks, all about nodes or all about whole graphs.
        seeds: number of seeds.
        first_seed: the first of them. By default far from those of published figures, so that
            what is chosen here was not chosen on their splits.
        title: what the ablation is about.
    """

    reference: str
    datasets: tuple[str, ...]
    variants: Mapping[str, Variant]
    tasks: tuple[str, ...] = NODE_TASKS
    seeds: int = 3
    first_seed: int = 100
    title: str = ""

    def __post_init__(self) -> None:
        for name in ("reference", "title"):
            if not isinstance(getattr(self, name), str):
                raise ConfigError(f"{name} {getattr(self, name)!r} is no text; put it in quotes")
        if not self.variants:
            raise ConfigError("variants names none; name at least the reference, as `default: {}`")
        if self.reference not in self.variants:
            raise ConfigError(unknown_name("variant", self.reference, self.variants))
        _check_seeds(self.seeds, self.first_seed)
        _check_tasks(_names(self.tasks, "tasks"))
        for name, variant in self.variants.items():
            try:
                check_level(variant, self.level)
            except ConfigError as error:
                raise ConfigError(f"variant {name}: {error}") from None
        _check_datasets(_names(self.datasets, "datasets"), self.level)

    @property
    def level(self) -> Level:
        """What is embedded: nodes of one graph, or the graphs of a set."""
        return TASKS[self.tasks[0]].level

    @property
    def seed_range(self) -> range:
        """All seeds."""
        return range(self.first_seed, self.first_seed + self.seeds)

    def with_changes(
        self,
        *,
        datasets: Sequence[str] | None = None,
        tasks: Sequence[str] | None = None,
        variants: Iterable[str] | None = None,
        seeds: int | None = None,
        first_seed: int | None = None,
    ) -> Plan:
        """The plan with parts of it replaced, checked again.

        Args:
            datasets: other datasets.
            tasks: other tasks.
            variants: names of those to keep; the reference stays, for the others need it.
            seeds: number of seeds.
            first_seed: the first of them.
        """
        changes: dict[str, Any] = {"seeds": seeds, "first_seed": first_seed}
        changes["datasets"] = tuple(datasets) if datasets else None
        changes["tasks"] = tuple(tasks) if tasks else None
        changes["variants"] = self._some(variants) if variants else None
        return replace(self, **{name: new for name, new in changes.items() if new is not None})

    def _some(self, names: Iterable[str]) -> dict[str, Variant]:
        """Variants by name, in the order of the file."""
        chosen = {self.reference, *names}
        for name in chosen:
            if name not in self.variants:
                raise ConfigError(unknown_name("variant", name, self.variants))
        return {name: variant for name, variant in self.variants.items() if name in chosen}


def read_plan(path: Path) -> Plan:
    """Read an ablation from its file, every name and value checked.

    Raises:
        ConfigError: In one sentence, with the file's name in it.
    """
    if not path.is_file():
        raise ConfigError(f"there is no file {str(path)!r}; check the path")
    try:
        entries = dict(as_mapping(read_yaml(path), "the file"))
        listed = as_mapping(entries.get("variants", {}), "its entry variants")
        level = _level_of(entries.get("tasks"))
        entries["variants"] = {
            name: parse_variant(name, each, level) for name, each in listed.items()
        }
        return from_mapping(Plan, entries, "the file")
    except GraphRankError as error:
        raise ConfigError(f"{path}: {error}") from None


def _level_of(tasks: object) -> Level:
    """What a file's tasks are about, which its variants need to know; mistakes are told later."""
    named = tasks if isinstance(tasks, list | tuple) else ()
    known = [TASKS[name].level for name in named if isinstance(name, str) and name in TASKS]
    return known[0] if known else "node"


def _names(given: object, what: str) -> tuple[str, ...]:
    """A list of words, each of them once."""
    if not isinstance(given, tuple) or not given:
        raise ConfigError(f"{what} has to be a list with at least one name, as in [{_LIKE[what]}]")
    for place, name in enumerate(given):
        if not isinstance(name, str):
            raise ConfigError(f"{name!r} in {what} is no word; put it in quotes")
        if name in given[:place]:
            raise ConfigError(f"{name} is twice in {what}; leave out one of them")
    return given


_LIKE = {"datasets": "cora, photo", "tasks": "node-classification, clustering"}


def _check_seeds(seeds: object, first_seed: object) -> None:
    """Both whole numbers, and none past the last seed that there is."""
    for name, value, low in (("seeds", seeds, 1), ("first_seed", first_seed, 0)):
        if type(value) is not int or not low <= value <= _LAST_SEED:
            raise ConfigError(f"{name} {value!r} is no whole number of at least {low}; mend it")


def _check_tasks(names: tuple[str, ...]) -> None:
    """Refuse what is no task, and tasks about nodes beside tasks about whole graphs."""
    by_level: dict[Level, str] = {}
    for name in names:
        if name not in FIGURES:
            raise ConfigError(unknown_name("task", name, FIGURES))
        by_level.setdefault(TASKS[name].level, name)
    if len(by_level) > 1:
        raise ConfigError(
            f"{by_level['graph']} is about whole graphs and {by_level['node']} about nodes; leave "
            "out one of them"
        )


def _check_datasets(names: tuple[str, ...], level: Level) -> None:
    """Refuse what stands for nothing, for the other level, or for what another name stands for."""
    seen: dict[object, str] = {}
    for name in names:
        found = find_source(name)
        if isinstance(found, DatasetInfo) and found.level != level:
            raise DataError(of_other_level(found.name, level))
        other = seen.setdefault(found or name, name)
        if other != name:
            raise DataError(f"{other} and {name} are the same dataset; leave out one of them")


def of_other_level(name: str, level: Level) -> str:
    """Why a dataset cannot be used by tasks of a level, and what can."""
    if level == "graph":
        return (
            f"{name} is one graph and the tasks are about whole graphs; see `graphrank list "
            "datasets` for those of level graph"
        )
    return (
        f"{name} is a set of graphs and the tasks are about the nodes of one; name the "
        "task graph-classification, or see `graphrank list datasets` for those of level node"
    )
