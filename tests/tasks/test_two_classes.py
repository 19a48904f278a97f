"""Two classes, one of them rare: against counting pairs, and through the task."""

import itertools

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank import Experiment, evaluate, load
from graphrank.tasks.node_classification import NodeClassification
from graphrank.tasks.probes import PROBES
from graphrank.tasks.two_classes import has_two_classes, ranking_figures, rare_class
from tests.conftest import toy_graph


def area(scores, truth):
    """How often a true one scores above another, ties counting half: all pairs, one by one."""
    pairs = itertools.product(scores[truth].tolist(), scores[~truth].tolist())
    return float(np.mean([(a > b) + 0.5 * (a == b) for a, b in pairs]))


def precision(scores, truth):
    """The mean, over true ones, of the share of true ones among all that score as much or more."""
    shares = [float(truth[scores >= score].double().mean()) for score in scores[truth]]
    return float(np.mean(shares))


@given(st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=20))
def test_figures_are_those_of_counting(pairs):
    y = torch.tensor([int(first) for first, _ in pairs])
    scores = torch.tensor([float(score) for _, score in pairs])
    rare = rare_class(y)
    found = ranking_figures(scores, y, rare)
    if not has_two_classes(y):
        assert found == {}
        return
    towards, truth = (scores if rare == 1 else -scores), y == rare
    assert found["auc"] == pytest.approx(100 * area(towards, truth))
    assert found["ap"] == pytest.approx(100 * precision(towards, truth))


@pytest.mark.parametrize(
    ("y", "rare"), [([0, 0, 1], 1), ([0, 1, 1, -1, -1], 0), ([2, 5], 5), ([3, 3, 7, 7], 7)]
)
def test_the_class_of_fewer_nodes(y, rare):
    assert rare_class(torch.tensor(y)) == rare


def two_classes(share, classes=2):
    """Nodes in one dimension, the rare ones to the right by so little that none is called rare."""
    random = np.random.default_rng(0)
    y = torch.from_numpy((random.random(600) < share).astype(np.int64))
    z = torch.from_numpy(random.normal(size=(600, 1)) + y[:, None].numpy()).float()
    if classes > 2:
        y[:60] = 2
    data = load("sbm:nodes=600,classes=2")
    data.y = y
    return data, z


@pytest.mark.parametrize("probe", PROBES)
def test_a_rare_class_is_ranked_where_accuracy_sees_nothing(probe):
    data, z = two_classes(0.05)
    z = torch.cat([z, 5 + torch.zeros_like(z)], dim=1) if probe == "logistic-rows" else z
    task = NodeClassification(probe=probe)
    split = task.split(data, task.protocol("random-60-20-20", data), 0)
    figures = task.evaluate(z, data, split, seed=0)
    truth = data.y[split.test] == 1
    assert figures["accuracy"] == pytest.approx(100 * float((~truth).double().mean()), abs=4)
    assert figures["auc"] == pytest.approx(100 * area(z[split.test, 0], truth), abs=1)
    assert figures["ap"] == pytest.approx(100 * precision(z[split.test, 0], truth), abs=2)


def test_more_than_two_classes_have_no_ranking():
    data, z = two_classes(0.3, classes=3)
    task = NodeClassification()
    split = task.split(data, task.protocol("random-60-20-20", data), 0)
    assert set(task.evaluate(z, data, split, seed=0)) == {"accuracy", "macro_f1"}


def test_supervised_methods_are_ranked_as_well():
    data = toy_graph(size=30)
    experiment = Experiment(
        methods=("gcn", "raw-features"), seeds=(0,), protocol="random-60-20-20",
        settings={"epochs": 5},
    )  # fmt: skip
    gcn, raw = evaluate(data, experiment, progress=False)
    for result in (gcn, raw):
        assert set(result.values) == {"accuracy", "macro_f1", "auc", "ap"}
        assert 0 <= result.values["auc"][0] <= 100
