"""Milliseconds and peak memory of an epoch: ours, plain PyG and the floor, in one run."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from torch_geometric.data import Data

from graphrank.benchmark.floor import Floor
from graphrank.benchmark.ours import Ours
from graphrank.benchmark.plain import PlainGraphRank
from graphrank.data import load, without_labels
from graphrank.measure import measured, peak_memory_mib
from graphrank.methods.graphrank import GraphRank
from graphrank.training.loop import Run

CONTENDERS: dict[str, Callable[[Data, GraphRank], Any]] = {
    "ours": Ours,
    "plain PyG": PlainGraphRank,
    "floor": Floor,
}


@dataclass(frozen=True)
class SpeedRow:
    """What was measured on one dataset.

    Args:
        dataset: its name.
        milliseconds: contender to median time of an epoch.
        peak_mib: contender to peak memory of a process that runs nothing else.
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
            "over_floor": self.over_floor,
            "default_ratio": self.default_ratio,
        }
        return {**asdict(self), **ratios}


def benchmark_method(channels: int = 512) -> GraphRank:
    """The configuration that all contenders share: the paper's two-layer GCN."""
    return GraphRank.from_preset("paper", {"channels": channels, "device": "cpu"})


def measure_speed(dataset: str, rounds: int = 5, channels: int = 512) -> SpeedRow:
    """Time all contenders in turn, round by round, so that none gets the better moments."""
    data = without_labels(load(dataset))
    method = benchmark_method(channels)
    running = {name: make(data, method) for name, make in CONTENDERS.items()}
    times: dict[str, list[float]] = {name: [] for name in running}
    for turn in range(rounds + 1):
        for name, contender in running.items():
            started = time.perf_counter()
            contender.epoch()
            if turn:  # the first round warms up
                times[name].append(1e3 * (time.perf_counter() - started))
    del running
    with measured() as whole:
        GraphRank(device="cpu").fit(data, run=Run(progress=False))
    return SpeedRow(
        data.name,
        {name: statistics.median(values) for name, values in times.items()},
        {name: _memory_alone(dataset, name, channels) for name in CONTENDERS},
        whole.seconds,
        whole.peak_mib,
    )


def _memory_alone(dataset: str, contender: str, channels: int) -> float:
    """Peak memory of a fresh process that runs three epochs of one contender."""
    command = [sys.executable, "-m", "graphrank.benchmark.speed", dataset, contender, str(channels)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(json.loads(output.splitlines()[-1]))


def _main(dataset: str, contender: str, channels: str) -> None:
    data = without_labels(load(dataset))
    running = CONTENDERS[contender](data, benchmark_method(int(channels)))
    for _ in range(3):
        running.epoch()
    print(json.dumps(peak_memory_mib()))


if __name__ == "__main__":
    _main(*sys.argv[1:4])
