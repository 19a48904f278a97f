"""An ablation as a page, as Markdown and as JSON."""

import json

import pytest

from graphrank.ablation.criteria import Correlations
from graphrank.ablation.page import Document
from graphrank.ablation.table import scores_table, validation_scores
from graphrank.report.html import render
from tests.ablation.conftest import figures, make_plan

ROWS = {"default": {"Cora": [80.0, 81.0]}, "wide": {"Cora": [82.0, 83.5]}}


@pytest.fixture
def document():
    plan = make_plan(tasks=("node-classification",), title="What & why")
    found = figures(**ROWS)
    scores = validation_scores(plan, found)
    tables = [scores_table(each, plan.seed_range) for each in scores]
    return Document("validation", plan, found, scores, tables, "best: wide", "graphrank ablate x")


def test_the_page_has_tables_configurations_and_both_commands(document):
    page = render(document.page("graphrank ablate v.yaml"))
    for text in (
        "What &amp; why",
        "no figure here is of test",
        "82.75\n+2.25 ± 0.25 *",
        "Best: wide.",
        "graphrank ablate x",
        "graphrank ablate v.yaml",
        "Configuration of wide",
    ):
        assert text in page
    assert "http" not in page.split("</style>")[1].replace("http://www.w3.org", "")


def test_markdown_keeps_a_cell_in_one_line(document):
    text = document.markdown()
    assert text.startswith("# What & why\n\nValidation figures, to choose by;")
    assert r"| wide | **82.75<br>+2.25 ± 0.25 \*** | +2.25 ± 0.25 \* | 0.50 |" in text
    assert text.endswith("Best: wide.\n\n`graphrank ablate x`\n")


def test_json_has_every_figure_with_its_difference(document):
    report = json.loads(json.dumps(document.to_report()))
    assert (report["reference"], report["seeds"], report["part"]) == (
        "default", [100, 101], "validation",
    )  # fmt: skip
    first, second = report["figures"]
    assert (first["variant"], first["dataset"]) == ("default", "Cora")
    assert first["difference"] == {"mean": None, "error": None}
    assert second["metrics"]["validation_accuracy"]["values"] == [82.0, 83.5]
    assert second["difference"] == {"mean": 2.25, "error": 0.25}
    assert report["mean_differences"] == [
        {"variant": "wide", "task": "node-classification", "mean": 2.25, "error": 0.25}
    ]
    assert report["overall"]["wide"] == {"mean": 2.25, "error": 0.25}
    assert "criteria" not in report


def test_json_has_the_criteria_that_were_asked_for(document):
    found = Correlations("clustering", ("Cora",), {"uniformity": (0.5,), "final loss": (None,)})
    asked = Document(
        "criteria", document.plan, document.figures, document.scores, (), criteria=(found,)
    )
    (report,) = asked.to_report()["criteria"]
    assert report["rows"] == {"uniformity": (0.5,), "final loss": (None,)}
    assert report["mean"] == {"uniformity": 0.5, "final loss": None}
    assert "What follows" not in render(asked.page("x"))
