"""Tables of time and growth: seeds, difference to the published figure, and mark."""

import pytest

from graphrank.reproduce.items import all_items
from graphrank.reproduce.published import stated_power
from graphrank.reproduce.render.items import render_items
from tests.reproduce.claims.lines import cells, curves, line


def table(name, lines):
    (one,) = render_items([all_items()[name]], lines)
    shown = one.parts[0].tables[0]
    return one, shown.columns, [[cell.text for cell in row] for row in shown.rows]


def test_speed_ups_stand_beside_the_published_ones():
    (cell,) = cells("table-training-time", dataset="CiteSeer")
    ratios = [1.9, 2.0, 2.1]
    values = {"graphrank_seconds": [10.0] * 3, "grace_seconds": [20.0] * 3, "speedup": ratios}
    one, columns, rows = table("table-training-time", [line(cell, values)])
    found = dict(zip(columns, next(row for row in rows if row[0] == "CiteSeer"), strict=True))
    assert (found["speed-up"], found["seeds"], found["published speed-up"]) == (
        "2.00 ± 0.10×", "3", "1.72×",
    )  # fmt: skip
    assert (found["difference of speed-ups"], found["mark"]) == ("+0.28", "▲")
    record = next(record for record in one.records if record["dataset"] == "CiteSeer")
    assert record["mark"] == "above" and record["difference"] == pytest.approx(2 - 19.66 / 11.43)


def test_epochs_and_seconds_of_convergence_have_their_own_marks():
    (cell,) = cells("table-convergence", name="graphrank", dataset="Cora")
    steps = [lambda epoch, at=at: 80.0 if epoch >= at else 1.0 for at in (200, 225)]
    times = [lambda epoch: epoch / 100] * 2
    lines = [curves(cell, {"validation": steps, "accuracy": steps, "seconds": times})]
    one, columns, rows = table("table-convergence", lines)
    assert rows[0] == [
        "Cora", "GraphRank (paper preset)", "2", "212 ± 18", "150", "+62", "▲", "2.1 ± 0.2",
        "1.25", "+0.9", "◇▲",
    ]  # fmt: skip
    assert rows[1][2:] == ["0", "–", "200", "–", "", "–", "2.81", "–", ""]
    assert len(columns) == len(rows[0])
    assert [record["mark"] for record in one.records[:2]] == [
        "above", "published under another protocol; above",
    ]  # fmt: skip


def test_exponents_are_of_each_seed():
    lines = [
        line(c, {"milliseconds": [c.value, 3 * c.value**1.1], "added_mib": [c.value, c.value]})
        for c in cells("table-complexity", name="gca")
    ]
    _, columns, rows = table("table-complexity", lines)
    gca = next(row for row in rows if row[0] == "GCA")
    assert gca[1:5] == ["1.05 ± 0.07", "O(N^2)", "-0.95", "▼"]
    assert gca[5:9] == ["1.00 ± 0.00", "O(N^2)", "-1.00", "▼"]
    assert gca[9:] == ["2", "7", "64,000"] and len(columns) == len(gca)
    assert next(row for row in rows if row[0] == "GraphCL")[1] == "n/a"
    assert next(row for row in rows if row[0] == "GRACE")[1] == "–"


def test_stated_powers():
    item = all_items()["table-complexity"]
    powers = {row.published: stated_power(item, row, "time") for row in item.methods}
    assert powers == {
        "GraphRank": 1, "DGI": 1, "CCA-SSG": 1, "GRACE": 2, "GCA": 2, "GraphCL": 2, "GCC": 2,
    }  # fmt: skip
    assert stated_power(item, item.methods[0], "space") is None
