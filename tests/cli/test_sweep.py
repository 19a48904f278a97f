"""``graphrank sweep``: what it prints, writes and refuses."""

import json

import pytest

SMALL = ("--set", "epochs=2", "--set", "channels=4", "--set", "mlp_steps=2", "--seeds", 2)
GRAPH = "sbm:nodes=90,classes=3"
MARGIN = ("sweep", GRAPH, "--param", "margin", "--values", "0,0.1,10")
GEOMETRY = ("--measure", "intra_class_variance,outliers")


def test_the_table_has_a_row_a_value_and_a_column_a_measure(shell):
    text = shell.run(*MARGIN, *SMALL).stdout
    for word in ("accuracy", "intra-class variance", "inter-class distance", "0.1", "10", "±"):
        assert word in text
    assert "over 2 seeds, protocol random-10-10-80" in text
    assert "on test nodes" in text
    assert "on test nodes" not in shell.run(*MARGIN, *SMALL, *GEOMETRY, "--quiet").stdout


def test_every_file_that_was_asked_for_is_written(shell):
    files = ("--json", "f.json", "--output", "p.png", "--report", "r.html", "--results", "r.jsonl")
    result = shell.run(*MARGIN, *SMALL, *GEOMETRY, *files)
    assert "margin=0.1, seed 1: intra-class variance" in result.stderr
    report = json.loads((shell.folder / "f.json").read_text())
    assert [entry["config"]["method"]["margin"] for entry in report] == [0.0, 0.1, 10.0]
    assert len(report[0]["metrics"]["outliers"]["values"]) == 2
    assert (shell.folder / "p.png").read_bytes().startswith(b"\x89PNG")
    page = (shell.folder / "r.html").read_text()
    assert "<svg" in page and "What margin does to GraphRank" in page
    assert "graphrank sweep sbm:nodes=90,classes=3 --param margin" in page
    assert len((shell.folder / "r.jsonl").read_text().splitlines()) == 6


def test_a_second_run_takes_what_the_first_one_stored(shell, monkeypatch):
    words = (*MARGIN, *SMALL, *GEOMETRY, "--results", "r.jsonl")
    first = shell.run(*words)
    monkeypatch.setattr("graphrank.methods.graphrank.GraphRank.fit", pytest.fail)
    second = shell.run(*words)
    assert second.stdout == first.stdout
    assert "seed" not in second.stderr


def test_choices_and_both_views_can_be_swept(shell):
    words = (*SMALL, "--measure", "effective_rank", "--quiet")
    text = shell.run("sweep", GRAPH, "--param", "encoder", "--values", "linear,gcn", *words).stdout
    assert "linear" in text and "gcn" in text
    more = ("--param", "feature-mask", "--values", "0, 0.5", "--output", "m.svg")
    assert "feature_mask" in shell.run("sweep", GRAPH, *more, *words).stdout
    assert "<svg" in (shell.folder / "m.svg").read_text()


def test_one_seed_of_a_preset_on_a_graph_without_labels(own):
    words = ("--param", "margin", "--values", "0,1", "--measure", "uniformity,seconds")
    text = own.run(
        "sweep", "edges.csv", "--features", "nodes.csv", *words, "--preset", "paper", *SMALL[:6],
        "--seeds", 1, "--report", "r.html",
    ).stdout  # fmt: skip
    assert "GraphRank (paper) on edges" in text
    assert "One seed, protocol label-free" in text
    assert "of a single seed" in (own.folder / "r.html").read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--param", "margn"), "there is no option of GraphRank 'margn'; did you mean 'margin'?"),
        (("--measure", "acuracy"), "there is no measure 'acuracy'; did you mean 'accuracy'?"),
        (("--method", "graphrnak"), "there is no method 'graphrnak'; did you mean 'graphrank'?"),
        (("--values", "0,-1"), "margin=-1.0 is out of range; margin is at least 0"),
        (("--values", ","), "name at least one value of margin"),
        (("--values", "few"), "margin takes float, not 'few'; its default is"),
        (("--set", "margin=1"), "margin is swept and set at once; leave out one of them"),
        (("--output", "p.gif"), "cannot draw p.gif; end its name with .png or .svg"),
    ],
)
def test_mistakes_are_one_sentence_before_any_work(shell, monkeypatch, words, sentence):
    monkeypatch.setattr("graphrank.cli.actions.sweep.load_graph", pytest.fail)
    said = shell.mistake(*MARGIN, *words)
    assert said.startswith(sentence)


@pytest.mark.parametrize("option", ["--json", "--output", "--report"])
def test_an_existing_file_is_kept_unless_told_otherwise(shell, option):
    path = shell.folder / "mine.png"
    path.write_text("mine")
    words = (*MARGIN, *SMALL, *GEOMETRY, option, "mine.png")
    assert "mine.png exists already" in shell.mistake(*words)
    shell.run(*words, "--overwrite")
    assert path.read_bytes() != b"mine"


def test_a_graph_without_labels_is_told_what_can_be_measured(own):
    words = ("--param", "margin", "--values", "1")
    said = own.mistake("sweep", "edges.csv", "--features", "nodes.csv", *words)
    assert said.startswith("the measure accuracy needs labels and this graph has none;")


def test_it_explains_itself(shell):
    assert "graphrank sweep cora" in shell.run("sweep", "--help").stdout
