import json
import logging
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
import torch
from torch import nn

from graphrank import GraphRank, load
from graphrank.errors import ConfigError, GraphRankError
from graphrank.methods import experiments
from graphrank.methods.base import Method
from graphrank.methods.controls import Smoothing
from graphrank.methods.gcn import GCN
from graphrank.methods.info import MethodInfo
from graphrank.methods.registry import CONTROLS, METHODS
from graphrank.methods.seegera import SeeGera
from graphrank.results import read
from graphrank.tasks.node_classification import NodeClassification
from graphrank.tasks.runner import Experiment, evaluate, make_methods
from tests.conftest import toy_graph

SMALL = {"channels": 8, "epochs": 2}


def test_one_result_a_method_with_everything_in_it(data):
    experiment = Experiment(
        methods=("graphrank", *CONTROLS), seeds=(0, 2), settings={"epochs": 2, "channels": 8}
    )
    results = evaluate(data, experiment, progress=False)
    assert [result.method for result in results] == ["graphrank", *CONTROLS]
    for result in results:
        assert result.seeds == [0, 2]
        assert result.dataset == "toy" and result.protocol == "random-10-10-80"
        assert set(result.values) == {"accuracy", "macro_f1", "auc", "ap"}
        for values in (*result.values.values(), *result.seconds.values(), result.peak_mib):
            assert len(values) == 2
        assert all(0 <= value <= 100 for value in result.values["accuracy"])
        assert result.environment["torch"] == torch.__version__
        assert "seed" not in result.config["method"]
    assert results[0].config["method"]["channels"] == 8
    assert results[0].config["task"] == {"probe": "logistic"}
    assert results[0].to_report()["metrics"]["accuracy"]["mean"] > 40


def test_figures_are_those_of_a_run_by_hand(data):
    (result,) = evaluate(data, Experiment(seeds=(3,), settings=SMALL), progress=False)
    task = NodeClassification()
    split = task.split(data, task.protocol(None, data), 3)
    embedding = GraphRank(**SMALL, seed=3).fit(data).embedding_
    expected = task.evaluate(embedding, data, split, 3)
    assert {name: values[0] for name, values in result.values.items()} == expected


def test_a_second_call_runs_nothing(data, fitted, tmp_path):
    file = tmp_path / "results.jsonl"
    experiment = Experiment(seeds=(0, 1), settings=SMALL)
    first = evaluate(data, experiment, results_file=file, progress=False)
    assert fitted == [0, 1]
    second = evaluate(data, experiment, results_file=file, progress=False)
    assert fitted == [0, 1]
    assert second[0].values == first[0].values and second[0].seeds == [0, 1]
    assert second[0].peak_mib == first[0].peak_mib and second[0].seconds == first[0].seconds
    assert len(file.read_text().splitlines()) == 2


def test_only_what_is_missing_runs(data, fitted, tmp_path):
    file = tmp_path / "results.jsonl"
    evaluate(data, Experiment(seeds=(0, 1), settings=SMALL), results_file=file, progress=False)
    more = Experiment(seeds=(1, 2), settings=SMALL)
    (result,) = evaluate(data, more, results_file=file, progress=False)
    assert fitted == [0, 1, 2]
    assert result.seeds == [1, 2] and len(result.values["accuracy"]) == 2
    assert read(file)[0].seeds == [0, 1, 2]


@pytest.mark.parametrize(
    "change",
    [
        {"settings": {**SMALL, "channels": 4}},
        {"task": "clustering"},
        {"task_options": {"probe": "adam"}},
        {"epoch_selection": "validation"},
    ],
)
def test_another_configuration_is_another_cell(data, fitted, tmp_path, change):
    file = tmp_path / "results.jsonl"
    base = {"seeds": (0,), "settings": SMALL}
    evaluate(data, Experiment(**base), results_file=file, progress=False)
    evaluate(data, Experiment(**{**base, **change}), results_file=file, progress=False)
    assert fitted == [0, 0]
    assert len(read(file)) == 2


