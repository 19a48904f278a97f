"""Sweep an option of a method; print, draw and write what was measured."""

from __future__ import annotations

import json
import math
import shlex
import statistics
from collections.abc import Sequence
from pathlib import Path

from graphrank.analysis.measures import MEASURES, check_measures
from graphrank.analysis.sweep import sweep
from graphrank.analysis.sweep_plan import SweepPlan, plan_sweep
from graphrank.analysis.sweep_result import SweepResult
from graphrank.cli.actions.graph import load_graph
from graphrank.cli.console import only_warnings, output, say
from graphrank.cli.options import GraphSource
from graphrank.cli.sweep import SweepRequest
from graphrank.errors import ConfigError
from graphrank.files import refuse_existing, write_bytes, write_text
from graphrank.measure import set_imports_aside
from graphrank.methods.options import parse_settings
from graphrank.methods.registry import method_class
from graphrank.report.html import Details, Page, Section, configuration, image, render
from graphrank.report.plots import to_png, to_svg
from graphrank.report.sweep_plots import sweep_figure, value_text
from graphrank.report.tables import Cell, TextTable, for_terminal, spread
from graphrank.results.record import Result

_DRAWERS = {".png": to_png, ".svg": lambda figure: to_svg(figure).encode()}
_SIGNIFICANT = 4
_CAPTION = (
    "Each panel is one measure: the line is the mean over seeds, the band one standard deviation "
    "to either side, the small dots are single seeds."
)
_ONE_SEED = "Each panel is one measure, of a single seed."
_ON_TEST = "Scores are on test nodes: they explain an option, they are not there to choose it by."


def sweep_graph(
    source: GraphSource, request: SweepRequest, *, typed: Sequence[str], progress: bool
) -> None:
    """Check the request, run it point by point, print the table, write the files."""
    plan = _plan(request, source.graph)
    measures = check_measures(_words(request.measure))
    _check_outputs(request)
    set_imports_aside()
    data = load_graph(source, progress=progress)
    with only_warnings():
        found = sweep(
            data,
            plan.method,
            plan.parameter,
            plan.values,
            measures,
            range(request.first_seed, request.first_seed + request.seeds),
            preset=plan.preset,
            settings=plan.settings,
            results_file=request.results,
            progress=progress,
            on_seed=_say_seed if progress else None,
        )
    output().print(for_terminal(sweep_table(found)))
    _write(found, request, shlex.join(["graphrank", *typed]))


def sweep_table(found: SweepResult) -> TextTable:
    """Values in rows, measures in columns: mean ± standard deviation over seeds."""
    first = found.points[0]
    rows = (
        (Cell(value_text(value)), *(Cell(_figure(point, name)) for name in found.measures))
        for value, point in zip(found.values, found.points, strict=True)
    )
    scored = any(MEASURES[name].percent for name in found.measures)
    return TextTable(
        title=f"{_title(first)} on {first.dataset}",
        columns=(found.parameter, *(MEASURES[name].heading for name in found.measures)),
        rows=tuple(rows),
        notes=(f"{_over(found)}, protocol {first.protocol}.", *(_ON_TEST,) * scored),
    )


def sweep_page(found: SweepResult, command: str) -> Page:
    """The figure, the table, what the measures mean, and how to measure it all again."""
    first = found.points[0]
    caption = _CAPTION if len(found.seeds) > 1 else _ONE_SEED
    fixed = configuration(first)
    for name in ("value", "measures"):
        fixed.pop(name, None)
    options = {name: text for name, text in fixed.items() if not _is_swept(found, name)}
    sections = [
        Section(
            "Figures",
            images=(image(sweep_figure(found, most_columns=2), caption),),
            table=sweep_table(found),
        ),
        Section("What the measures say", table=_meanings(found)),
        Section(
            "Configuration",
            "Everything needed to measure these figures again.",
            details=(
                Details("Options that stayed as they are", options),
                Details("Environment", first.environment),
            ),
            commands=(command,),
        ),
    ]
    lead = (
        f"{len(found.values)} values of {found.parameter} on {first.dataset}. {_over(found)}, "
        f"protocol {first.protocol}."
    )
    return Page(f"What {found.parameter} does to {_title(first)}", lead, sections)


def _meanings(found: SweepResult) -> TextTable:
    rows = ((Cell(MEASURES[name].title), Cell(MEASURES[name].summary)) for name in found.measures)
    return TextTable("", ("measure", "what it says"), tuple(rows), words=2)


def _plan(request: SweepRequest, graph: str) -> SweepPlan:
    """The sweep that was asked for, every name and value checked."""
    parameter = request.param.strip().replace("-", "_")
    values = [parse_settings([f"{parameter}={text}"])[parameter] for text in _words(request.values)]
    settings = parse_settings(request.settings or ())
    return plan_sweep(request.method, parameter, values, request.preset, settings, graph)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _check_outputs(request: SweepRequest) -> None:
    """Refuse files that could not be written, before any time is spent on training."""
    for path in (request.json, request.output, request.report):
        if path is not None:
            refuse_existing(path, overwrite=request.overwrite)
    if request.output is not None and request.output.suffix.lower() not in _DRAWERS:
        raise ConfigError(f"cannot draw {request.output}; end its name with .png or .svg")


def _write(found: SweepResult, request: SweepRequest, command: str) -> None:
    written: list[Path] = []
    if request.json is not None:
        write_text(request.json, json.dumps(found.to_report(), indent=1) + "\n")
    if request.output is not None:
        write_bytes(request.output, _DRAWERS[request.output.suffix.lower()](sweep_figure(found)))
        written.append(request.output)
    if request.report is not None:
        write_text(request.report, render(sweep_page(found, command)))
        written.append(request.report)
    for path in written:
        output().print(f"written: {path}", markup=False, soft_wrap=True)


def _figure(point: Result, name: str) -> str:
    """Scores with two decimals, other measures with four digits that count."""
    values = point.values[name]
    if MEASURES[name].percent:
        return spread(values)
    size = abs(statistics.fmean(values))
    leading = math.floor(math.log10(size)) + 1 if size > 0 else 1
    return spread(values, digits=max(0, _SIGNIFICANT - leading))


def _over(found: SweepResult) -> str:
    seeds = len(found.seeds)
    return f"Mean ± standard deviation over {seeds} seeds" if seeds > 1 else "One seed"


def _title(point: Result) -> str:
    title = method_class(point.method).info.title
    return title if point.preset == "default" else f"{title} ({point.preset})"


def _is_swept(found: SweepResult, option: str) -> bool:
    return option == found.parameter or option in (f"{found.parameter}_1", f"{found.parameter}_2")


def _say_seed(line: Result) -> None:
    """One line for one finished seed."""
    task = line.config["task"]
    where = f"{task['parameter']}={value_text(task['value'])}, seed {line.seeds[0]}"
    figures = ", ".join(f"{MEASURES[name].title} {_figure(line, name)}" for name in line.values)
    say(f"{where}: {figures} ({sum(phase[0] for phase in line.seconds.values()):.1f} s)")
