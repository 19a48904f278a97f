"""Time and memory of a method's epochs on any graph, in a process of its own."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from typing import Any

import numpy as np

from graphrank.data import load, without_labels
from graphrank.errors import ConfigError, GraphRankError
from graphrank.measure import measured
from graphrank.methods.registry import make_method
from graphrank.methods.trained import TrainedMethod
from graphrank.training.loop import Run

# Points that a line needs to be called a line.
_LEAST = 3
# Mean degree and features of the graphs that grow.
GROWING = "sbm:nodes={nodes},classes=5,features=64,degree=10,seed=0"


@dataclass(frozen=True)
class EpochCost:
    """What training costs.

    Args:
        milliseconds: median of the timed epochs.
        added_mib: memory that training added to that of the loaded graph.
        peak_mib: peak memory of the process.
        seconds: all of the training, with what comes before and after its epochs.
    """

    milliseconds: float
    added_mib: float
    peak_mib: float
    seconds: float


@dataclass(frozen=True)
class GrowthRow:
    """A method on graphs of growing size.

    Args:
        method: its name.
        costs: by number of nodes.
    """

    method: str
    costs: Mapping[int, EpochCost]

    def exponent(self, of: Callable[[EpochCost], float]) -> float | None:
        """By which power of the nodes a cost grows."""
        return exponent(list(self.costs), [of(cost) for cost in self.costs.values()])

    def to_dict(self) -> dict[str, Any]:
        """The row as plain values."""
        return {
            "method": self.method,
            "costs": {str(nodes): asdict(cost) for nodes, cost in self.costs.items()},
            "time_exponent": self.exponent(lambda cost: cost.milliseconds),
            "memory_exponent": self.exponent(lambda cost: cost.added_mib),
        }


def in_own_process(graph: str, method: str, settings: Mapping[str, Any], epochs: int) -> EpochCost:
    """Measure where no other training has left its memory.

    Raises:
        GraphRankError: If the process dies, which is mostly for want of memory.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(epoch_cost, graph, method, dict(settings), epochs).result()
        except BrokenProcessPool:
            raise GraphRankError(
                f"{method} on {graph} ended by itself, mostly for want of memory"
            ) from None


def epoch_cost(graph: str, method: str, settings: Mapping[str, Any], epochs: int) -> EpochCost:
    """Train for some epochs and one before them, which is not timed."""
    trained = make_method(method, "default", {**settings, "epochs": epochs + 1})
    data = without_labels(load(graph))
    with measured() as idle:
        pass
    with measured() as fitting:
        trained.fit(data, run=Run(progress=False))
    return EpochCost(
        milliseconds=1e3 * statistics.median(trained.history_.seconds[1:]),
        added_mib=max(0.0, fitting.peak_mib - idle.peak_mib),
        peak_mib=fitting.peak_mib,
        seconds=fitting.seconds,
    )


def check_methods(names: Sequence[str], settings: Mapping[str, Any]) -> None:
    """Refuse what has no epochs to be timed, before any time is spent on the first.

    Raises:
        ConfigError: If a method is unknown, is not trained, or has no such option.
    """
    for name in names:
        method = make_method(name, "default", settings)
        if not isinstance(method, TrainedMethod) or method.info.level != "node":
            raise ConfigError(
                f"{name} has no epochs on the nodes of a graph; choose a trained method of level "
                "node (`graphrank list methods`)"
            )


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float | None:
    """The slope of a line through the larger half of the points, in logarithms; none for few.

    Small graphs are left out since fixed costs rule there.

    Example:
        >>> exponent([10, 20, 40, 80], [1.0, 4.0, 16.0, 64.0])
        2.0
    """
    points = sorted((size, cost) for size, cost in zip(sizes, costs, strict=True) if cost > 0)
    kept = points[min(len(points) // 2, max(0, len(points) - _LEAST)) :]
    if len(kept) < _LEAST:
        return None
    x, y = ([math.log(point[side]) for point in kept] for side in (0, 1))
    return round(float(np.polyfit(x, y, 1)[0]), 6)
