"""The false-negative study: what if no negative were of the node's own class?

A diagnostic, and every line of it is marked so: methods never see labels, those of
:mod:`graphrank.analysis.oracle` do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch_geometric.data import Data

from graphrank.analysis.ledger import Ledger, OnSeed, SeedRuns, empty_cell
from graphrank.analysis.measures import check_labels, check_measures
from graphrank.analysis.oracle import Oracle, OracleGraphRank
from graphrank.errors import ConfigError
from graphrank.methods.base import Method
from graphrank.methods.graphrank import GraphRank
from graphrank.results.record import Result

TASK = "false-negatives"


@dataclass(frozen=True)
class FalseNegativeStudy:
    """A method with random negatives beside itself with oracle negatives, seed by seed."""

    random: Result
    oracle: Result

    def gain(self, measure: str = "accuracy") -> float:
        """Mean of a measure with oracle negatives, less that with random ones."""
        return self.oracle.mean(measure) - self.random.mean(measure)


def false_negative_study(
    data: Data,
    seeds: Sequence[int] = (0, 1, 2, 3, 4),
    *,
    method: type[Method[Any]] = GraphRank,
    oracle: type[Method[Any]] = OracleGraphRank,
    preset: str = "default",
    settings: Mapping[str, Any] | None = None,
    measures: Sequence[str] = ("accuracy",),
    results_file: Path | None = None,
    progress: bool = True,
    on_seed: OnSeed | None = None,
) -> FalseNegativeStudy:
    """Measure a method with random negatives and with negatives of other classes only.

    Args:
        data: the graph with its labels.
        seeds: seeds of training and splits alike; both variants use the same.
        method: the method as it is.
        oracle: a subclass of it with ``reveal(y)``, which draws its negatives by the classes.
        preset: preset of both.
        settings: options of both, on top of the preset.
        measures: names from :data:`graphrank.analysis.measures.MEASURES`.
        results_file: append a line a seed there; what it holds already is not run again.
        progress: show progress bars on a terminal.
        on_seed: called after every seed that was run, with its line.
    """
    chosen = check_measures(measures)
    check_labels(["outliers"], data)
    informed = oracle.from_preset(preset, settings)
    if not isinstance(informed, Oracle):
        raise ConfigError(f"{oracle.__name__} has no reveal(y), so it cannot be told the classes")
    informed.reveal(data.y)
    runs = SeedRuns(data, chosen, tuple(seeds), Ledger.open(results_file), progress, on_seed)
    results = []
    for variant in (method.from_preset(preset, settings), informed):
        cell = empty_cell(TASK, data, variant, preset, {})
        cell.diagnostic = True
        results.append(runs.run(variant, cell))
    return FalseNegativeStudy(*results)
