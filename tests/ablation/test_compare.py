"""Differences to the reference, against plain references."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrank.ablation.compare import Scores, mean_of, overall_differences
from graphrank.report.compare import Difference
from tests.ablation.conftest import figures

VALUES = st.lists(st.floats(0, 100), min_size=3, max_size=3)
DATASETS = ("cora", "photo")


def scores_of(results, task="node-classification", metric="validation_accuracy"):
    variants = tuple(dict.fromkeys(place.variant for place in results))
    return Scores(task, metric, "base", variants, DATASETS, results)


def plain(differences):
    """Mean and standard error, written out."""
    count = len(differences)
    mean = sum(differences) / count
    variance = sum((each - mean) ** 2 for each in differences) / (count - 1)
    return mean, math.sqrt(variance / count)


def same(found, mean, error):
    assert found.mean == pytest.approx(mean, abs=1e-9)
    assert found.error == pytest.approx(error, abs=1e-7)


@given(st.lists(VALUES, min_size=4, max_size=4))
def test_paired_differences_and_their_mean_over_datasets(rows):
    base = dict(zip(DATASETS, rows[:2], strict=True))
    other = dict(zip(DATASETS, rows[2:], strict=True))
    scores = scores_of(figures(base=base, other=other))
    by_dataset = []
    for dataset in DATASETS:
        pairs = zip(other[dataset], base[dataset], strict=True)
        by_dataset.append(plain([mine - theirs for mine, theirs in pairs]))
        same(scores.difference("other", dataset), *by_dataset[-1])
    (one, e_one), (two, e_two) = by_dataset
    same(scores.mean_difference("other"), (one + two) / 2, math.sqrt(e_one**2 + e_two**2) / 2)


@given(st.lists(VALUES, min_size=8, max_size=8))
def test_over_tasks_the_mean_is_taken_seed_by_seed(rows):
    cells = iter(rows)
    tasks = (("node-classification", "validation_accuracy"), ("clustering", "validation_nmi"))
    values, scores = {}, []
    for task, metric in tasks:
        for variant in ("base", "other"):
            values[task, variant] = {dataset: next(cells) for dataset in DATASETS}
        found = figures(metric, task, **{name: values[task, name] for name in ("base", "other")})
        scores.append(scores_of(found, task, metric))
    by_dataset = []
    for dataset in DATASETS:
        means = [
            sum(
                values[task, "other"][dataset][seed] - values[task, "base"][dataset][seed]
                for task, _ in tasks
            )
            / 2
            for seed in range(3)
        ]
        by_dataset.append(plain(means))
    (one, e_one), (two, e_two) = by_dataset
    found = overall_differences(scores)
    assert found["base"] == Difference(0.0, None)
    same(found["other"], (one + two) / 2, math.sqrt(e_one**2 + e_two**2) / 2)


def test_a_missing_figure_leaves_no_mean():
    rows = {"base": {"cora": [1.0], "photo": [1.0]}, "other": {"cora": [2.0], "photo": []}}
    scores = scores_of(figures(**rows))
    assert scores.result("other", "photo") is None
    assert scores.difference("other", "photo") is None
    assert scores.mean_difference("other") is None
    assert list(overall_differences([scores])) == ["base"]


def test_one_seed_has_no_error():
    rows = {"base": {"cora": [1.0], "photo": [1.0]}, "other": {"cora": [2.0], "photo": [4.0]}}
    scores = scores_of(figures(**rows))
    assert scores.mean_difference("other") == Difference(2.0, None)
    assert overall_differences([scores])["other"] == Difference(2.0, None)
    assert scores.difference("base", "cora") is None


def test_means_of_nothing_and_the_best():
    assert mean_of([]) is None and mean_of([None]) is None
    rows = {"base": {"cora": [1.0], "photo": []}, "other": {"cora": [2.0], "photo": []}}
    scores = scores_of(figures(**rows))
    assert scores.best("cora") == "other" and scores.best("photo") is None
    assert scores.seconds("base") == 0.5
