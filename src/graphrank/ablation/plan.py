"""What an ablation runs: named variants over datasets, tasks and seeds, from a YAML file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphrank.ablation.figures import FIGURES
from graphrank.ablation.variant import Variant, parse_variant
from graphrank.data.catalog import DatasetInfo
from graphrank.data.source import find_source
from graphrank.errors import ConfigError, DataError, GraphRankError, unknown_name
from graphrank.tasks.registry import TASKS
from graphrank.yaml_files import as_mapping, from_mapping, read_yaml

_LAST_SEED = 2**32 - 1


@dataclass(frozen=True)
class Plan:
    """An ablation whose every name was checked.

    Args:
        reference: the variant that the others are compared with.
        datasets: names or paths of graphs.
        variants: what is compared, by name.
        tasks: names of tasks.
        seeds: number of seeds.
        first_seed: the first of them. By default far from those of published figures, so that
            what is chosen here was not chosen on their splits.
        title: what the ablation is about.
    """

    reference: str
    datasets: tuple[str, ...]
    variants: Mapping[str, Variant]
    tasks: tuple[str, ...] = tuple(FIGURES)
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
        _check_datasets(_names(self.datasets, "datasets"))

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
        entries["variants"] = {name: parse_variant(name, each) for name, each in listed.items()}
        return from_mapping(Plan, entries, "the file")
    except GraphRankError as error:
        raise ConfigError(f"{path}: {error}") from None


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
    for name in names:
        if name in FIGURES:
            continue
        if name in TASKS:
            raise ConfigError(
                f"{name} is about whole graphs and an ablation compares embeddings of nodes; "
                f"leave it out, or measure it with `graphrank evaluate --task {name}`"
            )
        raise ConfigError(unknown_name("task", name, FIGURES))


def _check_datasets(names: tuple[str, ...]) -> None:
    """Refuse what stands for nothing, for a set of graphs, or for what another name stands for."""
    seen: dict[object, str] = {}
    for name in names:
        found = find_source(name)
        if isinstance(found, DatasetInfo) and found.level != "node":
            raise DataError(
                f"{found.name} is a set of graphs and an ablation takes one graph; see "
                "`graphrank list datasets` for those of level node"
            )
        other = seen.setdefault(found or name, name)
        if other != name:
            raise DataError(f"{other} and {name} are the same dataset; leave out one of them")
