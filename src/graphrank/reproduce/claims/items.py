"""All claims of an item, by its kind, and the table that shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from graphrank.report.tables import Cell, TextTable
from graphrank.reproduce.claims.convergence import convergence
from graphrank.reproduce.claims.figures import figures
from graphrank.reproduce.claims.finding import STANDINGS, Finding
from graphrank.reproduce.claims.growth import growth
from graphrank.reproduce.claims.orders import orders
from graphrank.reproduce.claims.pace import pace
from graphrank.reproduce.claims.ranks import ranks
from graphrank.reproduce.claims.training import training
from graphrank.reproduce.claims.trends import trends
from graphrank.reproduce.render.document import Rendered

_JUDGES: dict[str, tuple[Callable[[Rendered], Iterator[Finding]], ...]] = {
    "comparison": (figures, ranks),
    "sweep": (trends,),
    "measures": (orders,),
    "false-negatives": (orders,),
    "trajectory": (training,),
    "convergence": (convergence,),
    "pace": (pace,),
    "scaling": (growth,),
}


def findings(rendered: Rendered) -> list[Finding]:
    """All claims of an item, dataset by dataset."""
    return [found for judge in _JUDGES[rendered.item.kind] for found in judge(rendered)]


def claims_table(found: Sequence[Finding]) -> TextTable:
    """Claims in rows."""
    rows = tuple(
        (Cell(each.claim), Cell(each.dataset), Cell(each.standing), Cell(each.evidence))
        for each in found
    )
    return TextTable("", ("claim", "dataset", "verdict", "lines"), rows, words=4)


def standings_table(found: Mapping[str, Sequence[Finding]]) -> TextTable:
    """How many claims of each item stand how."""
    rows = []
    for item, claims in found.items():
        standings = [each.standing for each in claims]
        numbers = (Cell(str(standings.count(word))) for word in STANDINGS)
        rows.append((Cell(item), *numbers))
    return TextTable("", ("claims of", *STANDINGS), tuple(rows))


def verdict_table(found: Sequence[Finding]) -> TextTable:
    """Claims and verdicts alone, for a narrow place."""
    rows = tuple((Cell(each.claim), Cell(each.dataset), Cell(each.standing)) for each in found)
    return TextTable("", ("claim", "dataset", "verdict"), rows, words=3)
