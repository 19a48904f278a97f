"""Supervised methods on the ten folds: what they see, what is counted, what is refused."""

from dataclasses import replace

import pytest
import torch

from graphrank.data.graph_splits import GraphSplit
from graphrank.errors import ConfigError
from graphrank.methods.gin import GIN
from graphrank.report.compare import compare
from graphrank.report.tables import score_table
from graphrank.results.store import read
from graphrank.tasks.graph_classification import GraphClassification
from graphrank.tasks.runner import Experiment, evaluate, make_methods
from graphrank.tasks.supervised_folds import (
    EPOCH_ON_TEST,
    FoldFit,
    at_the_best_epoch,
    classes_seen,
    fold_accuracy,
)
from tests.methods.test_graph_contract import toy_graphs

NESTED = ("svm-10-fold", "logreg-10-fold")
SMALL = {"channels": 4, "num_layers": 2, "epochs": 2, "steps": 2}


@pytest.fixture
def toys():
    return toy_graphs(40)


@pytest.fixture
def fits(monkeypatch):
    """Classes and split that each fit of GIN is given, its options and what came of it."""
    given, real = [], GIN.fit

    def recorded(self, data, y, split, **rest):
        assert data.y is None
        model = real(self, data, y, split, **rest)
        given.append((y.clone(), split, self.get_params(), model))
        return model

    monkeypatch.setattr(GIN, "fit", recorded)
    return given


def experiment(protocol, seeds=(0,), **settings):
    return Experiment(
        task="graph-classification",
        methods=("gin",),
        protocol=protocol,
        seeds=seeds,
        settings={**SMALL, **settings},
    )


def folds(toys, protocol):
    task = GraphClassification()
    return task, task.split(toys, task.protocols[protocol], 0)


@pytest.mark.parametrize("protocol", NESTED)
def test_the_outer_folds_are_those_of_all_methods(toys, protocol):
    task, split = folds(toys, protocol)
    for (train, test), fold in zip(split.folds, task.supervised_splits(toys, split), strict=True):
        assert fold.test.tolist() == test.tolist()
        assert sorted([*fold.train.tolist(), *fold.val.tolist()]) == train.tolist()
        assert not set(fold.train.tolist()) & set(fold.val.tolist())
        members = torch.bincount(toys.y[torch.from_numpy(train)])
        wanted = [max(1, round(0.1 * count)) for count in members.tolist()]
        assert torch.bincount(toys.y[fold.val]).tolist() == wanted
    again = task.supervised_splits(toys, task.split(toys, task.protocols[protocol], 7))
    for one, other in zip(task.supervised_splits(toys, split), again, strict=True):
        assert torch.equal(one.val, other.val)


def test_the_diagnostic_looks_at_the_test_fold(toys):
    task, split = folds(toys, EPOCH_ON_TEST)
    for (train, test), fold in zip(split.folds, task.supervised_splits(toys, split), strict=True):
        assert fold.train.tolist() == train.tolist()
        assert fold.val.tolist() == fold.test.tolist() == test.tolist()


def test_no_class_of_a_test_graph_is_handed_over(toys):
    task, split = folds(toys, "svm-10-fold")
    for fold in task.supervised_splits(toys, split):
        seen = task.visible_labels(toys, fold)
        assert (seen[fold.test] == -1).all()
        for part in (fold.train, fold.val):
            assert torch.equal(seen[part], toys.y[part])
    unseen = classes_seen(toys.y, GraphSplit(*torch.arange(6).split(2)))
    assert unseen.tolist() == [*toys.y[:4].tolist(), *[-1] * 36]


@pytest.mark.parametrize("protocol", NESTED)
def test_ten_fits_each_scored_once_on_its_fold(toys, fits, protocol):
    (result,) = evaluate(toys, experiment(protocol, seeds=(3,)), progress=False)
    assert len(fits) == 10 and all(params["seed"] == 3 for _, _, params, _ in fits)
    right = []
    for _, split, _, model in fits:
        hits = [int(model.prediction_[place] == toys.y[place]) for place in split.test.tolist()]
        right.append(100 * sum(hits) / len(hits))
    mean = sum(right) / 10
    spread = (sum((each - mean) ** 2 for each in right) / 9) ** 0.5
    assert result.values["accuracy"] == [pytest.approx(mean)]
    assert result.values["fold_std"] == [pytest.approx(spread)]
    assert result.config["task"] == {} and not result.diagnostic
    assert len(result.seconds["fit"]) == 1


