"""Test figures: on fresh seeds, of the chosen variant, once."""

import pytest

from graphrank.ablation.confirm import (
    check_confirmable,
    check_fresh,
    confirm,
    confirmed_file,
    fresh_seed,
    looked_at,
)
from graphrank.ablation.run import Place, run_ablation
from graphrank.errors import ConfigError
from graphrank.results import append, read
from graphrank.tasks.runner import Experiment, evaluate
from tests.ablation.conftest import SMALL, make_plan
from tests.report.results_for_tests import make_result

THREE = {"default": {}, "wide": {"channels": 5}, "deep": {"num_layers": 3}}
CLUSTERS = {"tasks": ("clustering",), "settings": THREE, "seeds": 1}


@pytest.fixture
def chosen(graphs, tmp_path):
    """The file of an ablation whose validation figures are stored."""
    path = tmp_path / "r.jsonl"
    run_ablation(make_plan(**CLUSTERS), graphs, path, progress=False)
    return path


def confirmed(plan, name, graphs, path):
    check_fresh(plan, path)
    check_confirmable(name, plan, graphs, path)
    chosen = plan.with_changes(variants=[name])
    return confirm(chosen, graphs, confirmed_file(path), progress=False)


def test_lines_are_those_of_evaluate_and_not_run_again(chosen, graphs, fitted):
    plan = make_plan(**{**CLUSTERS, "first_seed": 200, "seeds": 2})
    found = confirmed(plan, "wide", graphs, chosen)
    assert set(found) == {Place(name, "toy", "clustering") for name in ("default", "wide")}
    experiment = Experiment("clustering", seeds=(200, 201), settings={**SMALL, "channels": 5})
    (expected,) = evaluate(graphs["toy"], experiment, progress=False)
    assert found[Place("wide", "toy", "clustering")].values == expected.values
    stored = read(confirmed_file(chosen))
    assert {line.task for line in stored} == {"clustering"}
    assert expected.key in {line.key for line in stored}
    fitted.clear()
    assert confirmed(plan, "wide", graphs, chosen).keys() == found.keys()
    assert fitted == []


def test_tasks_share_fits_on_test_as_well(chosen, graphs, fitted):
    plan = make_plan(
        **{**CLUSTERS, "tasks": ("node-classification", "clustering"), "first_seed": 7}
    )
    confirm(plan.with_changes(variants=["wide"]), graphs, confirmed_file(chosen), progress=False)
    assert fitted == [(4, 7), (5, 7)]


def test_seeds_that_were_chosen_on_are_refused(chosen, graphs):
    with pytest.raises(ConfigError) as error:
        check_fresh(make_plan(**{**CLUSTERS, "first_seed": 99, "seeds": 2}), chosen)
    assert str(error.value) == (
        "seed 100 was used on validation, where the choice was made; confirm on fresh seeds, as "
        "with --first-seed 101"
    )
    check_fresh(make_plan(**{**CLUSTERS, "first_seed": 101}), chosen)


def test_test_seeds_are_looked_at_once(chosen, graphs):
    plan = make_plan(**{**CLUSTERS, "first_seed": 200})
    confirmed(plan, "wide", graphs, chosen)
    confirmed(plan, "wide", graphs, chosen)  # the same again shows nothing new
    with pytest.raises(ConfigError) as error:
        check_confirmable("deep", plan, graphs, chosen)
    assert str(error.value) == (
        "test figures of seed 200 on toy were already looked at for variant wide; confirm deep on "
        "fresh seeds, with --first-seed 201"
    )
    other_task = plan.with_changes(tasks=["node-classification"])
    run_ablation(other_task.with_changes(first_seed=300), graphs, chosen, progress=False)
    with pytest.raises(ConfigError, match="looked at for variant wide"):
        check_confirmable("deep", other_task, graphs, chosen)
    check_confirmable("deep", plan.with_changes(first_seed=201), graphs, chosen)


def test_a_reference_alone_gives_nothing_away(chosen, graphs):
    plan = make_plan(**{**CLUSTERS, "first_seed": 200})
    confirmed(plan, "default", graphs, chosen)
    check_confirmable("deep", plan, graphs, chosen)


def test_lines_of_a_variant_that_has_changed_since_count_as_well(chosen, graphs):
    plan = make_plan(**{**CLUSTERS, "first_seed": 200})
    confirmed(plan, "wide", graphs, chosen)
    edited = make_plan(**{**CLUSTERS, "first_seed": 200, "settings": {**THREE, "wide": {}}})
    with pytest.raises(ConfigError, match=r"looked at for another variant \(graphrank\)"):
        check_confirmable("deep", edited, graphs, chosen)


def test_other_datasets_and_seeds_do_not_matter(chosen, graphs):
    plan = make_plan(**{**CLUSTERS, "first_seed": 200})
    append(confirmed_file(chosen), make_result("dgi", [1.0], dataset="Cora", seeds=[200]))
    append(confirmed_file(chosen), make_result("dgi", [1.0], dataset="toy", seeds=[7]))
    check_confirmable("deep", plan, graphs, chosen)


def test_nothing_is_confirmed_that_was_not_chosen(graphs, tmp_path):
    sentence = "has no validation figures of wide on these datasets; choose on validation first"
    with pytest.raises(ConfigError, match=sentence):
        check_confirmable("wide", make_plan(**CLUSTERS), graphs, tmp_path / "none.jsonl")


def test_a_public_test_set_is_the_same_for_all_seeds():
    def seen(protocol):
        return looked_at(
            {Place("a", "Cora", "clustering"): make_result("a", [1.0], protocol=protocol)}
        )

    assert seen("kmeans").endswith("another variant needs fresh ones")
    assert seen("public").endswith(
        "; Cora: one public test set for all seeds, so every look counts"
    )
    assert seen("svm-10-fold").endswith(
        "; Cora: the same ten folds for all seeds, so every look counts"
    )


def test_the_first_fresh_seed_is_past_all_of_both_files(tmp_path):
    path = tmp_path / "r.jsonl"
    assert fresh_seed(path) == 0
    append(path, make_result("a", [1.0], seeds=[102]))
    assert fresh_seed(path) == 103
    append(confirmed_file(path), make_result("a", [1.0], seeds=[110]))
    assert fresh_seed(path) == 111
