"""Tables of an ablation, and the sentence below them."""

import pytest

from graphrank.ablation.table import (
    best_sentence,
    best_variant,
    confirmed_scores,
    scores_table,
    validation_scores,
)
from tests.ablation.conftest import figures, make_plan

ONE_TASK = {"tasks": ("node-classification",), "settings": {"default": {}, "wide": {}, "deep": {}}}
ROWS = {
    "default": {"Cora": [80.0, 82.0, 81.0], "Photo": [90.0, 91.0, 92.0]},
    "wide": {"Cora": [82.0, 83.9, 83.0], "Photo": [91.0, 90.5, 91.7]},
    "deep": {"Cora": [70.0, 82.0, 81.0], "Photo": [90.0, 91.0, 92.0]},
}


def shown(rows, seeds=range(100, 103), **changes):
    plan = make_plan(**{**ONE_TASK, **changes})
    (scores,) = validation_scores(plan, figures(**rows))
    return scores, scores_table(scores, seeds)


def test_means_differences_and_their_mean():
    _, table = shown(ROWS)
    assert table.title == "node-classification: validation accuracy in %, 3 seeds (100 to 102)"
    assert table.columns == ("variant", "Cora", "Photo", "mean difference", "s per fit")
    texts = [[cell.text for cell in row] for row in table.rows]
    assert texts[0] == ["default", "81.00", "91.00", "reference", "0.50"]
    assert texts[1] == [
        "wide",
        "82.97\n+1.97 ± 0.03 *",
        "91.07\n+0.07 ± 0.47",
        "+1.02 ± 0.24 *",
        "0.50",
    ]
    assert texts[2][1] == "77.67\n-3.33 ± 3.33" and texts[2][2] == "91.00\n+0.00 ± 0.00"
    strong = [[cell.strong for cell in row[1:3]] for row in table.rows]
    assert strong == [[False, False], [True, True], [False, False]]
    assert "* differs from default by more than two standard errors." in table.notes
    assert "paired by seed" in table.notes[0]


def test_one_seed_says_that_it_has_no_error():
    rows = {name: {k: v[:1] for k, v in row.items()} for name, row in ROWS.items()}
    scores, table = shown(rows, range(5, 6))
    assert table.title.endswith("in %, seed 5")
    assert table.rows[1][1].text == "82.00\n+2.00"
    assert table.notes == (
        "Below a mean: its difference to default. One seed has no standard error.",
    )
    assert best_sentence([scores]) == (
        "best on validation: wide, +1.50 to default, the mean over 2 datasets and 1 task; one seed "
        "has no standard error"
    )


def test_what_could_not_be_measured_is_a_dash_and_cannot_win():
    rows = {**ROWS, "wide": {"Cora": [], "Photo": [99.0, 99.0, 99.0]}}
    scores, table = shown(rows)
    assert [cell.text for cell in table.rows[1]][1:4] == ["–", "99.00\n+8.00 ± 0.58 *", "–"]
    assert table.notes[-1].startswith("– could not be measured")
    assert best_variant([scores])[0] == "default"
    assert "variants that lack a figure left out" in best_sentence([scores])


@pytest.mark.parametrize(
    ("deep", "sentence"),
    [
        ([83.0, 85.0, 84.1], "best on validation: deep, +1.52 ± 0.02 to default, the mean over"),
        ([70.0, 82.0, 81.0], "best on validation: wide, +1.02 ± 0.24 to default, the mean over"),
    ],
)
def test_the_best_is_the_one_with_the_best_mean_difference(deep, sentence):
    rows = {**ROWS, "deep": {"Cora": deep, "Photo": ROWS["deep"]["Photo"]}}
    scores, _ = shown(rows)
    assert best_sentence([scores]).startswith(sentence)
    assert best_sentence([scores]).endswith("over 2 datasets and 1 task")


def test_a_small_gain_is_said_to_be_small_and_the_reference_wins_a_tie():
    rows = {**ROWS, "wide": {"Cora": [90.0, 75.0, 81.0], "Photo": ROWS["default"]["Photo"]}}
    scores, _ = shown(rows)
    assert best_sentence([scores]).endswith("less than two standard errors, which is no clear gain")
    scores, _ = shown(dict.fromkeys(ROWS, ROWS["default"]))
    assert best_variant([scores])[0] == "default"
    assert best_sentence([scores]) == (
        "best on validation: default, the reference; no variant has a better mean over 2 datasets "
        "and 1 task"
    )


def test_the_first_metric_of_each_task_on_test():
    plan = make_plan(tasks=("link-prediction",))
    found = figures("auc", "link-prediction", default={"Cora": [1.0]}, wide={"Cora": [2.0]})
    (scores,) = confirmed_scores(plan, found)
    assert scores.metric == "auc"
    assert scores_table(scores, range(3, 4)).title == "link-prediction: AUC in %, seed 3"
