"""How the claims of items stand, by all lines that there are of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from graphrank.reproduce.claims import Finding, findings
from graphrank.reproduce.render.document import Rendered

Verdicts = Mapping[str, Sequence[Finding]]
"""Findings by the name of their item."""


def verdicts(whole: Iterable[Rendered], datasets: Sequence[str] = ()) -> dict[str, list[Finding]]:
    """How the claims of items stand.

    Args:
        whole: items with all their cells, also where few of them are to be shown: a claim compares
            methods and protocols, so that all have a say.
        datasets: only claims on these, and those on all; every claim where none is named.
    """
    return {
        each.item.name: [found for found in findings(each) if _is_about(found, datasets)]
        for each in whole
    }


def _is_about(found: Finding, datasets: Sequence[str]) -> bool:
    """Whether a claim is on one of the datasets; its own may have a method's name behind it."""
    own = found.dataset.split(",")[0]
    return not datasets or own in (*datasets, "all")
