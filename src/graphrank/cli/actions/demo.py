"""The whole way on the built-in digits: train, judge, draw, report."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch_geometric.data import Data

from graphrank.cli.actions.demo_page import METRICS, Outcome, demo_page, demo_table
from graphrank.cli.actions.evaluate import measure
from graphrank.cli.actions.graph import load_graph
from graphrank.cli.console import only_warnings, output
from graphrank.cli.demo import DemoRequest
from graphrank.cli.options import GraphSource
from graphrank.data import without_labels
from graphrank.errors import GraphRankError
from graphrank.files import write_text
from graphrank.measure import measured, set_imports_aside
from graphrank.methods.options import parse_settings
from graphrank.methods.registry import CONTROLS, METHODS, make_method
from graphrank.report.compare import Comparison, compare
from graphrank.report.html import render
from graphrank.report.tables import for_terminal
from graphrank.tasks.fits import Fit, Fits
from graphrank.tasks.runner import Experiment
from graphrank.terminal import status
from graphrank.training.loop import Run

_METHODS = ("graphrank", *CONTROLS)


def run_demo(request: DemoRequest, *, progress: bool) -> None:
    """Run it all, print the table, write the report and say where it is."""
    if request.output.is_dir():
        raise GraphRankError(f"{request.output} is a folder; name a file for the report")
    settings = parse_settings(request.settings or ())
    model = make_method("graphrank", settings=settings)
    set_imports_aside()
    data = load_graph(GraphSource(graph="digits"), progress=progress)
    fits: Fits[Fit] = Fits(most=len(_METHODS) * request.seeds)
    with only_warnings(), measured() as cost:
        model.fit(data, run=Run(progress=progress))
    # The model that the report shows is the first of those that are judged.
    fits.get(model, without_labels(data), lambda: (model.embedding_, cost))
    comparisons = _judge(data, settings, request.seeds, fits, progress=progress)
    with status("drawing the report", progress):
        page = render(demo_page(Outcome(data, model, comparisons)))
    write_text(request.output, page)
    output().print(for_terminal(demo_table(comparisons)))
    _say_where(request.output, open_page=request.open_page)


def _judge(
    data: Data, settings: Mapping[str, Any], seeds: int, fits: Fits[Fit], *, progress: bool
) -> dict[str, Comparison]:
    """GraphRank and the controls, compared on each task."""
    titles = {name: METHODS[name].info.title for name in _METHODS}
    comparisons = {}
    for task in METRICS:
        experiment = Experiment(
            task=task, methods=_METHODS, seeds=tuple(range(seeds)), settings=settings
        )
        comparisons[task] = compare(measure(data, experiment, progress=progress, fits=fits), titles)
    return comparisons


def _say_where(path: Path, *, open_page: bool) -> None:
    address = path.absolute()
    output().print(f"\nReport: {address}", markup=False, soft_wrap=True)
    if open_page:
        webbrowser.open(address.as_uri())
