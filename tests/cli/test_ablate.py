"""``graphrank ablate``: what it prints, writes and refuses."""

import json

import pytest

GRAPH = "sbm:nodes=90,classes=3"
SMALL = "channels: 4, epochs: 1"
PLAN = f"""
title: What each piece adds
reference: default
datasets: ["{GRAPH}"]
seeds: 2
variants:
  default: {{settings: {{{SMALL}}}}}
  no-neighbours: {{settings: {{neighbor_weight: 0, {SMALL}}}}}
  smoothing: {{method: smoothing, settings: {{rank: 4}}}}
  raw: {{method: raw-features}}
"""
ABLATE = ("ablate", "v.yaml")
QUICK = ("--tasks", "clustering", "--variants", "no-neighbours")


@pytest.fixture
def planned(shell):
    """A folder with a plan."""
    (shell.folder / "v.yaml").write_text(PLAN)
    return shell


def test_tables_choice_and_every_file_that_was_asked_for(planned):
    files = ("--json", "f.json", "--markdown", "t.md", "--report", "r.html")
    result = planned.run(*ABLATE, *files)
    for task, figure in (
        ("node-classification", "accuracy"),
        ("link-prediction", "AUC"),
        ("clustering", "NMI"),
    ):
        assert f"{task}: validation {figure} in %, 2 seeds (100 to 101)" in result.stdout
    for word in ("no-neighbours", "reference", "mean difference", "s per fit", "±"):
        assert word in result.stdout
    assert "24 of 24: raw on sbm:nodes=90,classes=3, seed 101: validation NMI" in result.stderr
    assert "best on validation: " in result.stdout
    assert "confirm it on test: graphrank ablate v.yaml --confirm " in result.stdout
    assert "--first-seed 102\n" in result.stdout
    assert len((planned.folder / "v.jsonl").read_text().splitlines()) == 24
    assert len(json.loads((planned.folder / "f.json").read_text())["figures"]) == 12
    assert "What each piece adds" in (planned.folder / "t.md").read_text()
    page = (planned.folder / "r.html").read_text()
    assert "graphrank ablate v.yaml --json f.json" in page and "Configuration of raw" in page

    again = planned.run(*ABLATE, *files, "--overwrite")
    assert again.stdout == result.stdout and "of 24" not in again.stderr

    text = planned.run(*ABLATE, "--criteria", "--json", "c.json").stdout
    for word in ("effective rank", "uniformity", "mean similarity", "final loss", "held-out edges"):
        assert word in text
    assert "What goes with validation accuracy" in text
    assert "What goes with validation NMI" in text
    assert "–" in text  # fewer than four variants have a loss
    assert len(json.loads((planned.folder / "c.json").read_text())["criteria"]) == 2
    assert len((planned.folder / "v.jsonl").read_text().splitlines()) == 24


def test_what_is_typed_takes_the_place_of_the_file(planned):
    words = (
        *QUICK,
        "--datasets",
        "karate",
        "--seeds",
        1,
        "--first-seed",
        7,
        "--results",
        "k.jsonl",
    )
    result = planned.run(*ABLATE, *words, "--quiet")
    assert (
        "karate" in result.stdout
        and GRAPH not in result.stdout
        and "smoothing" not in result.stdout
    )
    assert "validation NMI in %, seed 7" in result.stdout
    assert "One seed has no standard error" in result.stdout
    assert result.stderr == ""
    assert (
        "--first-seed 8 --datasets karate --tasks clustering --seeds 1 --results k.jsonl"
        in result.stdout
    )
    assert not (planned.folder / "v.jsonl").exists()