def test_names_in_any_writing_are_one_cell(data, fitted, tmp_path):
    file = tmp_path / "results.jsonl"
    for name in ("graphrank", "GraphRank"):
        experiment = Experiment(methods=(name,), seeds=(0,), settings=SMALL)
        (result,) = evaluate(data, experiment, results_file=file, progress=False)
        assert result.method == "graphrank"
    assert fitted == [0] and len(read(file)) == 1


def test_an_interrupted_run_keeps_the_finished_seeds(data, tmp_path):
    file = tmp_path / "results.jsonl"

    def stop(result):
        if result.seeds == [1]:
            raise KeyboardInterrupt

    experiment = Experiment(seeds=(0, 1, 2), settings=SMALL)
    with pytest.raises(KeyboardInterrupt):
        evaluate(data, experiment, results_file=file, progress=False, on_seed=stop)
    assert read(file)[0].seeds == [0, 1]
    seen = []
    evaluate(data, experiment, results_file=file, progress=False, on_seed=seen.append)
    assert [result.seeds for result in seen] == [[2]]


def test_preset_and_settings_belong_to_the_first_method(data):
    experiment = Experiment(
        methods=("graphrank", "smoothing"), seeds=(0,), preset="paper", settings=SMALL
    )
    first, second = evaluate(data, experiment, progress=False)
    assert (first.preset, second.preset) == ("paper", "default")
    assert first.config["method"]["encoder"] == "gcn"


@pytest.fixture
def karate_files(tmp_path, monkeypatch):
    """Experiment files of two methods on karate, and of none on any other graph."""
    monkeypatch.setattr(experiments, "FOLDER", tmp_path)
    for name, settings in (("graphrank", "{epochs: 2, channels: 6}"), ("smoothing", "{rank: 5}")):
        (tmp_path / name).mkdir()
        text = f"method: {name}\ndataset: karate\nsettings: {settings}\npublished: []\n"
        (tmp_path / name / "karate.yaml").write_text(text)


def test_authors_are_asked_for_every_method(karate_files):
    experiment = Experiment(
        task="clustering",
        methods=("smoothing", "graphrank", "raw-features"),
        seeds=(0,),
        preset="authors",
        settings={"num_hops": 1},
    )
    results = evaluate(load("karate"), experiment, progress=False)
    smoothing, graphrank, raw = (result.config["method"] for result in results)
    assert (smoothing["rank"], smoothing["num_hops"]) == (5, 1)
    assert (graphrank["epochs"], graphrank["channels"]) == (2, 6)
    assert raw == {"scale_features": "auto"}
    # What a line says of its preset is what was taken.
    assert [result.preset for result in results] == ["authors", "authors", "default"]


def test_auto_is_for_every_method_too(karate_files):
    experiment = Experiment(
        methods=("smoothing", "graphrank", "untrained"), preset="auto", settings={"num_hops": 1}
    )
    made = make_methods(experiment, "karate")
    assert [preset for preset, _ in made] == ["authors", "authors", "default"]
    (_, smoothing), (_, graphrank), _ = made
    assert (smoothing.rank, smoothing.num_hops, graphrank.epochs) == (5, 1, 2)


def test_auto_takes_what_the_authors_set_for_the_task(caplog):
    def preset_of(task, dataset, asked="auto"):
        experiment = Experiment(task=task, methods=("dgi", "seegera"), preset=asked)
        (_, first), (preset, method) = make_methods(experiment, dataset)
        assert first.info.name == "dgi"
        return preset, method.edge_mask

    links = SeeGera.from_preset("links", dataset="citeseer").edge_mask
    classes = SeeGera.from_preset("authors", dataset="citeseer").edge_mask
    usual = SeeGera().edge_mask
    assert len({links, classes, usual}) == 3
    with caplog.at_level(logging.INFO, "graphrank"):
        assert preset_of("link-prediction", "citeseer") == ("links", links)
    assert any(
        "seegera: as its authors set it for link-prediction on" in m for m in caplog.messages
    )
    assert preset_of("clustering", "citeseer") == ("authors", classes)
    assert preset_of("link-prediction", "citeseer", "authors") == ("authors", classes)
    assert preset_of("link-prediction", "citeseer", "default") == ("default", usual)
    assert preset_of("link-prediction", "karate") == ("default", usual)
    assert preset_of("link-prediction", None) == ("default", usual)


