"""Which cells of items are meant, by the names that people type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphrank.data.catalog import dataset_info
from graphrank.errors import ConfigError, unknown_name
from graphrank.methods.registry import method_class
from graphrank.reproduce.item import Item, Row

_ORACLE = "-oracle"


@dataclass(frozen=True)
class Selection:
    """Which cells are meant.

    Args:
        datasets: names of datasets; all where there are none.
        methods: names of methods, as ``name`` or ``name/preset``; all where there are none.
        seeds: number of seeds in place of the item's own.
        readings: names of readings; all where there are none.
    """

    datasets: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    seeds: int | None = None
    readings: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        datasets: Sequence[str],
        methods: Sequence[str],
        seeds: int | None,
        readings: Sequence[str] = (),
        items: Sequence[Item] = (),
    ) -> Selection:
        """A selection by names as people type them.

        Args:
            datasets: names of datasets.
            methods: names of methods, with or without a preset behind a stroke.
            seeds: number of seeds.
            readings: names of readings.
            items: the items that have the readings.

        Raises:
            ConfigError: For an unknown name, with the nearest one.
        """
        found = tuple(dataset_info(name).name for name in datasets)
        known = list(dict.fromkeys(each.name for item in items for each in item.readings))
        for name in readings:
            if name in known:
                continue
            if not known:
                raise ConfigError("these items have no readings to choose; leave out --reading")
            raise ConfigError(unknown_name("reading", name, known))
        return cls(found, tuple(map(_method, methods)), seeds, tuple(readings))

    def takes(self, dataset: str, row: Row, reading: str) -> bool:
        """Whether a cell is meant; an oracle goes with its method."""
        method = row.name.removesuffix(_ORACLE)
        return (
            (not self.datasets or dataset in self.datasets)
            and (not self.methods or bool({method, f"{method}/{row.preset}"} & set(self.methods)))
            and (not self.readings or reading in self.readings)
        )


def _method(typed: str) -> str:
    """A method by its own name, and the preset as it was typed."""
    name, stroke, preset = typed.partition("/")
    return method_class(name).info.name + stroke + preset
