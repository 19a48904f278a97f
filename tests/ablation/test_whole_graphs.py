"""Ablations on sets of graphs: the figure of the inner folds, stored and resumed as others are."""

import json
import statistics

import numpy as np
import pytest
import torch
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC

from graphrank.ablation.confirm import confirm, confirmed_file
from graphrank.ablation.criteria import correlations, criteria_table
from graphrank.ablation.described import CRITERIA, OF_NODES, fit_described
from graphrank.ablation.figures import validation_figure
from graphrank.ablation.plan import Plan
from graphrank.ablation.run import Place, run_ablation
from graphrank.ablation.variant import parse_variant
from graphrank.data import without_labels
from graphrank.errors import DataError
from graphrank.methods.graphrank_graph import GraphRankGraph
from graphrank.methods.registry import make_method
from graphrank.tasks.fold_classifiers import STRENGTHS, RbfFolds
from graphrank.tasks.graph_classification import GraphClassification
from tests.methods.test_graph_contract import toy_graphs

TASK = "graph-classification"
SMALL = {"channels": 4, "epochs": 1, "num_layers": 1, "spectrum": 2}
VARIANTS = {
    "default": {"settings": SMALL},
    "graphs": {"settings": {**SMALL, "node_weight": 0, "graph_weight": 1}},
    "untrained-gin": {"method": "untrained-gin", "settings": SMALL},
    "degree-histogram": {"method": "degree-histogram"},
}


def make_plan(*names, **changes):
    """Variants by name, on a set of one's own whose name no check knows."""
    variants = {
        name: parse_variant(name, VARIANTS[name], "graph") for name in names or tuple(VARIANTS)[:2]
    }
    fields = {"reference": "default", "datasets": ("mutag",), "tasks": (TASK,), "seeds": 1}
    return Plan(variants=variants, **{**fields, **changes})


@pytest.fixture
def sets():
    return {"toys": toy_graphs(24)}


def run(plan, sets, path=None):
    return run_ablation(plan, sets, path, progress=False)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def folds_of(data):
    task = GraphClassification()
    return task.split(data, task.protocol(None, data), 0)


def noisy_classes(data):
    noise = torch.randn(len(data), 3, generator=torch.Generator().manual_seed(0))
    return torch.eye(2)[data.y] @ torch.ones(2, 3).triu() + noise


def test_the_figure_is_what_a_plain_search_finds_within_the_training_folds(sets):
    data = toy_graphs(60)
    z, split = noisy_classes(data), folds_of(data)
    x, y = z.double().numpy(), data.y.numpy()
    best = []
    for train, _ in split.folds:
        search = GridSearchCV(SVC(), {"C": STRENGTHS}, cv=StratifiedKFold(5))
        best.append(search.fit(x[train], y[train]).cv_results_["mean_test_score"].max())
    task = GraphClassification(kernel="rbf")
    expected = 100 * statistics.fmean(best)
    assert 50 < expected < 100
    assert validation_figure(task, z, data, split, 7) == pytest.approx(expected)
    assert expected != pytest.approx(task.evaluate(z, data, split, 7)["accuracy"])


def test_no_prediction_is_made_for_a_test_fold(monkeypatch):
    """Every classifier is fitted to, and asked about, graphs of the training part alone."""
    data = toy_graphs(60)
    task, split = GraphClassification(kernel="rbf"), folds_of(data)
    real, seen = RbfFolds.predictions, []

    def watched(self, train, test, *strengths):
        seen.append(set(train) | set(test))
        return real(self, train, test, *strengths)

    monkeypatch.setattr(RbfFolds, "predictions", watched)
    task.inner_accuracy(noisy_classes(data), data, split)
    assert len(seen) == 50
    for place, (_, test) in enumerate(split.folds):
        assert not set.union(*seen[5 * place : 5 * place + 5]) & set(test)


def test_a_line_a_seed_that_is_not_run_again(sets, tmp_path, monkeypatch):
    path, real, fits = tmp_path / "r.jsonl", GraphRankGraph.fit, []

    def counted(self, data, *args, **kwargs):
        assert data.y is None
        fits.append(self.seed)
        return real(self, data, *args, **kwargs)

    monkeypatch.setattr(GraphRankGraph, "fit", counted)
    monkeypatch.setattr(GraphClassification, "evaluate", pytest.fail)  # no figure of test
    found = run(make_plan(), sets, path)
    assert set(found) == {Place(name, "toys", TASK) for name in ("default", "graphs")}
    for line in lines(path):
        assert line["task"] == f"ablation:{TASK}" and line["method"] == "graphrank-graph"
        assert line["seeds"] == [100] and line["protocol"] == "svm-10-fold"
        assert set(line["values"]) == {"validation_accuracy", *CRITERIA} - set(OF_NODES)
        assert line["config"]["task"] == {"kernel": "rbf"}
    run(make_plan(seeds=2), sets, path)
    assert fits == [100, 100, 101, 101] and len(lines(path)) == 4


def test_confirmed_by_the_figures_of_evaluate(sets, tmp_path):
    path = tmp_path / "r.jsonl"
    found = confirm(make_plan(first_seed=200), sets, confirmed_file(path), progress=False)
    for line in found.values():
        assert set(line.values) == {"accuracy", "fold_std"} and line.task == TASK


def test_graphs_have_no_neighbours_to_align(sets):
    visible = without_labels(sets["toys"])
    method = make_method("untrained-gin", settings=SMALL)
    found = fit_described(method, visible, progress=False)
    assert set(found.criteria) == set(CRITERIA) - {"alignment", "loss"}
    plan = make_plan(*VARIANTS)
    (each,) = correlations(plan, run(plan, sets))
    assert set(each.rows) == {CRITERIA[name] for name in CRITERIA if name not in OF_NODES}
    notes = " ".join(criteria_table(each, 4).notes)
    assert "link-prediction" not in notes


def test_sets_that_cannot_be_divided_are_named_before_any_training(sets, monkeypatch):
    monkeypatch.setattr(GraphRankGraph, "fit", pytest.fail)
    with pytest.raises(DataError, match="needs a class for each graph, which toys lacks"):
        run(make_plan(), {"toys": without_labels(sets["toys"])})
    few = toy_graphs(12)
    assert np.bincount(few.y).min() == 6
    with pytest.raises(DataError, match="has 6 graphs and 10 folds need at least 10"):
        run(make_plan(), {"toys": few})