def test_authors_say_nothing_of_another_graph_that_has_the_name(karate_files, data, caplog):
    data.name = "karate"
    experiment = Experiment(methods=("smoothing",), seeds=(0,), preset="authors")
    (result,) = evaluate(data, experiment, progress=False)
    assert result.preset == "default" and result.config["method"]["rank"] == 512


def test_settings_are_not_for_another_method_that_derives_from_the_first():
    """Only a control is what the first one is, without the training."""

    @dataclass(kw_only=True, eq=False, repr=False)
    class Improved(GraphRank):
        info: ClassVar[MethodInfo] = replace(GraphRank.info, name="improved")

    experiment = Experiment(
        methods=("graphrank", "improved", "untrained"), preset="paper", settings={"channels": 7}
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(METHODS, "improved", Improved)
        made = make_methods(experiment, None)
    assert [preset for preset, _ in made] == ["paper", "default", "paper"]
    assert [method.channels for _, method in made] == [7, 512, 7]


def test_every_name_is_checked_before_the_first_method_runs(data, fitted):
    with pytest.raises(ConfigError, match="did you mean 'smoothing'"):
        evaluate(data, Experiment(methods=("graphrank", "smoothin")), progress=False)
    assert fitted == []


def test_every_seed_starts_afresh(data, monkeypatch):
    """What an earlier seed learnt would count into the memory of the next."""
    fitted, real = [], Smoothing.fit

    def watched(self, *args, **kwargs):
        fitted.append((self.seed, hasattr(self, "embedding_")))
        return real(self, *args, **kwargs)

    monkeypatch.setattr(Smoothing, "fit", watched)
    evaluate(data, Experiment(methods=("smoothing",), seeds=(0, 3)), progress=False)
    assert fitted == [(0, False), (3, False)]


@pytest.mark.parametrize("best", [2, 4, 6, 7])
def test_validation_chooses_the_epoch(data, monkeypatch, best):
    """Seven epochs, looked at every second one and at the end; ties go to the earlier."""
    looks, judged = [], []

    def validate(self, embedding, *_):
        looks.append(embedding)
        return 90.0 if len(looks) >= [2, 4, 6, 7].index(best) + 1 else 10.0

    real = NodeClassification.evaluate
    monkeypatch.setattr(NodeClassification, "validate", validate)
    monkeypatch.setattr(
        NodeClassification,
        "evaluate",
        lambda self, z, *rest: (judged.append(z), real(self, z, *rest))[1],
    )
    experiment = Experiment(
        seeds=(0,),
        settings={"channels": 8, "epochs": 7},
        epoch_selection="validation",
        select_every=2,
    )
    (result,) = evaluate(data, experiment, progress=False)
    assert len(looks) == 4 and len(judged) == 1  # the test nodes are scored once
    expected = GraphRank(channels=8, epochs=best).fit(data).embedding_
    assert torch.equal(judged[0], expected)
    assert result.config["task"]["epoch_selection"] == "validation"
    assert result.config["task"]["select_every"] == 2


def test_the_untrained_control_has_the_shape_of_the_method(data):
    settings = {"encoder": "gcn", "channels": 6, "epochs": 2}
    experiment = Experiment(methods=("graphrank", "untrained"), seeds=(0,), settings=settings)
    for result in evaluate(data, experiment, progress=False):
        assert result.config["method"]["encoder"] == "gcn"
        assert result.config["method"]["channels"] == 6


def test_an_edited_graph_of_the_same_name_runs_anew(data, fitted, tmp_path):
    experiment = Experiment(seeds=(0,), settings=SMALL)
    file = tmp_path / "results.jsonl"
    evaluate(data, experiment, results_file=file, progress=False)
    data.x = data.x + torch.rand(data.x.shape)
    evaluate(data, experiment, results_file=file, progress=False)
    assert fitted == [0, 0]
    assert len(read(file)) == 2


def test_validation_leaves_controls_as_they_are(data):
    """What trains no epochs has none to choose."""
    plain, chosen = (
        evaluate(
            data, Experiment(methods=CONTROLS, seeds=(0,), epoch_selection=how), progress=False
        )
        for how in ("fixed", "validation")
    )
    assert [result.values for result in plain] == [result.values for result in chosen]


def test_clustering_has_nothing_to_choose_an_epoch_on(data):
    experiment = Experiment(
        task="clustering", seeds=(0,), settings=SMALL, epoch_selection="validation"
    )
    with pytest.raises(ConfigError, match="no validation nodes"):
        evaluate(data, experiment, progress=False)


def test_labels_are_hidden_from_methods(data, monkeypatch):
    given = []

    @dataclass(kw_only=True, eq=False, repr=False)
    class Spy(Method[nn.Module]):
        info: ClassVar[MethodInfo] = MethodInfo("spy", "Spy", "node", "x", "none", "O(1)", "O(1)")

        def fit(self, data, y=None, *, run=None):
            given.append((data, y))
            return super().fit(data, y, run=run)

        def build(self, num_features):
            return nn.Module()

        def encode(self, module, graph):
            return graph.features.to_dense()

    monkeypatch.setitem(METHODS, "spy", Spy)
    data.train_mask = data.val_mask = data.test_mask = torch.ones(data.num_nodes, dtype=torch.bool)
    for task in ("node-classification", "clustering"):
        protocol = "random-10-10-80" if task == "node-classification" else None
        experiment = Experiment(task=task, methods=("spy",), protocol=protocol, seeds=(0,))
        evaluate(data, experiment, progress=False)
    assert len(given) == 2
    for visible, y in given:
        assert y is None
        assert not {"y", "train_mask", "val_mask", "test_mask", "class_names"} & set(visible.keys())


def test_the_given_graph_is_not_changed(data):
    before = data.clone()
    evaluate(data, Experiment(seeds=(0,), settings=SMALL), progress=False)
    assert set(data.keys()) == set(before.keys())
    assert torch.equal(data.y, before.y) and torch.equal(data.x, before.x)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"task": "clusterin"}, "did you mean 'clustering'"),
        ({"methods": ("grafrank",)}, "did you mean 'graphrank'"),
        ({"protocol": "public"}, "no public split"),
        ({"protocol": "randm-10-10-80"}, "did you mean 'random-10-10-80'"),
        ({"preset": "papper"}, "did you mean 'paper'"),
        ({"settings": {"chanels": 3}}, "did you mean 'channels'"),
    ],
)
def test_misspelt(data, wrong, words):
    with pytest.raises(GraphRankError, match=words):
        evaluate(data, Experiment(**{"seeds": (0,), **wrong}), progress=False)


