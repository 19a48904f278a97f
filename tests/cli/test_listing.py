"""``graphrank list``."""

from graphrank.data import CATALOG
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


def test_methods_with_cost_paper_and_presets(shell):
    text = shell.run("list", "methods").stdout
    for name in METHODS:
        assert row(text, name)
    assert "default, paper" in row(text, "graphrank")
    assert "Hu et al." in row(text, "graphrank")


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
    assert "did you mean 'graphrank'?" in shell.mistake("list", "options", "graphrang")
