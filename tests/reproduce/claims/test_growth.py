"""Exponents against stated complexities."""

import pytest

from graphrank.reproduce.claims.growth import standing
from tests.reproduce.claims.lines import cells, found, line, standings

TABLE = "table-complexity"


def grown(power, memory=1.0, name="grace"):
    return [
        line(c, {"milliseconds": [1e-6 * c.value**power], "added_mib": [0.01 * c.value**memory]})
        for c in cells(TABLE, name=name)
        if c.row.preset == "default"
    ]


@pytest.mark.parametrize(
    ("power", "verdict"), [(2.0, "holds"), (1.8, "holds"), (1.2, "does not hold")]
)
def test_a_stated_square_is_met_by_a_square_alone(power, verdict):
    assert standings(TABLE, grown(power), "GRACE: time") == [verdict]


def test_memory_is_judged_on_its_own_and_says_which_way_it_is_off():
    (memory,) = found(TABLE, grown(2.0, memory=1.0), "GRACE: memory")
    assert memory.standing == "does not hold"
    assert "exponent 1.00, slower growth than stated (7 sizes up to 64,000 nodes" in memory.evidence


def test_linear_cost_is_met_by_less_and_not_by_more():
    assert [standing(found, 1.0) for found in (0.3, 1.0, 1.25, 1.26)] == [
        "holds", "holds", "holds", "does not hold",
    ]  # fmt: skip


def test_two_sizes_and_methods_that_cannot_be_had_are_not_measured():
    assert standings(TABLE, grown(2.0)[:2], "GRACE: time") == ["not measured"]
    (graphcl,) = found(TABLE, [], "GraphCL: time O(N^2)")
    assert graphcl.standing == "not measured" and "sets of whole graphs" in graphcl.evidence


def test_both_presets_of_graphrank_are_judged():
    names = {each.claim.partition(":")[0] for each in found(TABLE, [])}
    assert names == {
        "GraphRank", "GraphRank (paper preset)", "DGI", "CCA-SSG", "GRACE", "GCA", "GraphCL", "GCC",
    }  # fmt: skip
