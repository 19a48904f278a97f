"""Every item of the paper has claims, and every verdict is one of the known ones."""

import pytest

from graphrank.reproduce.claims import STANDINGS
from graphrank.reproduce.items import all_items
from tests.reproduce.claims.lines import cells, found, line, standings
from tests.reproduce.test_render import made


@pytest.mark.parametrize("name", sorted(all_items()))
def test_every_item_has_findings_with_and_without_lines(name):
    before, after = found(name, []), found(name, made(name))
    assert [(e.claim, e.dataset) for e in before] == [(e.claim, e.dataset) for e in after]
    assert before and {each.standing for each in before} == {"not measured"}
    assert {each.standing for each in after} <= set(STANDINGS)
    assert any(each.standing != "not measured" for each in after)
    assert all(each.evidence for each in (*before, *after))


@pytest.mark.parametrize(("speedup", "verdict"), [(1.7, "holds"), (1.6, "does not hold")])
def test_a_speed_up_is_judged_by_the_printed_one(speedup, verdict):
    (cell,) = cells("table-training-time", dataset="Cora")
    values = {"graphrank_seconds": [1.0], "grace_seconds": [speedup], "speedup": [speedup]}
    lines = [line(cell, values)]
    assert standings("table-training-time", lines, "1.69 times faster", "Cora") == [verdict]
