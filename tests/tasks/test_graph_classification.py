import statistics

import numpy as np
import pytest
import torch
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC

from graphrank.data import GraphSet
from graphrank.errors import ConfigError, DataError
from graphrank.methods.graphrank_graph import GraphRankGraph
from graphrank.tasks.graph_classification import GraphClassification
from graphrank.tasks.runner import Experiment, evaluate
from tests.methods.test_graph_contract import toy_graphs


def lone_nodes(y):
    """Graphs of one node each: only their classes matter."""
    count = len(y)
    ptr = torch.arange(count + 1)
    return GraphSet("lone", torch.empty(2, 0, dtype=torch.long), ptr, y=torch.as_tensor(y))


def blobs(count=60, noise=1.0, seed=0):
    random = torch.Generator().manual_seed(seed)
    y = torch.arange(count) % 2
    z = torch.randn(count, 5, generator=random) * noise
    z[:, 0] += 2.0 * y
    return z, lone_nodes(y)


def split_of(task, data, protocol="svm-10-fold", seed=0):
    return task.split(data, task.protocols[protocol], seed)


def test_folds_are_stratified_disjoint_and_the_same_for_every_seed():
    _, data = blobs(100)
    task = GraphClassification()
    split = split_of(task, data)
    tested = np.concatenate([test for _, test in split.folds])
    assert sorted(tested) == list(range(100)) and len(split.folds) == 10
    for train, test in split.folds:
        assert not set(train) & set(test) and len(train) + len(test) == 100
        assert int(data.y[test].sum()) == 5
    again = split_of(task, data, seed=7)
    for (_, one), (_, other) in zip(split.folds, again.folds, strict=True):
        assert np.array_equal(one, other)


def test_folds_can_be_drawn_anew_for_every_seed():
    """The first division is the protocol's usual one, so that a single seed means the same."""
    _, data = blobs(100)
    task = GraphClassification()
    usual = split_of(task, data)
    first, second = (split_of(task, data, "svm-10-fold-redrawn", seed) for seed in (0, 1))
    tested = [[set(test) for _, test in each.folds] for each in (usual, first, second)]
    assert tested[0] == tested[1] and not any(fold in tested[0] for fold in tested[2])
    assert set.union(*tested[2]) == set(range(100))


def test_figures_equal_a_plain_grid_search():
    z, data = blobs(noise=1.3)
    task = GraphClassification()
    split = split_of(task, data)
    x, y = z.double().numpy(), data.y.numpy()
    scores = []
    for train, test in split.folds:
        search = GridSearchCV(
            SVC(gamma="scale"), {"C": [1e-3, 1e-2, 1e-1, 1.0, 10.0]}, cv=StratifiedKFold(5)
        )
        search.fit(x[train], y[train])
        scores.append(100 * search.score(x[test], y[test]))
    found = task.evaluate(z, data, split, 0)
    assert found["accuracy"] == pytest.approx(statistics.fmean(scores))
    assert found["fold_std"] == pytest.approx(statistics.stdev(scores))
    assert 60 < found["accuracy"] < 99


def test_classes_of_a_test_fold_are_not_looked_at_before_they_are_scored():
    """Swap the classes of one test fold: its own score is mirrored, nothing else is chosen."""
    z, data = blobs(noise=0.2)
    task = GraphClassification()
    split = split_of(task, data)
    train, test = split.folds[0]
    only = type(split)(split.protocol, ((train, test), split.folds[0]))
    right = task.evaluate(z, data, only, 0)["accuracy"]
    y = data.y.clone()
    y[test] = 1 - y[test]
    assert task.evaluate(z, lone_nodes(y), only, 0)["accuracy"] == pytest.approx(100 - right)


@pytest.mark.parametrize(
    "protocol", ["svm-10-fold", "svm-10-fold-wide", "svm-10-fold-redrawn", "logreg-10-fold"]
)
def test_separate_classes_are_told_apart_and_noise_is_not(protocol):
    task = GraphClassification()
    z, data = blobs(noise=0.1)
    split = split_of(task, data, protocol)
    assert task.evaluate(z, data, split, 0)["accuracy"] == 100
    noise = torch.randn(60, 5, generator=torch.Generator().manual_seed(1))
    assert task.evaluate(noise, data, split, 0)["accuracy"] < 75


def test_sets_that_cannot_be_split():
    task = GraphClassification()
    with pytest.raises(DataError, match="needs a class for each graph"):
        split_of(task, GraphSet("bare", torch.empty(2, 0, dtype=torch.long), torch.arange(5)))
    with pytest.raises(DataError, match="all graphs of lone have one class"):
        split_of(task, lone_nodes([3] * 20))
    with pytest.raises(DataError, match="class 1 of lone has 9 graphs"):
        split_of(task, lone_nodes([0] * 20 + [1] * 9))


def test_an_unknown_kernel_is_refused():
    with pytest.raises(ConfigError, match="did you mean 'linear'"):
        GraphClassification(kernel="linaer")


@pytest.mark.filterwarnings("ignore::graphrank.training.collapse.CollapseWarning")
def test_a_method_is_fitted_once_and_sees_no_class(monkeypatch):
    seen = []
    real = GraphRankGraph.fit

    def recorded(self, data, *args, **kwargs):
        seen.append(data)
        return real(self, data, *args, **kwargs)

    monkeypatch.setattr(GraphRankGraph, "fit", recorded)
    experiment = Experiment(
        task="graph-classification",
        methods=("graphrank",),
        seeds=(0, 1),
        settings={"epochs": 1, "channels": 4},
    )
    toys = toy_graphs(24)
    (result,) = evaluate(toys, experiment, progress=False)
    assert result.method == "graphrank-graph" and result.seeds == [0, 1]
    assert len(seen) == 2 and all(graphs.y is None for graphs in seen)
    assert set(result.values) == {"accuracy", "fold_std"}
    assert result.config["task"]["kernel"] == "rbf"
