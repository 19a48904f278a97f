"""The preset `authors`, and all experiment files that there are."""

import logging
import tomllib
from pathlib import Path

import pytest

from graphrank.methods import experiments
from graphrank.methods.experiment_file import read_experiment
from graphrank.methods.experiments import (
    FOLDER,
    experiment_for,
    experiment_paths,
    experiments_of,
    preset_in_force,
)
from graphrank.methods.graphrank import GraphRank
from graphrank.methods.registry import METHODS, make_method, method_class
from graphrank.methods.seegera import SeeGera
from graphrank.tasks.registry import TASKS

ROOT = Path(__file__).parents[2]
ALL_FILES = sorted((ROOT / "experiments").glob("*/*"))
# These folders hold ablations and the paper's own tables and figures, in formats of their own.
OTHERS = ("ablations", "published", "reproduce")
FILES = [path for path in ALL_FILES if path.parent.name not in OTHERS]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """An own folder of experiment files, with one of GraphRank on karate."""
    monkeypatch.setattr(experiments, "FOLDER", tmp_path)
    write(tmp_path, "graphrank", "karate", "{margin: 0.25, epochs: 7}")
    return tmp_path


def write(folder, method, dataset, settings, more=""):
    (folder / method).mkdir(exist_ok=True)
    text = f"method: {method}\ndataset: {dataset}\nsettings: {settings}\npublished: []\n{more}"
    (folder / method / f"{dataset}.yaml").write_text(text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_file_fits_its_method(path):
    assert path.suffix == ".yaml"
    found = read_experiment(path, method_class(path.parent.name))
    model = make_method(found.method, "authors", dataset=found.dataset)
    assert {name: getattr(model, name) for name in found.settings} == found.settings
    assert not {"seed", "device"} & set(found.settings)
    for preset, settings in found.presets.items():
        model = make_method(found.method, preset, dataset=found.dataset)
        assert {name: getattr(model, name) for name in settings} == settings
        assert not {"seed", "device"} & set(settings)
    for figure in found.published:
        assert figure.metric in TASKS[figure.task].metrics
        assert 0 < figure.value <= 100 and (figure.std is None or 0 <= figure.std < 20)
    assert path.read_text().startswith("# ")  # whose settings these are


def test_every_file_is_found_and_goes_into_a_package():
    assert FILES
    found = [path for method in METHODS.values() for path in experiment_paths(method).values()]
    assert {path.resolve() for path in found} == set(FILES)
    assert FOLDER.samefile(ROOT / "experiments")
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = settings["tool"]["setuptools"]["package-data"]["graphrank"]
    packed = {path for pattern in patterns for path in (ROOT / "src/graphrank").glob(pattern)}
    assert set(ALL_FILES) <= {path.resolve() for path in packed}


@pytest.mark.parametrize("name", ["karate", "Karate", "karate_club"])
def test_authors_by_any_name_of_the_dataset(files, name):
    model = make_method("graphrank", "authors", dataset=name)
    assert (model.margin, model.epochs, model.channels) == (0.25, 7, 512)
    assert make_method("graphrank", "authors", {"epochs": 3}, dataset=name).epochs == 3
    assert preset_in_force(GraphRank, "authors", name) == "authors"


@pytest.mark.parametrize(
    ("dataset", "words"),
    [("cora", "on cora"), ("edges.csv", "on edges.csv"), (None, "without the name of a dataset")],
)
def test_the_defaults_and_a_line_where_the_authors_say_nothing(files, caplog, dataset, words):
    with caplog.at_level(logging.INFO, "graphrank"):
        model = make_method("graphrank", "authors", dataset=dataset)
    assert model.get_params() == GraphRank().get_params()
    expected = f"graphrank has no settings of its authors {words}; its defaults are taken"
    assert caplog.messages == [expected]
    assert preset_in_force(GraphRank, "authors", dataset) == "default"
    assert preset_in_force(GraphRank, "paper", dataset) == "paper"


def test_nobody_misses_settings_of_a_control(files, caplog):
    with caplog.at_level(logging.INFO, "graphrank"):
        make_method("smoothing", "authors", dataset="karate")
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("more", "preset", "margin"),
    [("", "authors", 0.25), ("only_when_asked: false\n", "authors", 0.25),
     ("only_when_asked: true\n", "default", 1.0)],
)  # fmt: skip
def test_auto_takes_the_authors_settings_where_they_need_not_be_asked_for(
    files, caplog, more, preset, margin
):
    write(files, "graphrank", "karate", "{margin: 0.25, epochs: 7}", more)
    with caplog.at_level(logging.INFO, "graphrank"):
        assert make_method("graphrank", "auto", dataset="karate").margin == margin
    told = ["graphrank: as its authors set it for karate (--preset default: not so)"]
    assert caplog.messages == (told if preset == "authors" else [])
    assert preset_in_force(GraphRank, "auto", "karate") == preset
    # Whoever asks for them has them.
    assert make_method("graphrank", "authors", dataset="karate").margin == 0.25
    assert preset_in_force(GraphRank, "authors", "karate") == "authors"


@pytest.mark.parametrize("dataset", ["cora", "edges.csv", None])
def test_auto_is_the_default_elsewhere_and_says_nothing(files, caplog, dataset):
    with caplog.at_level(logging.INFO, "graphrank"):
        model = make_method("graphrank", "auto", {"epochs": 3}, dataset=dataset)
    assert model.get_params() == GraphRank(epochs=3).get_params()
    assert caplog.messages == []
    assert preset_in_force(GraphRank, "auto", dataset) == "default"


def test_a_preset_may_have_other_options_on_a_dataset(files):
    write(files, "seegera", "cora", "{epochs: 3}", "presets: {links: {edge_mask: 0.7}}\n")
    write(files, "seegera", "photo", "{epochs: 3}")
    links = {dataset: make_method("seegera", "links", dataset=dataset)
             for dataset in ("cora", "photo", "edges.csv", None)}  # fmt: skip
    usual = make_method("seegera", "links").get_params()
    assert usual["edge_mask"] != 0.7
    # They are in place of the preset's own, not on top of them.
    assert links["cora"].get_params() == SeeGera(edge_mask=0.7).get_params()
    for dataset in ("photo", "edges.csv", None):
        assert links[dataset].get_params() == usual
    assert make_method("seegera", "authors", dataset="cora").edge_mask == SeeGera().edge_mask
    asked = make_method("seegera", "links", {"edge_mask": 0.1}, dataset="cora")
    assert asked.edge_mask == 0.1
    assert preset_in_force(SeeGera, "links", "cora") == "links"


@pytest.mark.parametrize("name", ["gin", "diffpool"])
def test_hours_of_supervised_training_have_to_be_asked_for(name):
    assert make_method(name, "auto", dataset="mutag").stop == "validation"
    assert make_method(name, "authors", dataset="mutag").stop == "none"


def test_files_in_the_order_of_the_catalog(files):
    for dataset in ("cs", "cora", "imdb-binary"):
        write(files, "graphrank", dataset, "{}")
    assert list(experiment_paths(GraphRank)) == ["Cora", "CS", "IMDB-BINARY", "karate"]
    assert [each.dataset for each in experiments_of(GraphRank)] == list(experiment_paths(GraphRank))
    assert experiment_for(GraphRank, "coauthor-cs").dataset == "CS"
    assert experiment_for(GraphRank, "pubmed") is None
