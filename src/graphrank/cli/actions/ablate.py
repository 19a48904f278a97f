"""Compare variants on validation, or confirm the chosen one; print and write what was found."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from graphrank.ablation.confirm import (
    check_confirmable,
    check_fresh,
    confirm,
    confirmed_file,
    fresh_seed,
    looked_at,
)
from graphrank.ablation.criteria import check_criteria, correlations, criteria_table
from graphrank.ablation.figures import FIGURES, Graphs
from graphrank.ablation.page import Document
from graphrank.ablation.plan import Plan, of_other_level, read_plan
from graphrank.ablation.run import Figures, Place, Step, check_labels, run_ablation
from graphrank.ablation.table import (
    best_sentence,
    best_variant,
    confirmed_scores,
    scores_table,
    validation_scores,
)
from graphrank.cli.ablate import AblateRequest
from graphrank.cli.actions.graph import load_source
from graphrank.cli.console import only_warnings, output, say
from graphrank.cli.options import GraphSource
from graphrank.data import GraphSet
from graphrank.errors import ConfigError, DataError, unknown_name
from graphrank.files import refuse_existing, write_text
from graphrank.measure import set_imports_aside
from graphrank.methods.info import Level
from graphrank.report.html import render
from graphrank.report.tables import for_terminal, metric_title
from graphrank.results.record import Result


def ablate_variants(request: AblateRequest, *, typed: Sequence[str], progress: bool) -> None:
    """Check the request, measure what is missing, print the tables, write the files."""
    with only_warnings():
        plan = _plan(request)
        _check(request, plan)
        set_imports_aside()
        graphs = load_graphs(plan.datasets, plan.level, request.data_root, progress=progress)
        if request.confirm is not None:
            document = _confirmed(request, plan, graphs, progress=progress)
        else:
            check_labels(plan, graphs)
            on_step = _say_step if progress else None
            figures = run_ablation(
                plan, graphs, request.results_file, progress=progress, on_step=on_step
            )
            document = _document(request, plan, figures)
    for table in document.tables:
        output().print(for_terminal(table))
    for sentence in (document.closing, document.then and f"confirm it on test: {document.then}"):
        if sentence:
            output().print(sentence, markup=False, soft_wrap=True)
    _write(document, request, shlex.join(["graphrank", *typed]))


def load_graphs(
    datasets: Sequence[str], level: Level, data_root: Path | None, *, progress: bool
) -> dict[str, Graphs]:
    """All graphs, or sets of graphs, by their own names: what cannot be used is known first."""
    graphs: dict[str, Graphs] = {}
    for dataset in datasets:
        data = load_source(GraphSource(graph=dataset, data_root=data_root), progress=progress)
        if isinstance(data, GraphSet) != (level == "graph"):
            raise DataError(of_other_level(data.name, level))
        if data.name in graphs:
            raise DataError(f"two datasets are called {data.name}; rename one of the files")
        graphs[data.name] = data
    return graphs


def _plan(request: AblateRequest) -> Plan:
    """The file's plan with what was typed in place of it."""
    return read_plan(request.file).with_changes(
        datasets=request.datasets,
        tasks=request.tasks,
        # All are needed to tell whose test figures were looked at.
        variants=None if request.confirm is not None else request.variants,
        seeds=request.seeds,
        first_seed=request.first_seed,
    )


def _check(request: AblateRequest, plan: Plan) -> None:
    """Refuse what cannot be done or written, before any data is loaded."""
    for path in (request.json, request.markdown, request.report):
        if path is not None:
            refuse_existing(path, overwrite=request.overwrite)
    if request.results_file.resolve() == request.file.resolve():
        raise ConfigError(f"{request.file} cannot hold its own results; name a file with --results")
    if request.criteria:
        check_criteria(plan)
    if request.confirm is None:
        return
    if request.criteria:
        raise ConfigError("--criteria is about validation and --confirm about test; say one")
    if request.confirm not in plan.variants:
        raise ConfigError(unknown_name("variant", request.confirm, plan.variants))
    check_fresh(plan, request.results_file)


def _confirmed(
    request: AblateRequest, plan: Plan, graphs: dict[str, Graphs], *, progress: bool
) -> Document:
    """The chosen variant and the reference on test."""
    name = request.confirm or plan.reference
    check_confirmable(name, plan, graphs, request.results_file)
    both = plan.with_changes(variants=[name])
    figures = confirm(
        both,
        graphs,
        confirmed_file(request.results_file),
        progress=progress,
        on_seed=_say_seed if progress else None,
    )
    scores = confirmed_scores(both, figures)
    tables = [scores_table(each, both.seed_range) for each in scores]
    return Document("test", both, figures, scores, tables, looked_at(figures))


def _document(request: AblateRequest, plan: Plan, figures: Figures) -> Document:
    """Tables of validation figures and what to do next, or of criteria."""
    scores = validation_scores(plan, figures)
    if request.criteria:
        found = correlations(plan, figures)
        tables = [criteria_table(each, len(plan.variants)) for each in found]
        return Document("criteria", plan, figures, scores, tables, criteria=found)
    tables = [scores_table(each, plan.seed_range) for each in scores]
    best, _ = best_variant(scores)
    then = _confirming(request, best)
    return Document("validation", plan, figures, scores, tables, best_sentence(scores), then)


def _confirming(request: AblateRequest, variant: str) -> str:
    """The command that confirms a variant on what it was chosen on."""
    words = ["graphrank", "ablate", str(request.file), "--confirm", variant]
    words += ["--first-seed", str(fresh_seed(request.results_file))]
    for option, given in (("--datasets", request.datasets), ("--tasks", request.tasks)):
        words += [word for each in given or () for word in (option, each)]
    for option, one in (
        ("--seeds", request.seeds),
        ("--results", request.results),
        ("--data-root", request.data_root),
    ):
        words += [] if one is None else [option, str(one)]
    return shlex.join(words)


def _write(document: Document, request: AblateRequest, command: str) -> None:
    if request.json is not None:
        write_text(request.json, json.dumps(document.to_report(), indent=1) + "\n")
    if request.markdown is not None:
        write_text(request.markdown, document.markdown())
    if request.report is not None:
        write_text(request.report, render(document.page(command)))
        output().print(f"written: {request.report}", markup=False, soft_wrap=True)


def _say_step(step: Step) -> None:
    """One line for one finished seed, and how many there are."""
    place, metric = step.place, FIGURES[step.place.task]
    figure = f"{metric_title(metric)} {step.line.values[metric][0]:.2f}"
    say(
        f"{step.done} of {step.total}: {place.variant} on {place.dataset}, seed "
        f"{step.line.seeds[0]}: {figure} ({step.line.seconds['fit'][0]:.1f} s)"
    )


def _say_seed(place: Place, line: Result) -> None:
    """One line for one seed on test; its figures are for the table, where all are together."""
    say(f"{place.variant} on {place.dataset}, {place.task}, seed {line.seeds[0]}: done")
