"""Claims that one method has more of a measure than another."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from graphrank.report.compare import seed_differences
from graphrank.reproduce.claims.finding import Finding, by_difference, runs, why_unmeasured
from graphrank.reproduce.item import Claim
from graphrank.reproduce.plan import State
from graphrank.reproduce.render.document import Rendered


def orders(rendered: Rendered) -> Iterator[Finding]:
    """Every claim of the item on every dataset."""
    for claim in rendered.item.claims:
        for dataset in rendered.item.datasets:
            yield _order(rendered, claim, dataset)


def _order(rendered: Rendered, claim: Claim, dataset: str) -> Finding:
    """Seed by seed; a difference within two standard errors leaves the claim open."""
    item = rendered.item.name
    places: dict[str, State] = {}
    for state in rendered.states:
        if state.cell.dataset == dataset:
            places.setdefault(state.cell.row.name, state)  # the first row is the default one
    both = [places[name] for name in (claim.higher, claim.lower) if name in places]
    results = [state.result for state in both if state.result is not None]
    if len(results) < 2:
        return Finding(item, claim.text, dataset, "not measured", why_unmeasured(both))
    higher, lower = results
    differences = list(seed_differences(higher, lower, claim.measure).values())
    ends = ", ".join(
        f"{result.method} {statistics.fmean(result.values[claim.measure]):.4g}"
        for result in results
    )
    evidence = f"{ends} ({runs(len(differences))})"
    standing = by_difference(differences) if len(differences) > 1 else "open"
    return Finding(item, claim.text, dataset, standing, evidence)
