"""Claims in the report and on the terminal: judged by all cells, shown for those selected."""

import csv
import io

import pytest

from graphrank.report.html import render
from graphrank.reproduce.cells import Selection
from graphrank.reproduce.claims import STANDINGS, findings, standings_table, verdict_table
from graphrank.reproduce.items import all_items
from graphrank.reproduce.render.items import render_items
from graphrank.reproduce.render.pages import html_page, markdown_page
from graphrank.reproduce.render.write import write_items
from graphrank.reproduce.verdicts import verdicts
from tests.reproduce.test_render import made

TABLE = "table-node-classification"


@pytest.fixture(scope="module")
def whole():
    return render_items([all_items()[TABLE]], made(TABLE))


def test_all_claims_unless_datasets_are_named(whole):
    assert verdicts(whole) == {TABLE: findings(whole[0])}
    one = verdicts(whole, ["Cora"])[TABLE]
    assert {each.dataset for each in one} == {"Cora", "all"}
    assert one == [each for each in findings(whole[0]) if each.dataset in ("Cora", "all")]


def test_a_method_behind_the_dataset_does_not_hide_it():
    item = all_items()["figure-negative-count"]
    found = verdicts(render_items([item], made(item.name)), ["Cora"])[item.name]
    assert found and all(each.dataset.startswith("Cora, ") for each in found)


def test_every_claim_is_counted_once(whole):
    claims = verdicts(whole)
    (row,) = standings_table(claims).rows
    assert row[0].text == TABLE
    assert sum(int(cell.text) for cell in row[1:]) == len(claims[TABLE])
    shown = verdict_table(claims[TABLE])
    assert [row[2].text for row in shown.rows] == [each.standing for each in claims[TABLE]]


def test_claims_are_in_every_file_for_readers(whole, tmp_path):
    claims = verdicts(whole)
    files = {path.name: path.read_text() for path in write_items(whole, tmp_path, claims)}
    first = claims[TABLE][0]
    for text in (files["report.html"], files[f"{TABLE}.md"]):
        assert first.claim in text and first.standing in text and first.evidence in text
    rows = list(csv.DictReader(io.StringIO(files["claims.csv"])))
    assert [row["standing"] for row in rows] == [each.standing for each in claims[TABLE]]
    assert set(rows[0]) == {"item", "claim", "dataset", "standing", "evidence"}


def test_the_page_begins_with_how_claims_stand(whole):
    claims = verdicts(whole)
    page = html_page(whole, claims)
    assert page.sections[0].table == standings_table(claims)
    held = sum(each.standing == "holds" for each in claims[TABLE])
    assert page.facts["Claims that hold"] == f"{held} of {len(claims[TABLE])}"
    text = render(page)
    assert all(word in text for word in STANDINGS)


def test_without_claims_nothing_is_said_of_them(whole):
    selected = render_items([all_items()[TABLE]], [], Selection(("Cora",), ("grace",)))
    page = html_page(selected, {TABLE: []})
    assert "Claims that hold" not in page.facts
    assert page.sections[0].heading == "What there is"
    assert "## Claims" not in markdown_page(selected[0])
