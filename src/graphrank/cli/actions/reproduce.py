"""Plan, measure within the budget, and render."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from graphrank.cli.console import only_warnings, output, say
from graphrank.cli.reproduce import ReproduceRequest
from graphrank.durations import in_words
from graphrank.errors import ConfigError
from graphrank.measure import set_imports_aside
from graphrank.report.tables import TextTable, for_terminal
from graphrank.reproduce.beside import fill_beside
from graphrank.reproduce.cells import Selection, cells_of
from graphrank.reproduce.claims import standings_table, verdict_table
from graphrank.reproduce.cost import Costs
from graphrank.reproduce.item import Item
from graphrank.reproduce.items import all_items, chosen_items
from graphrank.reproduce.plan import Step, affordable, budget_for, states
from graphrank.reproduce.render.items import render_items
from graphrank.reproduce.render.pages import missing_table, summary_table
from graphrank.reproduce.render.write import write_items
from graphrank.reproduce.run import OnStep, Tally, fill
from graphrank.reproduce.verdicts import Verdicts, verdicts
from graphrank.reproduce.wanted import Stored
from graphrank.results.record import Result
from graphrank.results.store import read
from graphrank.terminal import status

_SHOWN = 10  # commands on the terminal; the page has all


def reproduce_items(request: ReproduceRequest, *, progress: bool) -> None:
    """Check the request, fill what the budget allows, render the rest."""
    if request.list_items:
        results = stored_lines(request.results)
        output().print(for_terminal(summary_table(render_items(all_items().values(), results))))
        return
    if request.item is None:
        raise ConfigError("name an item or all; `graphrank reproduce --list` names them")
    items = chosen_items(request.item)
    selection = _selection(request, items)
    if not any(cells_of(item, selection) for item in items):
        raise ConfigError(
            f"{request.item} has no such cells; leave out --datasets, --methods or --reading"
        )
    if request.budget > 0:
        _fill(request, items, selection, progress=progress)
    with status("drawing tables and figures", progress):
        lines = stored_lines(request.results)
        rendered = render_items(items, lines, selection)
        whole = rendered if selection == Selection() else render_items(items, lines)
        claims = verdicts(whole, selection.datasets)
        page, *rest = write_items(rendered, request.output, claims)
    output().print(for_terminal(_claims_shown(claims)))
    output().print(for_terminal(summary_table(rendered)))
    missing = missing_table(rendered)
    if missing is not None and progress:
        for row in missing.rows[:_SHOWN]:
            say(f"missing: {row[0].text}  ({row[2].text})")
        if len(missing.rows) > _SHOWN:
            say(f"and {len(missing.rows) - _SHOWN} more such commands, in {page}")
    output().print(f"written: {page} and {len(rest)} more files", markup=False, soft_wrap=True)


def _claims_shown(claims: Verdicts) -> TextTable:
    """Each claim of one item; of several, how many hold."""
    if len(claims) > 1:
        return standings_table(claims)
    return verdict_table([each for found in claims.values() for each in found])


def _selection(request: ReproduceRequest, items: Sequence[Item]) -> Selection:
    return Selection.of(
        request.datasets or (), request.methods or (), request.seeds, request.reading or (), items
    )


def stored_lines(results: Path) -> list[Result]:
    """Lines of the file and of all others beside it."""
    files = sorted({*results.parent.glob("*.jsonl"), *([results] if results.exists() else [])})
    return read(files)


def _fill(
    request: ReproduceRequest, items: Sequence[Item], selection: Selection, *, progress: bool
) -> None:
    """Measure what the budget pays for, cheapest first."""
    lines = stored_lines(request.results)
    costs = Costs(lines, all_items())
    cells = [cell for item in items for cell in cells_of(item, selection)]
    planned = states(cells, Stored(lines), costs)
    steps = affordable(planned, 60 * request.budget * request.jobs)
    waiting = sum(len(state.missing) for state in planned)
    if not steps:
        if waiting:
            cheapest = min(state.seconds for state in planned if state.missing)
            say(
                f"nothing fits into {request.budget:g} minutes; the cheapest missing seed is "
                f"expected to take {in_words(cheapest)}: say --budget {budget_for(cheapest)}"
            )
        return
    set_imports_aside()
    with only_warnings(), _display(progress) as on_step:
        started = time.monotonic()
        try:
            measure = fill if request.jobs == 1 else partial(fill_beside, jobs=request.jobs)
            tally = measure(
                steps,
                request.results,
                budget_seconds=60 * request.budget,
                data_root=request.data_root,
                on_step=on_step,
            )
        except KeyboardInterrupt:
            say(f"stopped; what was measured is in {request.results}, the same command goes on")
            raise
    spent = in_words(time.monotonic() - started)
    say(f"{tally.done} of {waiting} missing seeds measured in {spent}, {len(tally.failed)} failed")


@contextmanager
def _display(progress: bool) -> Iterator[OnStep | None]:
    """A bar on a terminal, a line a seed elsewhere, nothing where nothing is asked for."""
    console = Console(stderr=True)
    if not progress:
        yield None
    elif not console.is_terminal:
        yield _say_step
    else:
        columns = (MofNCompleteColumn(), BarColumn(), TextColumn("{task.description}"))
        with Progress(*columns, console=console) as bar:
            task = bar.add_task("", total=None)

            def show(step: Step | None, tally: Tally) -> None:
                text = "done" if step is None else _line(step, tally)
                past = tally.done + len(tally.failed)
                bar.update(task, completed=past, total=tally.total, description=text)

            yield show


def _say_step(step: Step | None, tally: Tally) -> None:
    if step is not None:
        say(f"{tally.done} done, {tally.left} left; {_line(step, tally)}")


def _line(step: Step, tally: Tally) -> str:
    end = datetime.now().astimezone() + timedelta(seconds=tally.seconds_left)
    return f"{step.cell.name}, seed {step.seed}; all done about {end:%H:%M}"
