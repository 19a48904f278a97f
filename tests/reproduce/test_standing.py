"""Where the default stands: differences seed by seed, aims reached or missed, and the prose."""

import re
import statistics

import pytest

from graphrank.methods.controls import Smoothing
from graphrank.methods.graphrank import GraphRank
from graphrank.reproduce.standing import STANDING_PAGES, standing_table
from tests.reproduce.test_headlines import ROOT, committed, line


def row_of(name, title, results):
    table = standing_table(name, results)
    rows = {row[0].text: row[1:] for row in table.rows}
    return dict(zip(table.columns[1:], rows[title], strict=True))


def test_differences_are_paired_by_seed():
    mine, theirs = [80.0, 82.0, 84.5], [79.0, 80.0, 80.5]
    results = [line(GraphRank(), mine), line(Smoothing(), [*theirs, 99.0])]
    cell = row_of("differences", "accuracy", results)["Cora"]
    gains = [a - b for a, b in zip(mine, theirs, strict=True)]
    error = statistics.stdev(gains) / 3**0.5
    assert cell.text == f"+{statistics.fmean(gains):.2f} ± {error:.2f} (3)"
    assert cell.strong == (statistics.fmean(gains) > 2 * error)


@pytest.mark.parametrize(
    ("mine", "text", "strong"),
    [
        ([71.0, 71.2, 70.8, 71.0, 71.0], "+1.00 ± 0.06", True),
        ([69.0, 69.2, 68.8, 69.0, 69.0], "−1.00 ± 0.06", False),
        ([75.0, 66.0, 72.0, 69.0, 70.0], "+0.40 ± 1.50", False),
        ([71.0], "+1.00 (1)", False),
    ],
)
def test_strong_is_what_is_clearly_above_and_nothing_else(mine, text, strong):
    cell = row_of(
        "differences", "accuracy", [line(GraphRank(), mine), line(Smoothing(), [70.0] * 5)]
    )["Cora"]
    assert (cell.text, cell.strong) == (text, strong)


def test_without_a_shared_seed_there_is_a_dash():
    alone = line(GraphRank(), [80.0])
    other = line(Smoothing(), [70.0])
    other.seeds = [7]
    assert row_of("differences", "accuracy", [alone])["Cora"].text == "–"
    assert row_of("differences", "accuracy", [alone, other])["Cora"].text == "–"


def test_protocols_and_the_usual_blend_have_rows_of_their_own():
    links = {"task": "link-prediction", "protocol": "edges-85-5-10"}
    clusters = {"task": "clustering", "protocol": "mixture"}
    results = [
        line(GraphRank(), [90.0], **links, scorer="auto"),
        line(GraphRank(), [97.0], **links, scorer="blend"),
        line(Smoothing(), [96.0], **links, scorer="blend"),
        line(GraphRank(), [60.0], **clusters),
        line(Smoothing(), [50.0], **clusters),
    ]
    assert row_of("differences", "link AUC", results)["Cora"].text == "+1.00 (1)"
    assert row_of("differences", "NMI, mixture", results)["Cora"].text == "+10.00 (1)"
    assert row_of("differences", "NMI, k-means", results)["Cora"].text == "–"


def test_an_aim_is_reached_or_missed_by_what_is_written():
    results = [line(GraphRank(), [83.499, 83.499]), line(GraphRank(), [72.4], dataset="CiteSeer")]
    aims, found = (row_of("aims", f"accuracy, {word}", results) for word in ("aim", "measured"))
    assert (aims["Cora"].text, found["Cora"].text, found["Cora"].strong) == ("83.5", "83.50", False)
    assert (found["CiteSeer"].text, found["CiteSeer"].strong) == ("72.40, missed", True)
    assert found["Photo"].text == "–"


# -- the pages of this repository ------------------------------------------------------------

DIFFERENCE = re.compile(r"[+−]\d+\.\d\d ± \d+\.\d\d")


def test_both_tables_are_on_a_page():
    assert STANDING_PAGES == {"docs/method.md": ("differences", "aims")}


@pytest.mark.parametrize(
    ("page", "begins"),
    [
        ("README.md", "Seed by seed, GraphRank is"),
        ("docs/method.md", "Not clearly above smoothing"),
    ],
)
def test_the_prose_names_every_difference_that_is_not_clear(page, begins):
    text = (ROOT / page).read_text()
    start = text.index(begins)
    said = DIFFERENCE.findall(text[start : text.index("\n\n", start)])
    cells = [cell for row in standing_table("differences", committed()).rows for cell in row[1:]]
    weak = [cell.text for cell in cells if not cell.strong]
    assert set(weak) <= set(said), "the table has changed; tell it in words, too"
    assert set(said) <= {cell.text for cell in cells}
