"""``graphrank list``."""

import io

from rich.console import Console

from graphrank.data import CATALOG
from graphrank.methods import experiments
from graphrank.methods.experiments import experiment_paths
from graphrank.methods.options import option_rows
from graphrank.methods.registry import METHODS
from graphrank.tasks.registry import TASKS


def row(text, name):
    return next(line.rstrip() for line in text.splitlines() if line.split()[:1] == [name])


def test_datasets_with_size_licence_and_whether_they_are_there(shell):
    text = shell.run("list", "datasets").stdout
    for name in CATALOG:
        assert row(text, name)
    assert "2,708" in row(text, "Cora")
    assert "CC BY 4.0" in row(text, "digits")
    assert row(text, "digits").endswith("yes")
    assert row(text, "Cora").endswith("no")


def test_a_dataset_in_the_data_root_is_there(shell):
    raw = shell.folder / "root" / "Photo" / "raw"
    raw.mkdir(parents=True)
    (raw / CATALOG["Photo"].files[0]).write_bytes(b"")
    text = shell.run("list", "datasets", "--data-root", "root").stdout
    assert row(text, "Photo").endswith("yes")
    assert "data root" in shell.mistake("list", "datasets", "--data-root", "nowhere")


def test_methods_with_level_family_cost_presets_and_paper(shell):
    text = shell.run("list", "methods").stdout
    for name, method in METHODS.items():
        cells = row(text, name).split()
        assert cells[1:3] == [method.info.level, method.info.family]
        assert cells[-1] == method.info.short_paper.split()[-1]
        first = [*method.presets, *(["authors"] if experiment_paths(method) else []), "–"][0]
        assert first in cells
    for name in ("gcn", "gat", "appnp"):
        assert row(text, name).split()[:3] == [name, "node", "supervised"]
    assert " ".join(row(text, "graphrank").split()[3:]) == "O((N+E)d) O((N+E)d) yes paper Hu 2024"
    assert "every method has the presets default and auto" in text


def test_the_methods_fit_a_terminal_of_a_hundred_columns(shell, monkeypatch):
    """No name is broken, and few rows take more than one line."""
    console = Console(width=100, file=io.StringIO(), highlight=False)
    monkeypatch.setattr("graphrank.cli.actions.listing.output", lambda: console)
    shell.run("list", "methods")
    lines = console.file.getvalue().splitlines()
    assert max(map(len, lines)) <= 100
    for name, method in METHODS.items():
        line = next(line for line in lines if line.split()[:1] == [name])
        assert line.split()[2] == method.info.family
    assert len(lines) < 2 * len(METHODS) + 14


def test_tasks_with_protocols_and_what_they_select_on(shell):
    text = shell.run("list", "tasks").stdout
    for name, task in TASKS.items():
        assert row(text, name)
        for protocol in task.protocols.values():
            assert protocol.name in text
            assert protocol.selects_on in text


def test_options_of_a_method(shell):
    text = shell.run("list", "options", "graphrank").stdout
    for name, option in option_rows(METHODS["graphrank"]).items():
        assert str(option.default) in row(text, name)
    assert "preset paper: encoder=gcn" in text
    assert "paper: Hu et al., Graph Ranking Contrastive Learning, 2024" in text
    assert "time of an epoch: O((N+E)d)" in text
    assert "did you mean 'graphrank'?" in shell.mistake("list", "options", "graphrang")


def test_settings_of_the_authors_by_dataset(shell, monkeypatch, tmp_path):
    monkeypatch.setattr(experiments, "FOLDER", tmp_path)
    (tmp_path / "smoothing").mkdir()
    for dataset, settings in (("cora", "{rank: 7, num_hops: 3}"), ("photo", "{}")):
        text = f"method: smoothing\ndataset: {dataset}\nsettings: {settings}\npublished: []\n"
        (tmp_path / "smoothing" / f"{dataset}.yaml").write_text(text)
    text = shell.run("list", "options", "smoothing").stdout
    assert "preset authors on Cora: rank=7, num_hops=3" in text
    assert "preset authors on Photo: the defaults" in text


def test_presets_of_a_dataset(shell):
    text = " ".join(shell.run("list", "options", "seegera").stdout.split())
    assert "preset links: decoder_layers=3" in text
    assert "preset links on CiteSeer: encoder_layers=1, decoder_layers=2" in text
    assert "preset links on Cora" not in text