def test_a_graph_without_a_name(tmp_path):
    (result,) = evaluate(toy_graph(size=30), Experiment(seeds=(0,), settings=SMALL), progress=False)
    assert result.dataset == "graph"
    json.loads(result.to_line())


# -- supervised methods ---------------------------------------------------------------------------


def test_supervised_and_self_supervised_methods_in_one_experiment(data):
    experiment = Experiment(methods=("gat", "gcn", "graphrank"), seeds=(0, 1), settings=SMALL)
    results = evaluate(data, experiment, progress=False)
    assert [result.method for result in results] == ["gat", "gcn", "graphrank"]
    for result in results:
        assert result.seeds == [0, 1] and set(result.values) == {
            "accuracy",
            "macro_f1",
            "auc",
            "ap",
        }
        assert all(0 <= value <= 100 for value in result.values["accuracy"])
        assert len(result.seconds["fit"]) == len(result.peak_mib) == 2
    assert [result.config["task"] for result in results] == [{}, {}, {"probe": "logistic"}]


def test_supervised_figures_are_those_of_a_run_by_hand(data):
    settings = {"channels": 8, "epochs": 20}
    experiment = Experiment(methods=("gcn",), seeds=(3,), settings=settings)
    (result,) = evaluate(data, experiment, progress=False)
    task = NodeClassification()
    split = task.split(data, task.protocol(None, data), 3)
    model = GCN(**settings, seed=3).fit(data, data.y, split)
    expected = task.score(model.prediction_, data, split, model.ranking_)
    assert {name: values[0] for name, values in result.values.items()} == expected


