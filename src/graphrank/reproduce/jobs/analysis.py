"""Measures of a fitted method: the work behind sweeps, geometry and the false-negative study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from graphrank.analysis.false_negatives import TASK as FALSE_NEGATIVES
from graphrank.analysis.ledger import Ledger, SeedRuns, empty_cell
from graphrank.analysis.oracle import Oracle, OracleGrace, OracleGraphRank
from graphrank.analysis.sweep_plan import swept_options
from graphrank.methods.base import Method
from graphrank.methods.registry import method_class
from graphrank.reproduce.item import Row
from graphrank.reproduce.jobs.base import Job, make, probe_options, usual_protocol, want
from graphrank.reproduce.jobs.bench import Bench
from graphrank.reproduce.wanted import Wanted
from graphrank.tasks.clustering import Clustering

GEOMETRY = "geometry"
# Measured together, whichever of them an item shows: a fit costs far more than all of them.
GEOMETRY_MEASURES = (
    "intra_class_variance_normalized", "intra_class_variance", "outliers",
    "inter_class_distance_normalized", "inter_class_distance",
)  # fmt: skip
ORACLES: dict[str, type[Method[Any]]] = {
    kind.info.name: kind for kind in (OracleGrace, OracleGraphRank)
}


@dataclass(frozen=True)
class AnalysisJob(Job):
    """Fit a method and measure its embedding, as ``graphrank sweep`` does.

    Args:
        task: name that its lines bear.
        dataset: name of the dataset.
        row: the method; the name may be that of an oracle.
        measures: what is measured.
        swept: name and value of a swept option; empty for none.
    """

    task: str
    dataset: str
    row: Row
    measures: tuple[str, ...]
    swept: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def wanted(self) -> Wanted:
        """Lines of sweeps and studies."""
        judged = {**self.swept, **probe_options(), **asdict(Clustering())}
        usual = {**probe_options(), **asdict(Clustering())}
        protocol = usual_protocol(self.dataset)
        return want(self.task, self.dataset, protocol, self._method()[1], judged, usual)

    @property
    def fit_sees(self) -> str | None:
        """All of the dataset; such a fit serves other studies, but no task."""
        return "all, to be analysed"

    def run(self, seed: int, results: Path, bench: Bench) -> None:
        """One seed through the ledger."""
        data = bench.graph(self.dataset)
        preset, method = self._method()
        if isinstance(method, Oracle):
            method.reveal(data.y)
        cell = empty_cell(self.task, data, method, preset, dict(self.swept))
        cell.diagnostic = self.task == FALSE_NEGATIVES
        SeedRuns(
            data,
            self.measures,
            (seed,),
            Ledger.open(results),
            progress=False,
            fits=bench.analysed,
        ).run(method, cell)

    def _method(self) -> tuple[str, Method[Any]]:
        """The method at its point of the sweep, behind its preset."""
        if self.row.name in ORACLES:
            kind = ORACLES[self.row.name]
            return self.row.preset, kind.from_preset("default", self.row.settings)
        preset, method = make(self.row, self.dataset)
        if self.swept:
            options = swept_options(method_class(self.row.name), self.swept["parameter"])
            method.set_params(**dict.fromkeys(options, self.swept["value"]))
        return preset, method


def with_oracle(row: Row, dataset: str) -> tuple[Row, Row]:
    """A method and its oracle, both with the settings that the method has on the dataset."""
    preset, method = make(row, dataset)
    options = {k: v for k, v in method.get_params().items() if k not in ("seed", "device")}
    label = row.label and f"{row.label}, with oracle negatives"
    oracle = f"{row.name}-oracle"
    return row, Row(oracle, preset, options, seeds=row.seeds, label=label, datasets=row.datasets)
