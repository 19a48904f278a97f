"""Commands say on a terminal what they are at, and nothing of it elsewhere or with --quiet."""

import pytest

from tests.cli.conftest import QUICK
from tests.conftest import plain

FIT = ("edges.csv", "--features", "nodes.csv", *QUICK)
LABELS = "id,label\nann,a\nbob,a\ncid,a\ndee,b\neve,b\nfay,b\n"
COMMANDS = {
    "fit": (("fit", *FIT, "--output", "other"), ["loading edges.csv"]),
    "embed": (
        ("embed", "model", "edges.csv", "--features", "nodes.csv", "--output", "emb.csv"),
        ["loading edges.csv", "embedding edges.csv"],
    ),
    "evaluate": (
        (*("evaluate", "karate", "--task", "clustering", "--seeds", 1, "--no-controls"), *QUICK),
        ["loading karate", "judging GraphRank, seed 0"],
    ),
    "cluster": (
        ("cluster", *FIT, "--k", 2, "--output", "clusters.csv"),
        ["loading edges.csv", "dividing the nodes into 2 clusters"],
    ),
    "predict-labels": (
        ("predict-labels", *FIT, "--labels", "labels.csv", "--output", "classes.csv"),
        ["loading edges.csv", "learning from the given labels"],
    ),
    "predict-links": (
        ("predict-links", "model", "edges.csv", "--features", "nodes.csv", "--node", "ann"),
        ["loading edges.csv", "embedding edges.csv", "scoring pairs"],
    ),
}


@pytest.fixture
def folder(fitted):
    (fitted.folder / "labels.csv").write_text(LABELS)
    return fitted


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_what_goes_on_is_shown_on_a_terminal(folder, terminal, name):
    words, expected = COMMANDS[name]
    result = folder.run(*words)
    shown = plain(result.stderr)
    places = [shown.find(text) for text in expected]
    assert -1 not in places and places == sorted(places), shown
    assert not any(text in plain(result.stdout) for text in expected)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_nothing_with_quiet(folder, terminal, name):
    words, _ = COMMANDS[name]
    assert plain(folder.run(*words, "--quiet").stderr).strip() == ""


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_nothing_where_nobody_watches(folder, monkeypatch, name):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    words, expected = COMMANDS[name]
    stderr = folder.run(*words).stderr
    assert "\x1b" not in stderr and not any(text in stderr for text in expected)
