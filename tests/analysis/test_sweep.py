"""Sweeps: any method and option, checked first, resumed from what is stored."""

import json

import numpy as np
import pytest

from graphrank import GraphRank, evaluate, load, make_method
from graphrank.analysis.class_geometry import intra_class_variance
from graphrank.analysis.sweep import sweep
from graphrank.analysis.sweep_plan import plan_sweep, swept_options
from graphrank.data import without_labels
from graphrank.errors import ConfigError, DataError
from graphrank.methods.registry import METHODS
from graphrank.methods.supervised import SupervisedMethod
from graphrank.results import read
from graphrank.tasks.runner import Experiment
from tests.conftest import toy_graph

SMALL = {"epochs": 2, "channels": 4}


@pytest.fixture
def data():
    return toy_graph(size=30)


def run(data, values=(0.0, 1.0), measures=("intra_class_variance",), seeds=(0, 1), **more):
    return sweep(data, "graphrank", "margin", values, measures, seeds, settings=SMALL, **more)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def fits(monkeypatch):
    """The margin and seed of every fit."""
    record = []
    fit = GraphRank.fit
    monkeypatch.setattr(
        GraphRank,
        "fit",
        lambda self, *words, **more: (
            record.append((self.margin, self.seed)),
            fit(self, *words, **more),
        )[1],
    )
    return record


def test_a_point_is_what_the_method_gives_by_itself(data):
    found = run(data)
    assert (found.values, found.seeds) == ((0.0, 1.0), (0, 1))
    for row, margin in zip(found.table("intra_class_variance"), found.values, strict=True):
        for value, seed in zip(row, found.seeds, strict=True):
            z = GraphRank(margin=margin, seed=seed, **SMALL).fit(data).embedding_
            assert value == intra_class_variance(z, data.y)


def test_scores_are_those_of_evaluate(data):
    found = sweep(data, "graphrank", "margin", [1.0], ["accuracy"], [0, 1], settings=SMALL)
    settings = {**SMALL, "margin": 1.0}
    (expected,) = evaluate(data, Experiment(seeds=(0, 1), settings=settings), progress=False)
    assert found.table("accuracy")[0].tolist() == expected.values["accuracy"]


def test_means_and_deviations_over_seeds(data):
    found = run(data, seeds=(0, 1, 2))
    table = found.table("intra_class_variance")
    assert found.mean("intra_class_variance") == pytest.approx(table.mean(axis=1))
    assert found.std("intra_class_variance") == pytest.approx(np.std(table, axis=1, ddof=1))
    one = run(data, seeds=(2,))
    assert one.std("intra_class_variance").tolist() == [0.0, 0.0]
    report = found.to_report()
    assert [entry["config"]["task"]["value"] for entry in report] == [0.0, 1.0]
    assert report[0]["metrics"]["intra_class_variance"]["values"] == table[0].tolist()


def test_what_is_stored_is_not_run_again(data, fits, tmp_path):
    path = tmp_path / "r.jsonl"
    first = run(data, results_file=path)
    assert fits == [(0.0, 0), (0.0, 1), (1.0, 0), (1.0, 1)]
    fits.clear()
    again = run(data, values=(1.0, 0.0, 2), seeds=(1, 0, 2), results_file=path)
    assert fits == [(1.0, 2), (0.0, 2), (2.0, 1), (2.0, 0), (2.0, 2)]
    np.testing.assert_array_equal(
        again.table("intra_class_variance")[:2, :2],
        first.table("intra_class_variance")[::-1, ::-1],
    )


def test_measures_that_are_missing_are_added(data, fits, tmp_path):
    path = tmp_path / "r.jsonl"
    run(data, results_file=path)
    both = run(data, measures=("intra_class_variance", "outliers"), results_file=path)
    assert len(fits) == 8
    assert [line["config"]["task"]["measures"] for line in lines(path)[4:]] == [["outliers"]] * 4
    assert both.table("outliers").shape == (2, 2)
    fits.clear()
    swapped = run(data, measures=("outliers", "intra_class_variance"), results_file=path)
    assert fits == []
    for name in swapped.measures:
        np.testing.assert_array_equal(swapped.table(name), both.table(name))
    assert all(len(point.peak_mib) == len(point.seconds["fit"]) == 2 for point in both.points)


