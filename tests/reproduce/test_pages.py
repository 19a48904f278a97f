"""RESULTS.md and the claims of docs/reproduction.md are what the committed lines give."""

import re
from pathlib import Path

from graphrank.reproduce.items import all_items
from graphrank.reproduce.pages import CLAIMS, RESULTS, claims_page, results_page
from graphrank.results import read
from tests.reproduce.test_render import made

ROOT = Path(__file__).parents[2]


def committed():
    return read(sorted((ROOT / "results").glob("*.jsonl")))


def test_results_are_regenerated(tmp_path):
    text = results_page(committed())
    (tmp_path / RESULTS.name).write_text(text)
    assert (ROOT / RESULTS).read_text() == text, "run `make docs`"


def test_claims_are_regenerated(tmp_path):
    before = (ROOT / CLAIMS).read_text()
    text = claims_page(before, committed())
    (tmp_path / CLAIMS.name).write_text(text)
    assert before == text, "run `make docs`"


def test_every_item_has_its_words():
    text = (ROOT / CLAIMS).read_text()
    for name in all_items():
        assert f"`{name}`" in text


def test_every_item_has_its_claims_with_a_command():
    text = claims_page("<!-- figures:begin -->\n<!-- figures:end -->\n", [])
    for name in all_items():
        section = text.split(f"### `{name}`")[1].split("###")[0]
        assert f"`graphrank reproduce {name} --budget 0`" in section
        assert "| claim | dataset | verdict | lines |" in section and "| not measured |" in section


def test_without_lines_there_is_no_figure():
    text = results_page([])
    assert "±" not in text and all(f"`{name}`" in text for name in all_items())


def test_only_what_was_measured_is_shown():
    text = results_page(made("figure-margin"))
    assert "## Margin" in text and "## Node classification" not in text


def test_every_link_of_the_contents_leads_to_a_heading():
    page = (ROOT / "RESULTS.md").read_text()
    headings = {
        line.removeprefix("## ").casefold().replace(" ", "-")
        for line in page.splitlines()
        if line.startswith("## ")
    }
    links = re.findall(r"\]\(#([^)]+)\)", page)
    assert links and set(links) == headings
