"""One contender in a process of its own, which runs some epochs whenever it is told to.

Contenders in one process would share what they should not: allocator, memory pages, caches of
threads. Each in its own, told in turn, they still meet the same moments of the machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from torch_geometric.data import Data

from graphrank.benchmark.floor import Floor
from graphrank.benchmark.ours import Ours
from graphrank.benchmark.plain import PlainGraphRank
from graphrank.data import load, without_labels
from graphrank.errors import GraphRankError
from graphrank.measure import peak_memory_mib
from graphrank.memory import kept_memory
from graphrank.methods.graphrank import GraphRank

_TURN_SECONDS = 0.5


@dataclass(frozen=True)
class Contender:
    """Who takes part.

    Args:
        make: from the graph and the shared configuration to something with ``epoch()``.
        our_memory: whether it has our care for memory: huge pages, and freed memory kept.
    """

    make: Callable[[Data, GraphRank], Any]
    our_memory: bool = True


CONTENDERS: dict[str, Contender] = {
    "ours": Contender(Ours),
    # As people run it...
    "plain PyG": Contender(PlainGraphRank, our_memory=False),
    # ...and with our memory settings, to tell how much of the gain is theirs.
    "plain PyG, our memory": Contender(PlainGraphRank),
    "floor": Contender(Floor),
}


def benchmark_method(channels: int = 512) -> GraphRank:
    """The configuration that all contenders share: the paper's two-layer GCN."""
    return GraphRank.from_preset("paper", {"channels": channels, "device": "cpu"})


class Worker:
    """A contender's process.

    Args:
        dataset: what it trains on.
        contender: its name in :data:`CONTENDERS`.
        channels: width of the GCN.
    """

    def __init__(self, dataset: str, contender: str, channels: int) -> None:
        pages = "1" if CONTENDERS[contender].our_memory else "0"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "graphrank.benchmark.worker", dataset, contender, str(channels)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "THP_MEM_ALLOC_ENABLE": pages},
        )
        self._name = contender
        self._answer()  # it is built and waits

    def turn(self) -> float:
        """Run epochs over there for a moment; milliseconds of one."""
        return self._ask("turn")

    def peak_mib(self) -> float:
        """Peak memory of the process so far."""
        return self._ask("peak")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):  # what was not read any more
                    pipe.close()

    def _ask(self, what: str) -> float:
        assert self._process.stdin is not None
        try:
            print(what, file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise self._died() from None
        return self._answer()

    def _answer(self) -> float:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise self._died()
        return float(json.loads(line))

    def _died(self) -> GraphRankError:
        return GraphRankError(
            f"the process of {self._name!r} ended by itself; there may be too little memory for "
            "all contenders at once, choose a smaller dataset or --channels"
        )


def _main(dataset: str, contender: str, channels: str) -> None:
    data = without_labels(load(dataset))
    running = CONTENDERS[contender].make(data, benchmark_method(int(channels)))
    with kept_memory() if CONTENDERS[contender].our_memory else nullcontext():
        print(0.0, flush=True)
        for line in sys.stdin:
            answer = peak_memory_mib() if line.strip() == "peak" else _turn(running.epoch)
            print(json.dumps(answer), flush=True)


def _turn(epoch: Callable[[], float]) -> float:
    """Milliseconds of an epoch, after one that brings threads and caches back from the others."""
    epoch()
    started, count = time.perf_counter(), 0
    while count == 0 or time.perf_counter() - started < _TURN_SECONDS:
        epoch()
        count += 1
    return 1e3 * (time.perf_counter() - started) / count


if __name__ == "__main__":
    _main(*sys.argv[1:4])
