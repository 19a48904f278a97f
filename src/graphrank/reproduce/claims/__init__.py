"""What the paper claims, and what stored lines say of it: verdicts are computed, never written."""

from graphrank.reproduce.claims.finding import STANDINGS, Finding
from graphrank.reproduce.claims.items import (
    claims_table,
    findings,
    standings_table,
    verdict_table,
)

__all__ = [
    "STANDINGS",
    "Finding",
    "claims_table",
    "findings",
    "standings_table",
    "verdict_table",
]