def test_the_chosen_variant_is_confirmed_once_on_fresh_seeds(planned):
    planned.run(*ABLATE, *QUICK[:2], "--quiet")
    confirm = (*ABLATE, *QUICK[:2], "--confirm", "no-neighbours")
    said = planned.mistake(*confirm, "--first-seed", 101)
    assert said.startswith("seed 101 was used on validation, where the choice was made;")
    assert said.endswith("--first-seed 102")
    result = planned.run(*confirm, "--first-seed", 102, "--report", "r.html")
    assert "clustering: NMI in %, 2 seeds (102 to 103)" in result.stdout
    assert "smoothing" not in result.stdout and "looked at" in result.stdout
    assert "no-neighbours on sbm:nodes=90,classes=3, clustering, seed 103: done" in result.stderr
    assert "Test figures of the chosen variant" in (planned.folder / "r.html").read_text()
    lines = (planned.folder / "v.confirmed.jsonl").read_text().splitlines()
    assert [json.loads(line)["task"] for line in lines] == ["clustering"] * 4
    other = (*ABLATE, *QUICK[:2], "--confirm", "smoothing", "--overwrite")
    said = planned.mistake(*other, "--first-seed", 103)
    assert "seed 103 on sbm:nodes=90,classes=3 were already looked at for variant no-neigh" in said
    assert said.endswith("with --first-seed 104")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--variants", "no-neighbors"), "there is no variant 'no-neighbors'; did you mean"),
        (("--tasks", "links"), "there is no task 'links'; known are clustering, graph-class"),
        (("--tasks", "graph-classification"), "variant default: graphrank embeds nodes and the"),
        (("--datasets", "coraa"), "there is no dataset 'coraa'; did you mean 'Cora'?"),
        (("--datasets", "mutag"), "MUTAG is a set of graphs and the tasks are about the"),
        (("--confirm", "best"), "there is no variant 'best'; known are default, no-neighbours"),
        (("--confirm", "raw", "--criteria"), "--criteria is about validation and --confirm about"),
        (("--criteria", "--variants", "raw"), "correlations over 2 variants say nothing; name at"),
        (("--criteria", "--tasks", "link-prediction"), "criteria are held against accuracy and"),
        (("--results", "v.yaml"), "v.yaml cannot hold its own results; name a file with --results"),
        (("--json", "v.yaml"), "v.yaml exists already; choose another path or say --overwrite"),
    ],
)
def test_mistakes_are_one_sentence_before_any_work(planned, monkeypatch, words, sentence):
    monkeypatch.setattr("graphrank.cli.actions.ablate.load_graphs", pytest.fail)
    assert planned.mistake(*ABLATE, *words).startswith(sentence)


def test_files_that_are_no_plan(planned):
    assert planned.mistake("ablate", "w.yaml") == "there is no file 'w.yaml'; check the path"
    (planned.folder / "w.yaml").write_text(PLAN.replace("title", "titel"))
    assert planned.mistake("ablate", "w.yaml") == (
        "w.yaml: there is no entry of the file 'titel'; did you mean 'title'?"
    )


def test_graphs_that_cannot_be_used_are_named_before_any_training(planned, monkeypatch):
    monkeypatch.setattr("graphrank.methods.graphrank.GraphRank.fit", pytest.fail)
    said = planned.mistake(*ABLATE, "--datasets", "er:nodes=50,degree=4")
    assert said.startswith("er:nodes=50,degree=4 has no labels of two classes and node-class")
    (planned.folder / "a").mkdir()
    for path in ("e.csv", "a/e.csv"):
        (planned.folder / path).write_text("source,target\n0,1\n1,2\n")
    words = ("--datasets", "e.csv", "--datasets", "a/e.csv", "--tasks", "link-prediction")
    assert planned.mistake(*ABLATE, *words) == "two datasets are called e; rename one of the files"


def test_nothing_is_confirmed_that_was_not_chosen(planned):
    said = planned.mistake(*ABLATE, "--confirm", "raw", "--first-seed", 5)
    assert said.startswith("v.jsonl has no validation figures of raw on these datasets;")


def test_it_explains_itself(shell):
    assert "graphrank ablate variants.yaml" in shell.run("ablate", "--help").stdout


WHOLE_GRAPHS = """
reference: default
datasets: [mine.jsonl]
tasks: [graph-classification]
seeds: 1
variants:
  default: {settings: {channels: 4, epochs: 1}}
  degree-histogram: {method: degree-histogram}
"""


def test_sets_of_graphs_from_a_file(planned):
    edges = ("[[0, 1], [1, 2], [2, 0]]", "[[0, 1], [1, 2], [2, 3], [3, 4]]")
    rows = [f'{{"edges": {edges[n % 2]}, "y": {n % 2}}}\n' for n in range(24)]
    (planned.folder / "mine.jsonl").write_text("".join(rows))
    (planned.folder / "g.yaml").write_text(WHOLE_GRAPHS)
    result = planned.run("ablate", "g.yaml", "--json", "f.json")
    assert "graph-classification: validation accuracy in %, seed" in result.stdout
    assert "2 of 2: degree-histogram on mine, seed 100: validation accuracy 100.00" in result.stderr
    figures = json.loads((planned.folder / "f.json").read_text())["figures"]
    assert [each["method"] for each in figures] == ["graphrank-graph", "degree-histogram"]
    said = planned.mistake("ablate", "g.yaml", "--datasets", GRAPH)
    assert said == (
        f"{GRAPH} is one graph and the tasks are about whole graphs; see `graphrank list datasets` "
        "for those of level graph"
    )
    said = planned.mistake(*ABLATE, "--datasets", "mine.jsonl")
    assert said.startswith("mine is a set of graphs and the tasks are about the nodes of one;")