def test_test_classes_change_no_prediction_in_their_own_fold(toys, fits):
    """Other classes in the first test fold: what is predicted of it stays to the bit."""
    task, split = folds(toys, "svm-10-fold")
    evaluate(toys, experiment("svm-10-fold"), progress=False)
    clean = fits[0][3]
    first = task.supervised_splits(toys, split)[0]
    fits.clear()
    y = toys.y.clone()
    y[first.test] = 1 - y[first.test]
    poisoned = GIN(**SMALL).fit(
        replace(toys, y=None), task.visible_labels(replace(toys, y=y), first), first
    )
    assert torch.equal(poisoned.prediction_, clean.prediction_)


def test_the_diagnostic_takes_one_epoch_for_all_folds(toys, fits):
    (result,) = evaluate(
        toys, experiment(EPOCH_ON_TEST, epochs=5, patience=1, learning_rate=0.05), progress=False
    )
    curves = [model.history_.validation_accuracy for *_, model in fits]
    assert all(len(curve) == 5 for curve in curves)  # no fold stopped early
    means = [sum(curve[epoch] for curve in curves) / 10 for epoch in range(5)]
    assert result.values["accuracy"] == [pytest.approx(100 * max(means))]
    assert result.diagnostic


def test_of_equal_epochs_the_first():
    fits = [FoldFit(torch.empty(0), curve) for curve in ([0.2, 0.9, 0.8], [0.4, 0.7, 0.8])]
    assert at_the_best_epoch(fits) == [0.9, 0.7]
    with pytest.raises(ConfigError, match="no epoch to choose; set epochs to 1 or more"):
        at_the_best_epoch([FoldFit(torch.empty(0), [])] * 10)


def test_accuracy_of_a_fold():
    fit = FoldFit(torch.tensor([1, 0, 1, 1]), [])
    split = GraphSplit(torch.tensor([0]), torch.tensor([1]), torch.tensor([2, 3]))
    assert fold_accuracy(fit, torch.tensor([0, 1, 1, 0]), split) == 0.5


def test_the_diagnostic_is_marked(toys, tmp_path):
    file = tmp_path / "lines.jsonl"
    results = evaluate(toys, experiment(EPOCH_ON_TEST), results_file=file, progress=False)
    (stored,) = read(file)
    assert stored.diagnostic and stored.protocol == EPOCH_ON_TEST
    assert f"{EPOCH_ON_TEST} [diagnostic]" in score_table(compare(results)).title


def test_the_diagnostic_is_for_supervised_methods_alone():
    for name in ("graphrank", "untrained-gin"):
        with pytest.raises(ConfigError, match=f"supervised methods and {name}.* is none; use"):
            make_methods(
                Experiment(
                    task="graph-classification", methods=("gin", name), protocol=EPOCH_ON_TEST
                ),
                None,
            )
    task, split = folds(toy_graphs(40), EPOCH_ON_TEST)
    with pytest.raises(ConfigError, match="chooses the epoch of supervised methods"):
        task.evaluate(torch.randn(40, 2), toy_graphs(40), split, 0)


def test_they_stand_beside_embeddings(toys):
    both = replace(experiment("svm-10-fold"), methods=("gin", "degree-histogram"))
    results = evaluate(toys, both, progress=False)
    assert [result.protocol for result in results] == ["svm-10-fold"] * 2
    assert results[1].config["task"] != {}


def test_a_method_of_graphs_is_refused_for_nodes():
    with pytest.raises(ConfigError, match="gin embeds graphs and node-classification needs"):
        make_methods(Experiment(task="node-classification", methods=("gin",)), None)


def test_results_do_not_depend_on_the_seeds_before(toys):
    both = evaluate(toys, experiment("svm-10-fold", seeds=(0, 1)), progress=False)[0]
    alone = evaluate(toys, experiment("svm-10-fold", seeds=(1,)), progress=False)[0]
    assert both.values["accuracy"][1:] == alone.values["accuracy"]
