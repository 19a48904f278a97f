"""One result: a task, a dataset, a method, a protocol, and a value of each metric for each seed."""

from __future__ import annotations

import hashlib
import json
import statistics
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from graphrank.results.spread import deviation

FORMAT = 1


@dataclass
class Result:
    """What was measured, with everything needed to measure it again.

    Args:
        task: name of the task.
        dataset: name of the dataset or path of the graph.
        method: name of the method.
        protocol: name of the protocol.
        config: all options of the method but the seed, and those of the task.
        seeds: one entry a run.
        values: metric to one value for each seed.
        seconds: phase (``fit``, ``evaluate``) to seconds for each seed.
        peak_mib: peak memory of each seed's fit.
        environment: versions, machine, commit.
        preset: the preset that the configuration started from.
        diagnostic: the protocol uses what an honest comparison may not use.
    """

    task: str
    dataset: str
    method: str
    protocol: str
    config: dict[str, Any]
    seeds: list[int] = field(default_factory=list)
    values: dict[str, list[float]] = field(default_factory=dict)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    peak_mib: list[float] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    preset: str = "default"
    diagnostic: bool = False

    @property
    def key(self) -> str:
        """Equal for results that differ in seeds only."""
        cell = [self.task, self.dataset, self.method, self.protocol, self.config]
        return hashlib.sha256(json.dumps(cell, sort_keys=True).encode()).hexdigest()[:16]

    def mean(self, metric: str) -> float:
        """Mean of a metric over seeds."""
        return statistics.fmean(self.values[metric])

    def std(self, metric: str) -> float:
        """Sample standard deviation of a metric over seeds; zero for one seed."""
        values = self.values[metric]
        return deviation(values) if len(values) > 1 else 0.0

    def add(self, other: Result) -> None:
        """Append the seeds of another result of the same cell, each seed once.

        A metric that only some of the seeds have is left out: a row has a value for every seed.
        """
        places = [place for place, seed in enumerate(other.seeds) if seed not in self.seeds]
        if not places:
            return
        for mine, theirs in ((self.values, other.values), (self.seconds, other.seconds)):
            for name in [*mine] if self.seeds else [*theirs]:
                if name in theirs:
                    mine.setdefault(name, []).extend(theirs[name][place] for place in places)
                else:
                    del mine[name]
        self.seeds += [other.seeds[place] for place in places]
        self.peak_mib += [other.peak_mib[place] for place in places]

    def only(self, seeds: Iterable[int]) -> Result:
        """The part of it that belongs to some seeds, in their order; seeds it has not are left out.

        Example:
            >>> result = Result("t", "d", "m", "p", {}, [0, 1], {"nmi": [1.0, 2.0]}, {}, [9.0, 9.0])
            >>> result.only([1, 5]).values
            {'nmi': [2.0]}
        """
        places = [self.seeds.index(seed) for seed in seeds if seed in self.seeds]

        def part(rows: dict[str, list[float]]) -> dict[str, list[float]]:
            return {name: [row[place] for place in places] for name, row in rows.items()}

        return replace(
            self,
            seeds=[self.seeds[place] for place in places],
            values=part(self.values),
            seconds=part(self.seconds),
            peak_mib=[self.peak_mib[place] for place in places],
        )

    def to_line(self) -> str:
        """One line of JSON, as results files hold it."""
        return json.dumps({"format": FORMAT, **asdict(self)})

    def to_report(self) -> dict[str, Any]:
        """The form that ``--json`` writes: means and standard deviations beside the values."""
        metrics = {
            name: {"mean": self.mean(name), "std": self.std(name), "values": values}
            for name, values in self.values.items()
        }
        report = asdict(self)
        del report["values"]
        return {**report, "metrics": metrics}
