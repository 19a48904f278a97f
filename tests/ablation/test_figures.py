"""Validation figures: what they are, and that no test label is in them."""

import math
from collections import Counter

import pytest
import torch

from graphrank.ablation.figures import FIGURES, empty_line, validation_figure, validation_nmi
from graphrank.methods.registry import make_method
from graphrank.tasks.clustering import kmeans
from graphrank.tasks.node_classification import NodeClassification
from graphrank.tasks.registry import TASKS, make_task
from tests.ablation.conftest import named_toy


def plain_nmi(first, second):
    """Mutual information over the mean of both entropies, counted by hand."""
    total = len(first)

    def entropy(items):
        return -sum(n / total * math.log(n / total) for n in Counter(items).values())

    one, two, both = (entropy(each) for each in (first, second, list(zip(first, second))))  # noqa: B905
    return (one + two - both) / ((one + two) / 2) if one + two else 1.0


@pytest.fixture
def embedding():
    data = named_toy()
    noise = torch.randn(data.num_nodes, 3, generator=torch.Generator().manual_seed(1))
    return torch.eye(3)[data.y] + noise


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_nmi_of_the_validation_nodes(embedding, seed):
    data = named_toy()
    probing = NodeClassification()
    nodes = probing.split(data, probing.protocol("random-10-10-80", data), seed).val
    clusters = kmeans(embedding, 3, seed)[nodes].tolist()
    expected = 100 * plain_nmi(data.y[nodes].tolist(), clusters)
    assert validation_nmi(embedding, data, seed) == pytest.approx(expected, abs=1e-6)


def test_only_validation_labels_count(embedding):
    data = named_toy()
    probing = NodeClassification()
    split = probing.split(data, probing.protocol("random-10-10-80", data), 0)
    expected = validation_nmi(embedding, data, 0)
    data.y[split.test] = 99  # as many clusters as before: test labels do not even set that number
    assert validation_nmi(embedding, data, 0) == expected
    data.y[split.val] = data.y[split.val].flip(0)
    assert validation_nmi(embedding, data, 0) != expected


def test_what_is_equal_is_equal_whatever_clusters_are_called(embedding):
    data = named_toy()
    exact = torch.eye(3)[data.y]
    values = {validation_nmi(exact[:, list(order)], data, 0) for order in ((0, 1, 2), (2, 0, 1))}
    assert values == {100.0}


def test_the_public_split_where_there_is_one(embedding):
    data = named_toy()
    order = torch.randperm(data.num_nodes, generator=torch.Generator().manual_seed(0))
    for name, part in (("train", order[:20]), ("val", order[20:40]), ("test", order[40:])):
        data[f"{name}_mask"] = torch.zeros(data.num_nodes, dtype=torch.bool)
        data[f"{name}_mask"][part] = True
    expected = 100 * plain_nmi(
        data.y[order[20:40]].tolist(), kmeans(embedding, 3, 5)[order[20:40]].tolist()
    )
    assert validation_nmi(embedding, data, 5) == pytest.approx(expected, abs=1e-6)
    task = make_task("clustering")
    line = empty_line(task, data, "default", make_method("smoothing"))
    assert line.config["task"] == {"validation_nodes": "public"}


@pytest.mark.parametrize("name", ["node-classification", "link-prediction"])
def test_other_tasks_say_it_themselves(embedding, name):
    data, task = named_toy(), make_task(name)
    split = task.split(data, task.protocol(None, data), 3)
    expected = task.validate(embedding, data, split, 3)
    assert validation_figure(task, embedding, data, split, 3) == expected


def test_an_empty_line_names_task_method_and_all_options():
    data, method = named_toy(), make_method("graphrank", settings={"margin": 0.5})
    line = empty_line(make_task("link-prediction"), data, "default", method)
    assert line.task == "ablation:link-prediction" and line.protocol == "edges-85-5-10"
    assert line.config["method"]["margin"] == 0.5 and line.config["task"] == {"scorer": "blend"}
    other = make_method("graphrank", settings={"margin": 0.6})
    assert empty_line(make_task("link-prediction"), data, "default", other).key != line.key
    assert set(FIGURES) == set(TASKS)
