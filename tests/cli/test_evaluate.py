"""``graphrank evaluate``: the table, the JSON and the result lines say the same."""

import json

import pytest

from graphrank.methods import experiments
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


AUTHORS = ("--method", "graphrank", "--method", "smoothing", "--preset", "authors", "--seeds", 1)


@pytest.fixture
def authors(shell, tmp_path_factory, monkeypatch):
    """A shell where the authors of GraphRank have settings for karate."""
    folder = tmp_path_factory.mktemp("experiments")
    monkeypatch.setattr("graphrank.methods.experiments.FOLDER", folder)
    (folder / "graphrank").mkdir()
    text = "method: graphrank\ndataset: karate\nsettings: {margin: 0.5}\npublished: []\n"
    (folder / "graphrank" / "karate.yaml").write_text(text)
    return shell


def test_the_authors_settings_of_every_method(authors):
    words = (*AUTHORS, *QUICK, "--json", "out.json", "--no-controls")
    result = authors.run(*CLUSTERING, *words)
    graphrank, smoothing = written(authors)
    assert graphrank["preset"] == "authors" and graphrank["config"]["method"]["margin"] == 0.5
    assert smoothing["preset"] == "default"
    assert "graphrank (authors)" in result.stdout
    assert "no settings of its authors" not in result.stderr


def test_the_authors_settings_unless_something_else_is_asked_for(authors):
    words = ("--seeds", 1, "--set", "epochs=1", "--no-controls", "--json", "out.json")
    result = authors.run(*CLUSTERING, *words)
    report = written(authors)
    assert report["preset"] == "authors" and report["config"]["method"]["margin"] == 0.5
    line = "graphrank: as its authors set it for karate (--preset default: not so)"
    assert result.stderr.splitlines().count(line) == 1
    authors.run(*CLUSTERING, *words, "--overwrite", "--preset", "default")
    report = written(authors)
    assert report["preset"] == "default" and report["config"]["method"]["margin"] == 1.0


def test_where_the_authors_say_nothing_a_line_says_so_once(authors):
    words = ("evaluate", "digits", "--task", "clustering", *AUTHORS, *QUICK, "--no-controls")
    result = authors.run(*words)
    line = "graphrank has no settings of its authors on digits; its defaults are taken"
    assert result.stderr.splitlines().count(line) == 1
    assert "(authors)" not in result.stdout


def test_a_broken_experiment_file_is_one_sentence(authors, monkeypatch):
    monkeypatch.setattr("graphrank.cli.actions.evaluate.load_source", pytest.fail)
    folder = experiments.FOLDER / "smoothing"
    folder.mkdir()
    (folder / "karate.yaml").write_text("method: smoothing\n")
    sentence = authors.mistake(*CLUSTERING, *AUTHORS)
    assert sentence == "smoothing/karate.yaml: the file lacks its dataset"


def test_an_existing_json_is_refused_before_any_work(shell, monkeypatch):
    (shell.folder / "out.json").write_text("mine")
    monkeypatch.setattr("graphrank.cli.actions.evaluate.load_source", pytest.fail)
    assert "out.json exists" in shell.mistake(*CLUSTERING, "--json", "out.json")


def test_supervised_and_self_supervised_methods_in_one_table(shell):
    graph = "sbm:nodes=60,classes=2"
    words = ("--task", "node-classification", "--seeds", 1, "--no-controls", *QUICK[:4])
    methods = ("--method", "gat", "--method", "gcn", "--method", "graphrank")
    result = shell.run("evaluate", graph, *words, *methods, "--json", "out.json")
    reports = written(shell)
    assert [report["method"] for report in reports] == ["gat", "gcn", "graphrank"]
    lines = {line.split()[0]: line for line in result.stdout.splitlines() if line.strip()}
    for report in reports:
        assert f"{report['metrics']['accuracy']['mean']:.2f}" in lines[report["method"]]
    for name in ("gcn", "gat"):
        assert "supervised" in lines[name]
    assert "supervised" not in lines["graphrank"]


@pytest.mark.parametrize("task", ["clustering", "link-prediction"])
def test_supervised_methods_have_no_embeddings_to_judge(shell, monkeypatch, task):
    monkeypatch.setattr("graphrank.cli.actions.evaluate.load_source", pytest.fail)
    words = ("evaluate", "karate", "--task", task, "--method", "graphrank", "--method", "gcn")
    assert shell.mistake(*words) == (
        f"gcn is supervised: it predicts classes and has no embeddings for {task}; "
        "use --task node-classification or a self-supervised method"
    )


def test_an_option_of_another_method_is_set_by_its_name(shell):
    words = ("--method", "graphrank", "--method", "bgrl", "--seeds", 1, "--no-controls", *QUICK)
    shell.run(*CLUSTERING, *words, "--set", "bgrl.epochs=1", "--json", "out.json")
    first, second = written(shell)
    assert first["config"]["method"]["epochs"] != 1
    assert second["config"]["method"]["epochs"] == 1
    assert "add --method grace" in shell.mistake(*CLUSTERING, *words, "--set", "grace.epochs=1")
