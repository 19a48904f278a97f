"""Sweeps: one option of a method over some values, measured at each over seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from torch_geometric.data import Data

from graphrank.analysis.ledger import Ledger, OnSeed, SeedRuns, empty_cell
from graphrank.analysis.measures import check_labels, check_measures
from graphrank.analysis.sweep_plan import plan_sweep
from graphrank.analysis.sweep_result import OptionValue, SweepResult
from graphrank.data.identity import catalog_name
from graphrank.methods.experiments import preset_in_force
from graphrank.methods.registry import method_class

DEFAULT_MEASURES = ("accuracy", "intra_class_variance", "inter_class_distance")


def sweep(
    data: Data,
    method_name: str = "graphrank",
    parameter: str = "margin",
    values: Sequence[OptionValue] = (0.0, 0.01, 0.1, 1.0, 10.0),
    measures: Sequence[str] = DEFAULT_MEASURES,
    seeds: Sequence[int] = (0, 1, 2),
    *,
    preset: str = "default",
    settings: Mapping[str, Any] | None = None,
    results_file: Path | None = None,
    progress: bool = True,
    on_seed: OnSeed | None = None,
) -> SweepResult:
    """Measure a method at each value of an option, over seeds.

    Args:
        data: the graph with its labels; the method gets it without them.
        method_name: name of any method of the registry.
        parameter: an option of it, or the common name of both views' options, such as
            ``feature_mask``.
        values: values of the option.
        measures: names from :data:`graphrank.analysis.measures.MEASURES`.
        seeds: seeds of training and splits alike.
        preset: preset of the method.
        settings: options on top of the preset.
        results_file: append a line a seed there; what it holds already is not run again.
        progress: show progress bars on a terminal.
        on_seed: called after every seed that was run, with its line.

    Example:
        >>> from graphrank import load
        >>> found = sweep(load("karate"), values=[0.1, 1.0], measures=["effective_rank"],
        ...               seeds=[0], settings={"epochs": 2, "channels": 8})
        >>> found.table("effective_rank").shape
        (2, 1)
    """
    dataset = catalog_name(data)
    plan = plan_sweep(method_name, parameter, values, preset, settings, dataset)
    named = preset_in_force(method_class(method_name), preset, dataset)
    chosen = check_measures(measures)
    check_labels(chosen, data)
    order = tuple(dict.fromkeys(seeds))
    runs = SeedRuns(data, chosen, order, Ledger.open(results_file), progress, on_seed)
    points = []
    for value in plan.values:
        method = plan.method_at(value)
        swept: dict[str, Any] = {"parameter": parameter, "value": value}
        cell = empty_cell(f"sweep:{parameter}", data, method, named, swept)
        points.append(runs.run(method, cell))
    return SweepResult(parameter, plan.values, order, chosen, tuple(points))