def test_an_interrupted_sweep_keeps_what_it_has(data, fits, tmp_path):
    path = tmp_path / "r.jsonl"

    def stop_after_three(line):
        if len(fits) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(data, results_file=path, on_seed=stop_after_three)
    assert len(lines(path)) == 3
    run(data, results_file=path)
    assert len(fits) == 4


def test_other_options_graphs_and_tasks_are_not_mixed(data, fits, tmp_path):
    path = tmp_path / "r.jsonl"
    run(data, seeds=(0,), results_file=path)
    sweep(data, "graphrank", "margin", [0.0], ["outliers"], [0], settings={**SMALL, "negatives": 2},
          results_file=path)  # fmt: skip
    evaluate(data, Experiment(seeds=(0,), settings={**SMALL, "margin": 0.0}), results_file=path)
    assert len(fits) == 4
    assert {result.task for result in read(path)} == {"sweep:margin", "node-classification"}
    data.name = "another"
    run(data, seeds=(0,), results_file=path)
    assert len(fits) == 6


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, kind in METHODS.items()
        if kind.info.level == "node" and not issubclass(kind, SupervisedMethod)
    ],
)
def test_any_method_can_be_swept(data, name):
    quick = {"epochs": 1} if "epochs" in make_method(name).get_params() else {}
    scales = ["none", "standard"]
    found = sweep(data, name, "scale_features", scales, ["outliers"], [0], settings=quick)
    assert found.table("outliers").shape == (2, 1)


def test_one_name_can_set_both_views(data):
    assert swept_options(GraphRank, "feature_mask") == ("feature_mask_1", "feature_mask_2")
    assert swept_options(GraphRank, "feature_mask_1") == ("feature_mask_1",)
    method = plan_sweep("graphrank", "edge_drop", [0, 0.5]).method_at(0.5)
    assert (method.edge_drop_1, method.edge_drop_2) == (0.5, 0.5)
    found = sweep(data, "graphrank", "edge_drop", [0], ["outliers"], [0], settings=SMALL)
    assert found.points[0].config["method"]["edge_drop_2"] == 0.0


def test_equal_values_are_one_point():
    assert plan_sweep("graphrank", "margin", [1, 1.0, 0]).values == (1.0, 0.0)
    assert plan_sweep("graphrank", "negatives", [1, 4, 1]).values == (1, 4)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("graphrnak", "margin", [1]), "did you mean 'graphrank'"),
        (("graphrank", "margn", [1]), "no option of GraphRank 'margn'; did you mean 'margin'"),
        (("graphrank", "feature_masks", [1]), "did you mean 'feature_mask"),
        (("graphrank", "margin", [-1]), "margin=-1.0 is out of range"),
        (("graphrank", "feature_mask", [0, 1]), "feature_mask_1=1.0 is out of range"),
        (("graphrank", "encoder", ["gnc"]), "did you mean 'gcn'"),
        (("graphrank", "negatives", [1.5]), "negatives takes int"),
        (("graphrank", "margin", []), "at least one value of margin"),
        (("graphrank", "seed", [1]), "seed cannot be swept: every point"),
        (("graphrank", "device", ["cpu"]), "device cannot be swept"),
        (("graphrank", "margin", [1], "papr"), "did you mean 'paper'"),
        (("graphrank", "margin", [1], "paper", {"margin": 2.0}), "margin is swept and set at once"),
        (("graphrank", "feature_mask", [0], "paper", {"feature_mask_2": 0.1}), "swept and set"),
        (("smoothing", "margin", [1]), "no option of Smoothing 'margin'"),
    ],
)
def test_mistakes_are_named_before_any_work(words, sentence):
    with pytest.raises(ConfigError, match=sentence):
        plan_sweep(*words)


def test_measures_are_checked_before_any_work(data, fits):
    with pytest.raises(ConfigError, match="no measure"):
        run(data, measures=("acuracy",))
    with pytest.raises(DataError, match="needs labels"):
        run(without_labels(data))
    assert fits == []


def test_around_the_authors_settings(tmp_path, monkeypatch):
    monkeypatch.setattr("graphrank.methods.experiments.FOLDER", tmp_path)
    (tmp_path / "graphrank").mkdir()
    text = "method: graphrank\ndataset: karate\nsettings: {heads: 3}\npublished: []\n"
    (tmp_path / "graphrank" / "karate.yaml").write_text(text)
    found = run(load("karate"), seeds=(0,), measures=("effective_rank",), preset="authors")
    assert [point.config["method"]["heads"] for point in found.points] == [3, 3]
    assert {point.preset for point in found.points} == {"authors"}
