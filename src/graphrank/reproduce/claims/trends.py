"""What a swept option does to a measure, as the paper has it in words."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from itertools import pairwise

from graphrank.report.compare import Difference, paired_difference
from graphrank.report.sweep_plots import value_text
from graphrank.reproduce.cells import row_label
from graphrank.reproduce.claims.finding import Finding, Standing, runs, why_unmeasured
from graphrank.reproduce.item import Row, Trend
from graphrank.reproduce.plan import State
from graphrank.reproduce.render.document import Rendered
from graphrank.reproduce.threads import threads_of
from graphrank.results.record import Result

_SECONDS = "seconds"


def trends(rendered: Rendered) -> Iterator[Finding]:
    """Every trend of the item, on every dataset, for every row."""
    item = rendered.item
    for trend in item.trends:
        for dataset in item.datasets:
            for row in item.methods:
                found = _finding(rendered, trend, dataset, row)
                if found is not None:
                    yield found


def _finding(rendered: Rendered, trend: Trend, dataset: str, row: Row) -> Finding | None:
    here = [
        state
        for state in rendered.states
        if (state.cell.dataset, state.cell.row) == (dataset, row) and _is_between(state, trend)
    ]
    if not here:
        return None
    item, where = rendered.item.name, f"{dataset}, {row_label(row)}"
    results = [state.result for state in here if state.result is not None]
    if len(results) < len(here) or len(here) < 2:
        return Finding(item, trend.text, where, "not measured", why_unmeasured(here))
    figures = ", ".join(
        f"{statistics.fmean(result.values[trend.measure]):.4g} at {value_text(state.cell.value)}"
        for state, result in zip(here, results, strict=True)
    )
    least = min(len(result.seeds) for result in results)
    return Finding(item, trend.text, where, standing(trend, results), f"{figures} ({runs(least)})")


def _is_between(state: State, trend: Trend) -> bool:
    value = state.cell.value
    return value is not None and trend.start <= float(value) <= trend.end


def standing(trend: Trend, results: Sequence[Result]) -> Standing:
    """How a trend stands, by the results of its values in their order.

    Seconds that were taken with different numbers of threads leave it open.
    """
    if trend.measure == _SECONDS and len({threads_of(result) for result in results}) > 1:
        return "open"
    if trend.change == "rises":
        return _rises(results, trend.measure, 1)
    if trend.change == "falls":
        return _rises(results, trend.measure, -1)
    return _stays(results, trend, only_upwards=trend.change == "gains nothing")


def _rises(results: Sequence[Result], measure: str, sign: int) -> Standing:
    """Clearly more at the end, and clearly less at no step; with a sign of -1 the other way."""
    whole = _signed(results[0], results[-1], measure, sign)
    if whole is None or not whole.clear:
        return "open"
    steps = [_signed(one, two, measure, sign) for one, two in pairwise(results)]
    back = any(step is not None and step.clear and step.mean < 0 for step in steps)
    return "holds" if whole.mean > 0 and not back else "does not hold"


def _stays(results: Sequence[Result], trend: Trend, *, only_upwards: bool) -> Standing:
    """No value further than so much from the first; a larger difference has to be clear."""
    first, *rest = results
    standing: Standing = "holds"
    for other in rest:
        difference = _signed(first, other, trend.measure, 1)
        if difference is None:
            return "open"
        size = difference.mean if only_upwards else abs(difference.mean)
        if size <= trend.within:
            continue
        if difference.clear:
            return "does not hold"
        standing = "open"
    return standing


def _signed(one: Result, two: Result, measure: str, sign: int) -> Difference | None:
    """By how much the second has more than the first, seed by seed."""
    found = paired_difference(two, one, measure)
    return None if found is None else Difference(sign * found.mean, found.error)
