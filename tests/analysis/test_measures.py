"""The table of measures: each gives what its function gives, and says what it lacks."""

import pytest
import torch

from graphrank.analysis import class_geometry, label_free
from graphrank.analysis.fitted import Fitted, judged_by
from graphrank.analysis.measures import MEASURES, check_labels, check_measures, measure
from graphrank.data import without_labels
from graphrank.errors import ConfigError, DataError
from graphrank.tasks.clustering import Clustering
from graphrank.tasks.node_classification import NodeClassification
from tests.conftest import toy_graph

LABEL_FREE = {"uniformity", "effective_rank", "mean_similarity", "loss", "seconds"}


@pytest.fixture
def run():
    data = toy_graph(size=40)
    return Fitted(data.x, data, seed=3, loss=0.25, seconds=1.5)


def test_every_measure_gives_a_number(run):
    values = measure(MEASURES, run)
    assert list(values) == list(MEASURES)
    assert all(type(value) is float for value in values.values())
    assert {name for name, about in MEASURES.items() if not about.labelled} == LABEL_FREE


def test_measures_are_the_functions_they_are_named_after(run):
    z, y = run.embedding, run.data.y
    values = measure(MEASURES, run)
    for name in ("uniformity", "effective_rank", "mean_similarity"):
        assert values[name] == getattr(label_free, name)(z)
    for name in ("intra_class_variance", "inter_class_distance"):
        function = getattr(class_geometry, name)
        assert values[name] == function(z, y)
        assert values[f"{name}_normalized"] == function(z, y, normalize=True)
    assert values["outliers"] == class_geometry.outliers(z, y).count
    assert (values["loss"], values["seconds"]) == (0.25, 1.5)


def test_scores_are_those_of_the_tasks(run):
    values = measure(MEASURES, run)
    for task in (NodeClassification(), Clustering()):
        split = task.split(run.data, task.protocol(None, run.data), run.seed)
        scores = task.evaluate(run.embedding, run.data, split, run.seed)
        assert {name: values[name] for name in task.metrics if name in values} == {
            name: scores[name] for name in task.metrics if name in values
        }


def test_a_probe_serves_all_measures_that_need_it(run, monkeypatch):
    calls = []
    evaluate = NodeClassification.evaluate
    spy = lambda *words: (calls.append(1), evaluate(*words))[1]  # noqa: E731
    monkeypatch.setattr(NodeClassification, "evaluate", spy)
    measure(["accuracy", "macro_f1", "accuracy"], run)
    assert len(calls) == 1


def test_names_are_checked():
    assert check_measures(["nmi", "ari", "nmi"]) == ("nmi", "ari")
    with pytest.raises(ConfigError, match="no measure 'acuracy'; did you mean 'accuracy'"):
        check_measures(["acuracy"])
    with pytest.raises(ConfigError, match="at least one measure of accuracy"):
        check_measures([])


def test_labels_are_asked_for_where_they_are_needed(toy):
    check_labels(list(MEASURES), toy)
    bare = without_labels(toy)
    check_labels(sorted(LABEL_FREE), bare)
    with pytest.raises(DataError, match=r"accuracy needs labels .* use one of uniformity"):
        check_labels(["loss", "accuracy"], bare)
    bare.y = torch.full((bare.num_nodes,), -1)
    with pytest.raises(DataError, match="needs labels"):
        check_labels(["outliers"], bare)


def test_no_loss_where_nothing_was_trained(toy):
    with pytest.raises(ConfigError, match="nothing was trained"):
        measure(["loss"], Fitted(toy.x, toy))


def test_the_protocol_is_the_usual_one(toy):
    assert judged_by(toy)[0] == "random-10-10-80"
    assert judged_by(without_labels(toy))[0] == "label-free"
    assert judged_by(toy)[1]["probe"] == "logistic"