def test_labels_of_test_nodes_are_hidden_from_supervised_methods(data, monkeypatch):
    given, real = [], GCN.fit

    def spy(self, graph, y=None, split=None, *, run=None):
        given.append((graph, y, split))
        return real(self, graph, y, split, run=run)

    monkeypatch.setattr(GCN, "fit", spy)
    data.train_mask = data.val_mask = data.test_mask = torch.ones(data.num_nodes, dtype=torch.bool)
    experiment = Experiment(
        methods=("gcn",), protocol="random-10-10-80", seeds=(0,), settings=SMALL
    )
    evaluate(data, experiment, progress=False)
    ((graph, y, split),) = given
    assert not {"y", "train_mask", "val_mask", "test_mask", "class_names"} & set(graph.keys())
    assert (y[split.test] == -1).all() and split.test.numel() > 0
    seen = torch.cat([split.train, split.val])
    assert torch.equal(y[seen], data.y[seen])


def test_probe_and_epoch_selection_do_not_concern_supervised_methods(data, tmp_path):
    file = tmp_path / "results.jsonl"
    plain = {"methods": ("gcn",), "seeds": (0,), "settings": SMALL}
    first = evaluate(data, Experiment(**plain), results_file=file, progress=False)
    seen = []
    for change in ({"task_options": {"probe": "adam"}}, {"epoch_selection": "validation"}):
        experiment = Experiment(**plain, **change)
        again = evaluate(data, experiment, results_file=file, progress=False, on_seed=seen.append)
        assert again[0].values == first[0].values
    assert seen == []


@pytest.mark.parametrize("task", ["clustering", "link-prediction"])
def test_tasks_that_need_embeddings_refuse_supervised_methods_before_any_work(data, fitted, task):
    experiment = Experiment(task=task, methods=("graphrank", "gat"), seeds=(0,), settings=SMALL)
    with pytest.raises(ConfigError, match=f"gat is supervised.*no embeddings for {task}; use"):
        evaluate(data, experiment, progress=False)
    assert fitted == []


def test_new_labels_are_another_graph(tmp_path):
    """Figures of before the labels were mended are not shown as those of after."""
    data = toy_graph(size=40)
    data.name = "own"
    file = tmp_path / "r.jsonl"
    experiment = Experiment(methods=("raw-features",), seeds=(0,))
    first = evaluate(data, experiment, results_file=file, progress=False)[0]
    data.y = data.y[torch.randperm(len(data.y), generator=torch.Generator().manual_seed(0))]
    second = evaluate(data, experiment, results_file=file, progress=False)[0]
    assert first.key != second.key and len(file.read_text().splitlines()) == 2
    evaluate(data, experiment, results_file=file, progress=False)
    assert len(file.read_text().splitlines()) == 2


def test_a_file_with_the_name_of_a_dataset_is_another_graph():
    experiment = Experiment(methods=("raw-features",), seeds=(0,))
    data = toy_graph(size=40)
    data.name = "Photo"
    assert "graph" in evaluate(data, experiment, progress=False)[0].config
