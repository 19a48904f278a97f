"""``graphrank benchmark memory`` and ``scaling``; ``speed`` is tested where it is measured."""

import json

import pytest

from graphrank.benchmark.growth import EpochCost, epoch_cost
from graphrank.cli.actions import benchmark
from tests.conftest import plain

SMALL = ("--set", "channels=8", "--epochs", 1, "--json", "rows.json")


def test_memory_of_methods_on_graphs(shell):
    words = ("benchmark", "memory", "karate", "sbm:nodes=40", "--method", "cca-ssg", *SMALL)
    result = shell.run(*words)
    assert "cca-ssg" in result.stdout and "peak MiB" in result.stdout
    content = json.loads((shell.folder / "rows.json").read_text())
    assert [(row["graph"], row["method"]) for row in content["rows"]] == [
        ("karate", "cca-ssg"),
        ("sbm:nodes=40", "cca-ssg"),
    ]
    assert all(row["peak_mib"] > row["added_mib"] >= 0 for row in content["rows"])
    assert content["environment"]["torch"]


def test_growth_of_a_method(shell, monkeypatch):
    monkeypatch.setattr(benchmark, "in_own_process", epoch_cost)  # three processes take their time
    words = ("benchmark", "scaling", "--method", "dgi", "--sizes", "80,20,40", *SMALL)
    result = shell.run(*words)
    assert "time grows by" in result.stdout and "N^" in result.stdout
    (row,) = json.loads((shell.folder / "rows.json").read_text())["rows"]
    assert list(row["costs"]) == ["20", "40", "80"]
    assert row["time_exponent"] is not None


@pytest.mark.parametrize(
    "words",
    [("speed", "karate"), ("memory", "karate"), ("scaling", "--sizes", "20,40")],
    ids=lambda words: words[0],
)
def test_an_existing_file_is_refused_before_anything_is_measured(shell, monkeypatch, words):
    for name in ("measure_speed", "in_own_process"):
        monkeypatch.setattr(f"graphrank.cli.actions.benchmark.{name}", pytest.fail)
    (shell.folder / "rows.json").write_text("mine")
    told = shell.mistake("benchmark", *words, "--json", "rows.json")
    assert told == "rows.json exists already; choose another path or say --overwrite"


COST = EpochCost(milliseconds=1.0, added_mib=2.0, peak_mib=3.0, seconds=4.0)


def test_overwriting(shell, monkeypatch):
    monkeypatch.setattr("graphrank.cli.actions.benchmark.in_own_process", lambda *_: COST)
    (shell.folder / "rows.json").write_text("mine")
    shell.run("benchmark", "memory", "karate", "--json", "rows.json", "--overwrite")
    (row, *_) = json.loads((shell.folder / "rows.json").read_text())["rows"]
    assert row["graph"] == "karate" and row["peak_mib"] == 3.0


def test_what_is_measured_is_said_on_a_terminal_unless_quiet(shell, monkeypatch, terminal):
    monkeypatch.setattr("graphrank.cli.actions.benchmark.in_own_process", lambda *_: COST)
    words = ("benchmark", "memory", "karate", "--method", "dgi")
    loud = shell.run(*words)
    assert "measuring dgi on karate" in plain(loud.stderr)
    quiet = shell.run(*words, "--quiet")
    assert plain(quiet.stderr).strip() == "" and quiet.stdout == loud.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("scaling", "--sizes", "a,b"), "'a,b' are no sizes"),
        (("scaling", "--sizes", "3"), "no sizes"),
        (("scaling", "--method", "smoothing"), "smoothing has no epochs"),
        (("memory", "karate", "--method", "gin"), "gin has no epochs"),
        (("memory", "karate", "--method", "graphrnk"), "did you mean 'graphrank'"),
        (("memory", "nothing.csv"), "there is no file 'nothing.csv'"),
        (("memory", "karate", "--set", "wdth=3"), "wdth"),
    ],
)
def test_refusals(shell, words, told):
    assert told in shell.mistake("benchmark", *words)
