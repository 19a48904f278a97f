"""Rank correlations of criteria and figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrank.ablation.criteria import (
    Correlations,
    check_criteria,
    correlations,
    criteria_table,
    spearman,
)
from graphrank.ablation.run import Place
from graphrank.errors import ConfigError
from tests.ablation.conftest import make_plan
from tests.report.results_for_tests import make_result

FOUR = {name: {} for name in ("default", "a", "b", "c")}


def plain_spearman(first, second):
    """Pearson's correlation of mean ranks, each rank counted by hand."""

    def ranks(values):
        return [
            sum(other < each for other in values) + (1 + values.count(each)) / 2 for each in values
        ]

    one, two = ranks(first), ranks(second)
    centre = (len(first) + 1) / 2
    products = sum((a - centre) * (b - centre) for a, b in zip(one, two, strict=True))
    squares = [sum((a - centre) ** 2 for a in each) for each in (one, two)]
    return products / (squares[0] * squares[1]) ** 0.5


@given(
    st.integers(2, 9).flatmap(
        lambda n: st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=n, max_size=n)
    )
)
def test_spearman_against_a_plain_reference(pairs):
    first, second = ([float(pair[place]) for pair in pairs] for place in (0, 1))
    found = spearman(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(plain_spearman(first, second), abs=1e-9)


def lines(plan, dataset, **columns):
    """A line a variant and task; ``accuracy=[...]`` has one list of seeds for each variant."""
    found = {}
    for task, metric in (
        ("node-classification", "validation_accuracy"),
        ("link-prediction", "validation_auc"),
    ):
        for place, name in enumerate(plan.variants):
            values = {
                each: list(rows[place]) for each, rows in columns.items() if rows[place] is not None
            }
            if task == "link-prediction":
                values = {metric: values.pop("auc")}
            else:
                values = {metric: values.pop("accuracy"), **values}
                values.pop("auc")
            result = make_result("graphrank", values[metric], metric)
            result.values = values
            found[Place(name, dataset, task)] = result
    return found


def test_means_over_seeds_first_then_ranks_over_variants():
    plan = make_plan(tasks=("node-classification", "link-prediction"), settings=FOUR)
    columns = {
        "effective_rank": [[1, 1], [2, 2], [3, 3], [4, 4]],
        "uniformity": [[-1, -1], [-2, -2], [-3, -3], [-4, -4]],
        "mean_similarity": [[0, 0]] * 4,
        "alignment": [[1, 1], [3, 3], [2, 2], [4, 4]],
        "loss": [[1, 1], None, [2, 2], [3, 3]],
        "auc": [[9, 9], [7, 7], [8, 8], [6, 6]],
    }
    up = [[10, 30], [31, 11], [22, 22], [40, 40]]  # means 20, 21, 22, 40: the order of seeds is no
    down = up[::-1]
    figures = {
        **lines(plan, "Cora", accuracy=up, **columns),
        **lines(plan, "Photo", accuracy=down, **columns),
    }
    (found,) = correlations(plan, figures)
    assert found.task == "node-classification" and found.datasets == ("Cora", "Photo")
    assert found.rows["effective rank"] == pytest.approx((1, -1))
    assert found.rows["uniformity"] == pytest.approx((-1, 1))
    assert found.rows["mean similarity"] == (None, None)  # all the same
    assert found.rows["final loss"] == (None, None)  # three variants have one
    assert found.rows["alignment of neighbours"] == pytest.approx((0.8, -0.8))
    assert found.rows["held-out edges"] == pytest.approx((-0.8, 0.8))
    assert found.mean("effective rank") == pytest.approx(0) and found.mean("final loss") is None


def test_a_table_with_a_row_a_criterion():
    found = Correlations(
        "clustering",
        ("Cora", "Photo"),
        {"uniformity": (0.5, -0.25), "final loss": (None, None)},
    )
    table = criteria_table(found, 6)
    assert table.title == "What goes with validation NMI"
    assert table.columns == ("criterion", "Cora", "Photo", "mean")
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["uniformity", "+0.50", "-0.25", "+0.12"],
        ["final loss", "–", "–", "–"],
    ]
    assert "over 6 variants" in table.notes[0]
    assert any("add the task link-prediction" in note for note in table.notes)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "correlations over 2 variants say nothing; name at least 4 variants for --criteria"),
        (
            {"settings": FOUR, "tasks": ("link-prediction",)},
            "neither is measured; add the task node-classification or clustering",
        ),
    ],
)
def test_what_says_nothing_is_refused(changes, sentence):
    with pytest.raises(ConfigError, match=sentence):
        check_criteria(make_plan(**changes))
    check_criteria(make_plan(settings=FOUR))
