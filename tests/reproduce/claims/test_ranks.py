"""On how many graphs GraphRank is first, by our figures."""

import pytest

from tests.reproduce.claims.lines import cells, found, line

TABLE = "table-node-classification"
WIDE = (0.0, 0.1, 0.2)
ALL = ("Cora", "CiteSeer", "PubMed", "Photo", "Computers", "CS", "Physics")
OTHERS = ("grace", "dgi", "cca-ssg", "mvgrl", "graphmae", "seegera", "gcn", "gat")


def lines_of(mine, others=(), noise=WIDE):
    """GraphRank with a mean on each dataset, and some methods with theirs."""
    rows = [("graphrank", "default", mine), *((name, "authors", means) for name, means in others)]
    return [
        line(cell, {"accuracy": [means[cell.dataset] + extra for extra in noise]})
        for name, preset, means in rows
        for cell in cells(TABLE, name=name, preset=preset, reading="stated")
        if cell.dataset in means
    ]


def rank(lines):
    (one,) = found(TABLE, lines, "Best accuracy")
    return one


def test_the_claim_is_what_the_printed_table_says():
    assert rank([]).claim.startswith("Best accuracy of the compared methods on 6 of 7")
    assert rank([]).standing == "not measured"


@pytest.mark.parametrize(("lost", "verdict"), [(1, "holds"), (2, "does not hold")])
def test_first_on_as_many_graphs_as_printed(lost, verdict):
    grace = {name: 99.5 if place < lost else 90.0 for place, name in enumerate(ALL)}
    others = [(name, dict.fromkeys(ALL, 80.0)) for name in OTHERS[1:]]
    one = rank(lines_of(dict.fromkeys(ALL, 99.0), [("grace", grace), *others]))
    assert one.standing == verdict
    assert f"highest mean on {7 - lost}, against" in one.evidence
    assert "Cora: 0.50 behind GRACE" in one.evidence


def test_what_seeds_do_not_tell_is_open():
    mine = lines_of(dict.fromkeys(ALL, 99.0))
    noisy = lines_of({}, [("grace", {"Cora": 99.4, "CiteSeer": 99.4})], noise=(3.0, -3.0, 0.6))
    one = rank([*mine, *noisy])
    assert one.standing == "open" and "behind GRACE, not clearly" in one.evidence


def test_who_was_not_measured_stands_with_the_printed_figure():
    """The printed BGRL on Computers is 90.34; without it nobody would be ahead of 90.1."""
    one = rank(lines_of({name: 90.0 if name == "Computers" else 99.0 for name in ALL}))
    assert "highest mean on 6, against 0 measured" in one.evidence
    assert "Computers: 0.24 behind BGRL as printed" in one.evidence
    assert one.standing == "open"  # nobody else was measured


def test_controls_are_no_rivals():
    mine = lines_of(dict.fromkeys(ALL, 99.0))
    control = [
        line(cell, {"accuracy": [99.9, 99.9]})
        for cell in cells(TABLE, name="smoothing", reading="stated")
    ]
    assert rank([*mine, *control]).evidence == rank(mine).evidence


def test_a_method_in_two_rows_is_printed_once_and_not_where_a_row_was_measured():
    table = "table-graph-classification"

    def of_mutag(name, preset, mean):
        (cell,) = cells(table, name=name, preset=preset, dataset="MUTAG")
        return line(cell, {"accuracy": [mean + extra for extra in WIDE]})

    mine = of_mutag("graphrank-graph", "default", 80.0)
    (one,) = found(table, [mine], "Best accuracy")
    assert "against 0 measured and 9 printed figures" in one.evidence
    (one,) = found(table, [mine, of_mutag("gin", "default", 70.0)], "Best accuracy")
    assert "against 1 measured and 8 printed figures" in one.evidence
    both = [of_mutag("gin", preset, 99.0) for preset in ("authors", "default")]
    (one,) = found(table, [mine, *both], "Best accuracy")
    assert "against 2 measured and 8 printed figures" in one.evidence
