"""``graphrank evaluate``: the table, the JSON and the result lines say the same."""

import json

import pytest

from graphrank.results import read
from tests.cli.conftest import NAMES, QUICK

CLUSTERING = ("evaluate", "karate", "--task", "clustering")
ALL = ["graphrank", "smoothing", "untrained", "raw-features"]


def written(shell, name="out.json"):
    return json.loads((shell.folder / name).read_text())


def test_table_and_json_agree_and_controls_are_beside_the_method(shell):
    result = shell.run(*CLUSTERING, "--seeds", 2, *QUICK, "--json", "out.json")
    reports = written(shell)
    assert [report["method"] for report in reports] == ALL
    lines = {line.split()[0]: line for line in result.stdout.splitlines() if line.strip()}
    for report in reports:
        for metric in ("nmi", "ari"):
            figure = report["metrics"][metric]
            assert len(figure["values"]) == 2
            assert f"{figure['mean']:.2f} ± {figure['std']:.2f}" in lines[report["method"]]
    best = max(reports, key=lambda report: report["metrics"]["nmi"]["mean"])["method"]
    assert "best" in lines[best]


def test_json_is_one_object_for_one_method_with_everything_to_repeat_it(shell):
    words = ("--seeds", 2, "--first-seed", 3, "--no-controls", *QUICK, "--json", "out.json")
    shell.run(*CLUSTERING, *words)
    report = written(shell)
    expected = {"task": "clustering", "dataset": "karate", "method": "graphrank"}
    assert expected.items() <= report.items()
    assert report["protocol"] == "kmeans"
    assert report["seeds"] == [3, 4]
    assert report["config"]["method"]["epochs"] == 2
    assert set(report["metrics"]["nmi"]) == {"mean", "std", "values"}
    assert report["seconds"]["fit"]
    assert "torch" in report["environment"]


def test_a_line_a_seed_unless_quiet(shell):
    words = (*CLUSTERING, "--seeds", 2, "--no-controls", *QUICK)
    lines = shell.run(*words).stderr.splitlines()
    assert [line.split(":")[0] for line in lines[-2:]] == ["graphrank, seed 0", "graphrank, seed 1"]
    assert shell.run(*words, "--quiet").stderr == ""


def test_seeds_in_the_results_file_are_not_run_again(shell):
    words = (*CLUSTERING, "--no-controls", *QUICK, "--results", "r.jsonl", "--json", "out.json")
    shell.run(*words, "--seeds", 1)
    first = written(shell)["metrics"]["nmi"]["values"]
    again = shell.run(*words, "--seeds", 2, "--overwrite")
    assert "seed 0" not in again.stderr
    assert written(shell)["metrics"]["nmi"]["values"][:1] == first
    assert [result.seeds for result in read(shell.folder / "r.jsonl")] == [[0, 1]]


def test_node_classification_of_own_data_with_labels(shell):
    rows = [f"{i},{(i * 7) % 5},{i % 2},{'ab'[i % 2]}" for i in range(40)]
    (shell.folder / "nodes.csv").write_text("\n".join(["id,u,v,kind", *rows]))
    edges = [f"{i},{(i + 2) % 40}" for i in range(40)]
    (shell.folder / "edges.csv").write_text("\n".join(["source,target", *edges]))
    words = ("evaluate", "edges.csv", "--features", "nodes.csv", "--label-column", "kind")
    words += ("--task", "node-classification", "--probe", "adam", "--seeds", 1, *QUICK)
    shell.run(*words, "--epoch-selection", "validation", "--json", "out.json")
    report = written(shell)[0]
    assert report["protocol"] == "random-10-10-80"
    assert report["config"]["task"]["probe"] == "adam"
    assert report["config"]["task"]["epoch_selection"] == "validation"
    assert report["metrics"]["accuracy"]["mean"] == 100


def test_labels_from_a_file_of_their_own(own):
    rows = [f"{name},{i % 2}" for i, name in enumerate(NAMES)]
    (own.folder / "labels.csv").write_text("\n".join(["id,label", *rows]))
    words = ("evaluate", "edges.csv", "--labels", "labels.csv", "--task", "clustering")
    assert "NMI" in own.run(*words, "--seeds", 1, *QUICK).stdout


def test_several_methods_each_once(shell):
    words = ("--method", "raw_features", "--method", "Smoothing", "--no-controls", "--seeds", 1)
    shell.run(*CLUSTERING, *words, "--json", "out.json")
    assert [report["method"] for report in written(shell)] == ["raw-features", "smoothing"]


def test_an_existing_json_is_refused_before_any_work(shell, monkeypatch):
    (shell.folder / "out.json").write_text("mine")
    monkeypatch.setattr("graphrank.cli.actions.evaluate.load_graph", pytest.fail)
    assert "out.json exists" in shell.mistake(*CLUSTERING, "--json", "out.json")
