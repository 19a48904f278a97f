"""What a cell needs, and which stored lines have it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphrank.results.record import Result

_NOT_OPTIONS = ("seed", "device")
_NOT_COMPARED = ("measures",)  # which of a line's measures are needed is asked otherwise


@dataclass(frozen=True)
class Wanted:
    """A configuration that lines may be of.

    Args:
        task: name of the task.
        dataset: name of the dataset.
        method: name of the method.
        protocol: name of the protocol.
        options: options of the method.
        defaults: what the method has by default, or did before it had an option. A line of an
            older version lacks options that were added since; it counts where the method does here
            what it did without them.
        judged: options of the task, and whatever else tells its cells apart.
        judged_defaults: what the task has by default.
    """

    task: str
    dataset: str
    method: str
    protocol: str
    options: Mapping[str, Any]
    defaults: Mapping[str, Any]
    judged: Mapping[str, Any] = field(default_factory=dict)
    judged_defaults: Mapping[str, Any] = field(default_factory=dict)

    def is_met_by(self, line: Result) -> bool:
        """Whether a line is of this configuration, whatever its seeds."""
        names = (line.task, line.dataset, line.method, line.protocol)
        if names != (self.task, self.dataset, self.method, self.protocol):
            return False
        method, task = line.config.get("method", {}), line.config.get("task", {})
        return _same(method, self.options, self.defaults) and _same(
            task, self.judged, self.judged_defaults
        )


def options_of(params: Mapping[str, Any]) -> dict[str, Any]:
    """Options that tell one configuration from another."""
    return {name: value for name, value in params.items() if name not in _NOT_OPTIONS}


class Stored:
    """Lines that there are, to be asked for what a cell needs.

    Args:
        results: lines of any tasks, datasets and methods.
    """

    def __init__(self, results: Iterable[Result]) -> None:
        self.results = list(results)
        self._by_place: dict[tuple[str, str, str], list[Result]] = {}
        for result in self.results:
            place = (result.task, result.dataset, result.method)
            self._by_place.setdefault(place, []).append(result)

    def find(self, wanted: Wanted, metrics: Sequence[str]) -> Result | None:
        """All seeds of a configuration that have all the metrics, in order; none without any."""
        place = (wanted.task, wanted.dataset, wanted.method)
        lines = [line for line in self._by_place.get(place, ()) if wanted.is_met_by(line)]
        seeds: dict[int, Result] = {}
        for line in lines:
            for at, seed in enumerate(line.seeds):
                one = _one_seed(line, at)
                if seed in seeds:
                    seeds[seed].values = {**one.values, **seeds[seed].values}
                else:
                    seeds[seed] = one
        whole: Result | None = None
        for _, one in sorted(seeds.items()):
            if all(metric in one.values for metric in metrics):
                one.values = {metric: one.values[metric] for metric in metrics}
                if whole is None:
                    whole = one
                else:
                    whole.add(one)
        return whole


def _same(found: Mapping[str, Any], asked: Mapping[str, Any], defaults: Mapping[str, Any]) -> bool:
    """Whether two configurations are one, what either lacks being at its default."""
    asked, defaults = _plain(asked), _plain(defaults)
    names = [name for name in {*found, *asked} if name not in _NOT_COMPARED]
    nothing = object()
    for name in names:
        mine = asked.get(name, defaults.get(name, nothing))
        if found.get(name, defaults.get(name, nothing)) != mine:
            return False
    return True


def _plain(config: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration as it comes back from a file."""
    plain: dict[str, Any] = json.loads(json.dumps(config))
    return plain


def _one_seed(line: Result, at: int) -> Result:
    """One seed of a line."""
    one = copy.copy(line)
    one.seeds = [line.seeds[at]]
    one.values = {k: [v[at]] for k, v in line.values.items() if len(v) == len(line.seeds)}
    one.seconds = {k: [v[at]] for k, v in line.seconds.items() if len(v) == len(line.seeds)}
    one.peak_mib = [line.peak_mib[at]]
    return one
