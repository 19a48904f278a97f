"""Printed speed-ups over GRACE against measured ones."""

from __future__ import annotations

from collections.abc import Iterator

from graphrank.report.tables import spread
from graphrank.reproduce.claims.finding import Finding, Standing, runs, why_unmeasured
from graphrank.reproduce.marks import reaches
from graphrank.reproduce.render.document import Rendered
from graphrank.reproduce.render.timing import printed_speedup


def pace(rendered: Rendered) -> Iterator[Finding]:
    """Whether an epoch is faster than GRACE's, by the printed speed-up at least."""
    item = rendered.item
    for state in rendered.states:
        dataset = state.cell.dataset
        figure = printed_speedup(item, dataset)
        if figure is None:
            continue
        text = f"GraphRank's epoch is {figure.value:.2f} times faster than GRACE's"
        if state.result is None:
            yield Finding(item.name, text, dataset, "not measured", why_unmeasured([state]))
            continue
        values = state.result.values["speedup"]
        standing: Standing = "holds" if reaches(values, figure) else "does not hold"
        evidence = f"{spread(values)} times faster, in turns ({runs(len(values))})"
        yield Finding(item.name, text, dataset, standing, evidence)
