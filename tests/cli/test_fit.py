"""``graphrank fit``: what it keeps, what it says, and how it goes on after an interrupt."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest

from graphrank.training import loop
from tests.cli.conftest import NAMES, QUICK


def manifest(folder):
    return json.loads((folder / "model.json").read_text())


def weights(folder):
    """The checksum of the weights: equal for equal bits."""
    return manifest(folder)["files"]["weights"]["sha256"]


def fit(shell, output, *more, epochs=2, code=0):
    words = ("--set", f"epochs={epochs}", *QUICK[2:], "--output", output)
    return shell.run("fit", "karate", *words, *more, code=code)


def test_the_model_keeps_options_and_feature_names(own):
    more = ("--seed", 7, "--device", "cpu")
    result = own.run("fit", "edges.csv", "--features", "nodes.csv", *QUICK, *more)
    stored = manifest(own.folder / "model")
    assert stored["params"]["seed"] == 7
    assert stored["params"]["epochs"] == 2
    assert stored["feature_names"] == ["height", "weight", "age"]
    assert "edges: 8 nodes, 9 undirected edges" in result.stdout
    assert "3 given" in result.stdout
    assert re.search(r"2 in \d+\.\d s", result.stdout)
    next_command = "graphrank embed model edges.csv --features nodes.csv --output"
    assert next_command in result.stdout


def test_the_load_report_is_shown_once_and_quiet_hides_it(shell):
    assert fit(shell, "a").stderr.count("34 nodes") == 1
    assert fit(shell, "b", "--quiet").stderr == ""


@pytest.mark.parametrize("weight", ["0.5", "0"])
def test_noisy_features_are_said_to_be(own, weight):
    graph = "sbm:nodes=60,classes=2,features=8,degree=8,signal=1.5"
    result = own.run("fit", graph, *QUICK, "--set", f"wide_view={weight}")
    assert ("noisy, so that it looks two hops further" in result.stdout) == (weight == "0.5")


@pytest.mark.parametrize("scaling", ["auto-words", "auto"])
def test_words_that_are_weighed_are_said_to_be(own, scaling):
    """Eight nodes with one word or fifteen, out of a hundred."""
    rows = ["id," + ",".join(f"word{column}" for column in range(100))]
    for place, name in enumerate(NAMES):
        having = range(place * 12, place * 12 + (15 if place % 2 else 1))
        rows.append(f"{name}," + ",".join("1" if at in having else "0" for at in range(100)))
    (own.folder / "words.csv").write_text("\n".join(rows))
    more = ("--set", f"scale_features={scaling}")
    result = own.run("fit", "edges.csv", "--features", "words.csv", *QUICK, *more)
    assert ("rare words count more" in result.stdout) == (scaling == "auto-words")


def test_columns_are_named_by_options(own):
    rows = ["a,b,strength,kind", "ann,bob,1.5,x", "bob,cid,2,y", "cid,ann,1,x", "dee,ann,1,y"]
    (own.folder / "odd.csv").write_text("\n".join(rows))
    nodes = ["who,size,group"] + [
        f"{n},{i},{i % 2}" for i, n in enumerate(["ann", "bob", "cid", "dee"])
    ]
    (own.folder / "who.csv").write_text("\n".join(nodes))
    columns = ["--source-column", "a", "--target-column", "b", "--weight-column", "strength"]
    columns += ["--id-column", "who", "--exclude-column", "group", "--header", "--directed"]
    result = own.run("fit", "odd.csv", "--features", "who.csv", *columns, *QUICK)
    assert "4 directed edges" in result.stdout
    assert manifest(own.folder / "model")["feature_names"] == ["size"]


def test_as_many_numbers_as_are_asked_for(shell):
    assert "7 numbers a node" in fit(shell, "seven", "--dimensions", "7").stdout
    refused = shell.run("fit", "karate", "--method", "grace", "--dimensions", "7", code=2)
    assert "no option of Grace 'dimensions'" in refused.stderr


def test_controls_can_be_fitted_and_have_no_loss(shell):
    result = shell.run("fit", "karate", "--method", "smoothing", "--output", "s")
    assert "loss" not in result.stdout
    assert "SVD smoothing" in result.stdout


def test_an_existing_output_is_refused_before_any_work(fitted, monkeypatch):
    monkeypatch.setattr("graphrank.cli.actions.fit.load_of_level", pytest.fail)
    sentence = fitted.mistake("fit", "edges.csv", "--output", "model")
    assert sentence == "model exists already; choose another path or say --overwrite"
    sentence = fitted.mistake("fit", "edges.csv", "--output", "edges.csv", "--overwrite")
    assert sentence == "edges.csv is a file; choose a folder for the model"


def test_an_output_that_cannot_be_written_is_refused_before_any_work(shell, monkeypatch):
    monkeypatch.setattr("graphrank.cli.actions.fit.load_of_level", pytest.fail)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert shell.mistake("fit", "karate").startswith("cannot write to ")


def test_overwrite_replaces_the_model(shell):
    fit(shell, "m")
    first = weights(shell.folder / "m")
    fit(shell, "m", "--overwrite", "--seed", 1)
    assert weights(shell.folder / "m") != first
    assert len(list((shell.folder / "m").glob("weights-*"))) == 1


def test_resuming_ends_with_the_same_bits(shell):
    fit(shell, "whole", epochs=6)
    fit(shell, "parts", epochs=3)
    assert weights(shell.folder / "parts") != weights(shell.folder / "whole")
    fit(shell, "parts", "--resume", epochs=6)
    assert weights(shell.folder / "parts") == weights(shell.folder / "whole")
    whole, parts = (manifest(shell.folder / name)["history"] for name in ("whole", "parts"))
    assert parts["loss"] == whole["loss"]


def test_an_interrupt_saves_and_says_how_to_go_on(shell, monkeypatch):
    fit(shell, "whole", epochs=6)
    run_epoch = loop._run_epoch

    def interrupt_the_third(*args):
        run_epoch(*args)
        if args[-1].epochs == 3:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(loop, "_run_epoch", interrupt_the_third)
    result = fit(shell, "m", epochs=6, code=130)
    monkeypatch.undo()
    monkeypatch.chdir(shell.folder)
    line = result.stderr.splitlines()[-1]
    assert line.startswith("interrupted; the checkpoint is in m, go on with: graphrank fit karate")
    assert line.endswith("--output m --resume")
    words = line.split("graphrank ", 1)[1].split()
    shell.run(*words)
    assert weights(shell.folder / "m") == weights(shell.folder / "whole")


def test_an_interrupt_before_the_first_epoch_says_that_nothing_was_saved(shell, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("graphrank.methods.graphrank.GraphRank.fit", interrupt)
    result = fit(shell, "m", code=130)
    assert result.stderr.splitlines()[-1].endswith("nothing was saved")


def test_what_cannot_be_resumed(shell):
    assert "model.json" in shell.mistake("fit", "karate", "--output", "none", "--resume")
    assert "leave out --resume" in shell.mistake(
        "fit", "karate", "--method", "smoothing", "--resume"
    )
    assert "say one of them" in shell.mistake("fit", "karate", "--resume", "--overwrite")
    fit(shell, "m")
    words = ("fit", "karate", "--set", "channels=9", "--output", "m", "--resume")
    assert "channels=8" in shell.mistake(*words)


def test_a_collapsed_embedding_is_one_line_of_warning(shell, monkeypatch):
    monkeypatch.setattr("graphrank.training.collapse.collapse_of", lambda _: "all alike")
    lines = fit(shell, "m", "--quiet").stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("warning: the embedding of GraphRank has collapsed (all alike)")


def test_ctrl_c_in_a_process_is_one_line_and_its_own_code(tmp_path):
    program = "from graphrank.cli.main import run; run()"
    words = ["fit", "digits", "--set", "epochs=100000", "--set", "channels=4"]
    process = subprocess.Popen(
        [sys.executable, "-c", program, *words],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    while "nodes" not in process.stderr.readline():
        pass
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=2)
    process.send_signal(signal.SIGINT)
    rest = process.stderr.read()
    assert process.wait(timeout=60) == 130
    assert "Traceback" not in rest
    assert rest.count("\n") == 1
    saved = "the checkpoint is in model, go on with: graphrank fit digits" in rest
    assert saved or "nothing was saved" in rest  # a slow machine may not have begun to train
    assert (tmp_path / "model" / "model.json").exists() == saved


@pytest.mark.parametrize("name", ["gcn", "gat", "appnp"])
def test_supervised_methods_need_labels_and_a_split(shell, name):
    sentence = shell.mistake("fit", "karate", "--method", name)
    assert sentence.startswith(f"{name} is supervised and needs labels and a split")
    assert f"graphrank evaluate GRAPH --task node-classification --method {name}" in sentence


def test_the_authors_settings_for_the_dataset(shell, tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("experiments")
    monkeypatch.setattr("graphrank.methods.experiments.FOLDER", folder)
    (folder / "graphrank").mkdir()
    text = "method: graphrank\ndataset: karate\nsettings: {margin: 0.5}\npublished: []\n"
    (folder / "graphrank" / "karate.yaml").write_text(text)
    fit(shell, "a", "--preset", "authors")
    assert manifest(shell.folder / "a")["params"]["margin"] == 0.5
    words = ("--preset", "authors", "--set", "epochs=1", "--output", "b")
    result = shell.run("fit", "sbm:nodes=30,classes=2", *words)
    assert "graphrank has no settings of its authors on sbm" in result.stderr
    assert manifest(shell.folder / "b")["params"]["margin"] == 1.0
