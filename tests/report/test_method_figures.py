"""Figures of a method as Markdown: from result lines and experiment files, and nothing else."""

import pytest

from graphrank.methods import experiments
from graphrank.methods.experiment_file import PublishedFigure
from graphrank.methods.graphrank import GraphRank
from graphrank.report import method_figures as method_figures_module
from graphrank.report.method_figures import method_figures
from tests.report.results_for_tests import make_result

FIGURES = (
    "{task: clustering, metric: nmi, value: 61.5, std: 0.4, split: all | some, source: Doe 2020}",
    "{task: clustering, metric: ari, value: 50.0, std: null, split: all | some, source: Doe 2020}",
    "{task: clustering, metric: nmi, value: 60, std: null, split: all | some, source: Roe 2021}",
    "{task: node-classification, metric: accuracy, value: 81.5, std: null, split: public, "
    "source: Doe 2020}",
)


def publish(folder, dataset):
    """Write the same figures and settings for a dataset."""
    lines = [f"- {figure}" for figure in FIGURES]
    head = ["method: graphrank", f"dataset: {dataset}", "settings: {epochs: 7}", "published:"]
    (folder / f"{dataset}.yaml").write_text("\n".join([*head, *lines]))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(experiments, "FOLDER", tmp_path)
    monkeypatch.setattr(method_figures_module, "paper_figures", lambda method: [])
    (tmp_path / "graphrank").mkdir()
    return tmp_path / "graphrank"


def configured(preset="default", dataset="karate", **changes):
    """The configuration that a run with a preset leaves in its line."""
    params = GraphRank.from_preset(preset, changes, dataset=dataset).get_params()
    return {"method": {k: v for k, v in params.items() if k not in ("seed", "device")}, "task": {}}


def measured(values, dataset="karate", preset="default", **changes):
    if "config" not in changes:
        changes["config"] = configured(preset, dataset)
    return make_result("graphrank", values, dataset=dataset, preset=preset, **changes)


def rows(text):
    """The cells of all lines of tables but their heads."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    return [row for row in cells if row[0] not in ("dataset", "---")]


def test_nothing_at_all(folder):
    for results in ([], [make_result("smoothing", [1.0])], [measured([1.0], task="sweep:margin")]):
        text = method_figures(GraphRank, results)
        assert text.startswith("Nothing was measured here yet.") and "|" not in text


def test_graphrank_stands_beside_its_own_paper(folder, monkeypatch):
    printed = PublishedFigure("clustering", "nmi", 64.98, None, "not described", "Hu et al. 2024")
    monkeypatch.setattr(
        method_figures_module,
        "paper_figures",
        lambda method: [("Cora", printed)] if method == "graphrank" else [],
    )
    assert rows(method_figures(GraphRank, [measured([50.0, 52.0], dataset="Cora")])) == [
        ["Cora", "`kmeans`", "51.00 ± 1.41", "**measured here**: preset `default`, 2 seeds"],
        ["Cora", "not described", "64.98", "Hu et al. 2024"],
    ]


def test_published_alone(folder):
    publish(folder, "cora")
    text = method_figures(GraphRank, [])
    assert len(rows(text)) == 3 and "Nothing was measured here yet." in text
    assert "Nothing" not in method_figures(GraphRank, [measured([1.0])])


def test_ours_before_the_published_ones_dataset_by_dataset(folder):
    for dataset in ("cora", "karate"):
        publish(folder, dataset)
    results = [
        measured([50.0, 52.0]),
        make_result("smoothing", [99.0]),
        measured([70.0], dataset="mine"),
        measured([60.0, 61.0, 62.0], dataset="Cora", preset="authors"),
    ]
    text = method_figures(GraphRank, results)
    head, below = text.split("### Clustering")
    assert head.startswith("### Node classification\n\n| dataset | split | accuracy | from |\n")
    assert rows(head) == [
        ["Cora", "public", "81.5", "Doe 2020"],
        ["karate", "public", "81.5", "Doe 2020"],
    ]
    assert "| dataset | split | NMI | ARI | from |" in below
    ours = "**measured here**: preset `{}`, {}"
    assert rows(below) == [
        ["Cora", "`kmeans`", "61.00 ± 1.00", "–", ours.format("authors", "3 seeds")],
        ["Cora", r"all \| some", "61.5 ± 0.4", "50.0", "Doe 2020"],
        ["Cora", r"all \| some", "60", "–", "Roe 2021"],
        ["karate", "`kmeans`", "51.00 ± 1.41", "–", ours.format("default", "2 seeds")],
        ["karate", r"all \| some", "61.5 ± 0.4", "50.0", "Doe 2020"],
        ["karate", r"all \| some", "60", "–", "Roe 2021"],
        ["mine", "`kmeans`", "70.00", "–", ours.format("default", "1 seed")],
    ]


def test_what_differs_from_the_preset_is_said(folder):
    publish(folder, "karate")
    other = configured("authors", margin=0.5)
    other["task"] = {"probe": "adam", "epoch_selection": "validation", "select_every": 10}
    lines = [
        measured([1.0], preset="authors"),
        measured([2.0], preset="authors", config=configured("authors", epochs=8, margin=0.5)),
        measured(
            [3.0],
            metric="accuracy",
            preset="authors",
            task="node-classification",
            protocol="random-10-10-80",
            config=other,
        ),
        measured([4.0], preset="forgotten", config=configured()),
    ]
    found = [row[-1] for row in rows(method_figures(GraphRank, lines)) if "measured" in row[-1]]
    here = "**measured here**: preset "
    assert found == [
        here + "`authors`, `margin=0.5`, `probe=adam`, `epoch_selection=validation`, 1 seed",
        here + "`authors`, 1 seed",
        here + "`authors`, `epochs=8`, `margin=0.5`, 1 seed",
        here + "`forgotten`, 1 seed",
    ]


def test_diagnostic_protocols_are_marked_and_other_tasks_left_out(folder):
    lines = [
        measured([2.0], protocol="label-means", diagnostic=True),
        measured([1.0]),
        measured([9.0], task="sweep:margin"),
    ]
    found = rows(method_figures(GraphRank, lines))
    assert [row[1:3] for row in found] == [
        ["`kmeans`", "1.00"],
        ["`label-means` [diagnostic]", "2.00"],
    ]
