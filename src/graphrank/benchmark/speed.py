"""Milliseconds and peak memory of an epoch: ours, plain PyG and the floor, in one run."""

from __future__ import annotations

import statistics
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any

from graphrank.benchmark.worker import CONTENDERS, Worker
from graphrank.data import load, without_labels
from graphrank.measure import measured
from graphrank.methods.graphrank import GraphRank
from graphrank.training.loop import Run


@dataclass(frozen=True)
class SpeedRow:
    """What was measured on one dataset.

    Args:
        dataset: its name.
        milliseconds: contender to median over the rounds of the time of an epoch.
        peak_mib: contender to peak memory of its process.
        default_seconds: the whole default training, features to embeddings.
        default_peak_mib: peak memory of it.
    """

    dataset: str
    milliseconds: dict[str, float]
    peak_mib: dict[str, float]
    default_seconds: float
    default_peak_mib: float

    @property
    def speedup(self) -> float:
        """How many times faster than plain PyG."""
        return self.milliseconds["plain PyG"] / self.milliseconds["ours"]

    @property
    def speedup_on_our_memory(self) -> float:
        """How many times faster than plain PyG that was lent our memory settings."""
        return self.milliseconds["plain PyG, our memory"] / self.milliseconds["ours"]

    @property
    def over_floor(self) -> float:
        """Time as a multiple of the floor's."""
        return self.milliseconds["ours"] / self.milliseconds["floor"]

    @property
    def default_ratio(self) -> float:
        """How often the whole default training fits into 100 epochs of plain PyG."""
        return 0.1 * self.milliseconds["plain PyG"] / self.default_seconds

    def to_dict(self) -> dict[str, Any]:
        """The row as plain JSON values, ratios included."""
        ratios = {
            "speedup": self.speedup,
            "speedup_on_our_memory": self.speedup_on_our_memory,
            "over_floor": self.over_floor,
            "default_ratio": self.default_ratio,
        }
        return {**asdict(self), **ratios}


def measure_speed(dataset: str, rounds: int = 5, channels: int = 512) -> SpeedRow:
    """Time all contenders in turn, round by round, so that none gets the better moments."""
    data = without_labels(load(dataset))
    times: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    with ExitStack() as stack:
        workers = {
            name: stack.enter_context(Worker(dataset, name, channels)) for name in CONTENDERS
        }
        for _ in range(rounds):
            for name, worker in workers.items():
                times[name].append(worker.turn())
        peaks = {name: worker.peak_mib() for name, worker in workers.items()}
    with measured() as whole:
        GraphRank(device="cpu").fit(data, run=Run(progress=False))
    return SpeedRow(
        data.name,
        {name: statistics.median(values) for name, values in times.items()},
        peaks,
        whole.seconds,
        whole.peak_mib,
    )
