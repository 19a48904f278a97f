"""Stated complexities against the exponents that were measured."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from graphrank.reproduce.cells import row_label
from graphrank.reproduce.claims.finding import Finding, Standing, runs, why_unmeasured
from graphrank.reproduce.item import Row
from graphrank.reproduce.published import stated, stated_power
from graphrank.reproduce.render.document import Rendered
from graphrank.reproduce.render.scaling import RESOURCES, exponents, states_of

TOLERANCE = 0.25  # of an exponent: fixed costs and caches bend a line of a few sizes by as much
_LINEAR = 1.0


def growth(rendered: Rendered) -> Iterator[Finding]:
    """Time and memory of every method that the published table states something of."""
    for row in rendered.item.methods:
        for metric, resource in zip(rendered.item.metrics, RESOURCES, strict=True):
            power = stated_power(rendered.item, row, resource)
            if power is not None:
                yield _growth(rendered, row, metric, resource, power)


def _growth(rendered: Rendered, row: Row, metric: str, resource: str, power: float) -> Finding:
    item = rendered.item
    text = f"{row_label(row)}: {resource} {stated(item, row, resource)}"
    mine = states_of(rendered.states, row)
    found = exponents(mine, metric)
    if not found:
        why = why_unmeasured(mine) if not any(state.result for state in mine) else "too few sizes"
        return Finding(item.name, text, "random graphs", "not measured", why)
    mean = statistics.fmean(found)
    measured = [float(str(state.cell.value)) for state in mine if state.result is not None]
    evidence = (
        f"exponent {mean:.2f}{_aside(mean, power)} ({len(measured)} sizes up to "
        f"{max(measured):,.0f} nodes, {runs(len(found))})"
    )
    return Finding(item.name, text, "random graphs", standing(mean, power), evidence)


def standing(found: float, power: float) -> Standing:
    """Whether an exponent is what was stated.

    Linear cost is stated as a merit, so slower growth meets it; a higher power is stated as a
    burden, so slower growth contradicts it.

    Example:
        >>> standing(0.6, 1.0), standing(0.9, 2.0), standing(1.9, 2.0)
        ('holds', 'does not hold', 'holds')
    """
    if power <= _LINEAR and found <= power:
        return "holds"
    return "holds" if abs(found - power) <= TOLERANCE else "does not hold"


def _aside(found: float, power: float) -> str:
    if abs(found - power) <= TOLERANCE:
        return ""
    return ", slower growth than stated" if found < power else ", faster growth than stated"
