"""Paired differences, the best, and names that no two results share."""

import pytest

from graphrank.report.compare import Difference, compare, group, paired_difference
from tests.report.results_for_tests import make_result


def test_differences_are_taken_seed_by_seed():
    one = make_result("a", [10.0, 20.0, 33.0])
    other = make_result("b", [12.0, 21.0, 36.0])
    found = paired_difference(one, other, "nmi")
    assert found.mean == pytest.approx(-2.0)
    assert found.error == pytest.approx(1 / 3**0.5)
    assert found.clear


def test_only_seeds_in_common_count():
    one = make_result("a", [10.0, 20.0])
    other = make_result("b", [25.0, 1.0], seeds=[1, 7])
    assert paired_difference(one, other, "nmi") == Difference(-5.0, None)
    assert paired_difference(one, make_result("b", [1.0], seeds=[9]), "nmi") is None


def test_a_single_seed_is_never_clear():
    assert not Difference(-50.0, None).clear
    assert not Difference(-1.0, 0.5).clear
    assert Difference(-1.1, 0.5).clear


def test_the_best_has_no_difference():
    low, high = make_result("a", [1.0, 2.0]), make_result("b", [3.0, 4.0])
    comparison = compare([low, high])
    assert comparison.best("nmi") is high
    assert comparison.difference(high) is None
    assert comparison.difference(low).mean == -2.0


def test_a_metric_that_only_some_have():
    one, other = make_result("a", [1.0]), make_result("b", [9.0], metric="ari")
    comparison = compare([one, other])
    assert comparison.metrics == ("nmi", "ari")
    assert comparison.best("ari") is other
    assert comparison.difference(other) is None
    assert comparison.best("none") is None


def test_metrics_are_in_the_order_of_the_task_whatever_a_file_says():
    one = make_result("a", [1.0])
    one.values = {"ari": [1.0], "nmi": [2.0], "zeal": [0.0]}
    assert compare([one]).metrics == ("nmi", "ari", "zeal")
    one.task = "juggling"
    assert compare([one]).metrics == ("ari", "nmi", "zeal")


def test_groups_keep_their_order():
    results = [
        make_result("a", [1.0]),
        make_result("a", [1.0], dataset="digits"),
        make_result("b", [1.0]),
    ]
    assert [c.labels for c in group(results)] == [("a", "b"), ("a",)]


def test_labels_tell_results_apart():
    results = [
        make_result("a", [1.0]),
        make_result("a", [1.0], preset="paper"),
        make_result("b", [1.0], config={"method": {"epochs": 2, "margin": 1}}),
        make_result("b", [1.0], config={"method": {"epochs": 9, "margin": 1}}),
    ]
    expected = ("A", "A (paper)", "b (epochs=2)", "b (epochs=9)")
    assert compare(results, {"a": "A"}).labels == expected


def test_supervised_methods_are_called_so():
    results = [make_result(name, [1.0]) for name in ("gcn", "graphrank")]
    results.append(make_result("gat", [1.0]))
    results[-1].preset = "authors"
    expected = ("gcn (supervised)", "graphrank", "gat (authors, supervised)")
    assert compare(results).labels == expected
