"""Everything a user can give that cannot be used: one sentence, code 2, nothing half-written."""

import errno
import json
import os

import pytest

from tests.cli.conftest import NAMES, QUICK, write_edges, write_nodes

DATA = ("edges.csv", "--features", "nodes.csv")


def rows(folder, name, *lines):
    (folder / name).write_text("\n".join(lines) + "\n")


def test_an_empty_graph_file(own):
    rows(own.folder, "edges.csv", "source,target")
    assert "empty graph" in own.mistake("fit", "edges.csv")
    (own.folder / "edges.csv").write_text("")
    assert "edges.csv" in own.mistake("fit", "edges.csv")


def test_no_edges(own):
    rows(own.folder, "edges.csv", "source,target", "ann,ann", "bob,bob")
    assert "no edge" in own.mistake("fit", "edges.csv")


def test_an_edge_to_an_unknown_node_or_ids_missing_in_the_features(own):
    write_nodes(own.folder / "nodes.csv", names=NAMES[:-1])
    sentence = own.mistake("fit", *DATA)
    assert "hal" in sentence
    assert "nodes.csv" in sentence


@pytest.mark.parametrize("value", ["", "nan", "inf"])
def test_features_that_are_no_numbers(own, value):
    rows(own.folder, "nodes.csv", "id,size,age", *(f"{n},{value},{i}" for i, n in enumerate(NAMES)))
    assert "'size'" in own.mistake("fit", *DATA)


def test_constant_features(own):
    rows(own.folder, "nodes.csv", "id,size", *(f"{name},1" for name in NAMES))
    assert "constant" in own.mistake("fit", *DATA)


def test_negative_weights(own):
    rows(own.folder, "edges.csv", "source,target,weight", "ann,bob,1", "bob,cid,-1")
    assert "negative" in own.mistake("fit", "edges.csv")


def test_a_duplicate_id(own):
    write_nodes(own.folder / "nodes.csv", names=[*NAMES, "ann"])
    assert "'ann' twice" in own.mistake("fit", *DATA)


def test_files_that_are_not_there(own):
    assert "'none.csv'" in own.mistake("fit", "none.csv")
    assert "none.csv" in own.mistake("fit", "edges.csv", "--features", "none.csv")
    assert "data root" in own.mistake("fit", "cora", "--data-root", "none")
    assert "model.json" in own.mistake("embed", "none", *DATA, "--output", "e.csv")


def test_a_set_of_graphs(own, monkeypatch):
    import torch

    from graphrank.data import GraphSet

    pairs = GraphSet("pairs", torch.tensor([[0, 1], [1, 0]]), torch.tensor([0, 2]))
    monkeypatch.setattr("graphrank.cli.actions.graph.load", lambda *_, **__: pairs)
    assert "set of 1 graphs" in own.mistake("evaluate", "x", "--task", "clustering")


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (("karat",), "'karate'"),
        (("karate", "--method", "graphrnk"), "'graphrank'"),
        (("karate", "--preset", "papr"), "'paper'"),
        (("karate", "--set", "marign=1"), "'margin'"),
        (("karate", "--set", "encoder=gnc"), "'gcn'"),
    ],
)
def test_misspelt_names_are_met_with_the_nearest_one(shell, words, suggestion):
    assert f"did you mean {suggestion}?" in shell.mistake("fit", *words)


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (("--task", "clusterin"), "'clustering'"),
        (("--task", "clustering", "--protocol", "kmean"), "'kmeans'"),
        (("--task", "node-classification", "--probe", "logstic"), "'logistic'"),
        (("--task", "clustering", "--epoch-selection", "fixd"), "'fixed'"),
        (("--task", "clustering", "--method", "smothing"), "'smoothing'"),
    ],
)
def test_misspelt_names_of_an_evaluation(shell, words, suggestion):
    assert f"did you mean {suggestion}?" in shell.mistake("evaluate", "karate", *words)


@pytest.mark.parametrize("setting", ["margin", "margin=low", "margin=-1", "epochs=1.5"])
def test_settings_that_cannot_be_read(shell, setting):
    assert setting.split("=")[0] in shell.mistake("fit", "karate", "--set", setting)


def test_a_device_that_is_not_there(shell):
    assert "device" in shell.mistake("fit", "karate", "--device", "abacus")


def test_a_damaged_model(fitted):
    tensors = next((fitted.folder / "model").glob("weights-*"))
    tensors.write_bytes(tensors.read_bytes()[:-1])
    assert "damaged" in fitted.mistake("embed", "model", *DATA, "--output", "e.csv")
    tensors.unlink()
    assert "is missing" in fitted.mistake("embed", "model", *DATA, "--output", "e.csv")
    (fitted.folder / "model" / "model.json").write_text("{")
    assert "damaged" in fitted.mistake("embed", "model", *DATA, "--output", "e.csv")


def test_a_model_of_another_version(fitted):
    path = fitted.folder / "model" / "model.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))
    assert "format 99" in fitted.mistake("embed", "model", *DATA, "--output", "e.csv")


@pytest.fixture
def full_disk(fitted, monkeypatch):
    """From now on nothing reaches the disk."""

    def refuse(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    return fitted


def test_a_full_disk_at_embed(full_disk):
    for name in ("e.parquet", "e.csv", "e.npy"):
        sentence = full_disk.mistake("embed", "model", *DATA, "--output", name)
        assert "the disk is full" in sentence


def test_a_full_disk_at_fit(full_disk):
    assert "the disk is full" in full_disk.mistake("fit", *DATA, *QUICK, "--output", "other")
    words = (*DATA, *QUICK, "--seed", 1, "--output", "model", "--overwrite")
    assert "the disk is full" in full_disk.mistake("fit", *words)


def test_a_full_disk_at_evaluate_and_report(full_disk):
    words = ("evaluate", "karate", "--task", "clustering", "--seeds", 1, *QUICK)
    assert "the disk is full" in full_disk.mistake(*words, "--json", "out.json")
    full_disk.run(*words, "--results", "r.jsonl")
    assert "the disk is full" in full_disk.mistake("report", "r.jsonl", "--output", "r.html")


def test_a_folder_that_is_a_file(fitted):
    sentence = fitted.mistake("embed", "model", *DATA, "--output", "edges.csv/e.csv")
    assert "edges.csv" in sentence


def test_labels_that_are_missing_for_a_task(own):
    write_edges(own.folder / "edges.csv")
    for task in ("node-classification", "clustering"):
        assert "label" in own.mistake("evaluate", *DATA, "--task", task, *QUICK)
