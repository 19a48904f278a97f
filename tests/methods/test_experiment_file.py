"""The format of experiment files: what is read from a good one, what is said of a bad one."""

import pytest

from graphrank.errors import ConfigError
from graphrank.methods.experiment_file import PublishedFigure, read_experiment
from graphrank.methods.graphrank import GraphRank

GOOD = """
# whose settings these are
method: graphrank
dataset: karate
settings: {learning_rate: 5e-4, margin: 1, channels: 128, act: prelu}
published:
  - {task: clustering, metric: nmi, value: 83.3, std: null, split: none, source: "Doe 2020"}
  - {task: clustering, metric: nmi, value: 81, std: 0.4, split: "all, twice", source: "Roe 2021"}
"""


@pytest.fixture
def write(tmp_path):
    """Write a file into a folder of methods and give its path."""

    def write(text, name="karate.yaml", folder="graphrank"):
        path = tmp_path / folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    return write


def test_a_good_file(write):
    found = read_experiment(write(GOOD), GraphRank)
    assert (found.method, found.dataset) == ("graphrank", "karate")
    assert found.settings == {
        "learning_rate": 5e-4,
        "margin": 1.0,
        "channels": 128,
        "act": "prelu",
    }
    # The result line of 1 is another than that of 1.0.
    assert [type(value) for value in found.settings.values()] == [float, float, int, str]
    assert found.published[0] == PublishedFigure(
        "clustering", "nmi", 83.3, None, "none", "Doe 2020"
    )
    assert (found.published[1].value, found.published[1].std) == (81, 0.4)
    assert GraphRank(**found.settings).act == "prelu"


@pytest.mark.parametrize(
    ("text", "number"),
    [("1e-3", 1e-3), ("2E5", 2e5), ("1.5e-4", 1.5e-4), ("+1e+2", 100.0), ("0.25", 0.25), ("3.", 3)],
)
def test_numbers_as_people_write_them(write, text, number):
    file = write(GOOD.replace("5e-4", text))
    assert read_experiment(file, GraphRank).settings["learning_rate"] == number


@pytest.mark.parametrize(("line", "asked"), [("", False), ("only_when_asked: true", True)])
def test_settings_that_have_to_be_asked_for(write, line, asked):
    assert read_experiment(write(GOOD + line), GraphRank).only_when_asked is asked


def test_presets_of_the_dataset(write):
    found = read_experiment(write(GOOD + "presets: {paper: {margin: 1, epochs: 3}}\n"), GraphRank)
    assert found.presets == {"paper": {"margin": 1.0, "epochs": 3}}
    assert type(found.presets["paper"]["margin"]) is float
    assert read_experiment(write(GOOD), GraphRank).presets == {}


def test_nothing_published_and_nothing_set(write):
    text = "{method: graphrank, dataset: karate, settings: {}, published: []}"
    found = read_experiment(write(text), GraphRank)
    assert (found.settings, found.published) == ({}, ())


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "dataset: karate",
            "dataset: karate\nonly_when_asked: 1",
            "only_when_asked has to be true or false",
        ),
        ("dataset: karate", "dataset: karate\npresets: [paper]", "presets have to be a mapping"),
        (
            "dataset: karate",
            "dataset: karate\npresets: {papr: {}}",
            "no preset of graphrank 'papr'; did you mean 'paper'",
        ),
        ("dataset: karate", "dataset: karate\npresets: {paper: {margn: 1}}", "no option .*'margn'"),
        (
            "dataset: karate",
            "dataset: karate\npresets: {paper: 3}",
            "settings have to be a mapping",
        ),
        ("margin: 1", "margn: 1", "no option of GraphRank 'margn'; did you mean 'margin'"),
        ("margin: 1", "margin: -1", "margin=-1 is out of range"),
        ("channels: 128", "channels: 1.5", "channels takes int, not 1.5"),
        ("method: graphrank", "method: grace", "for the method 'grace', lies in .* 'graphrank'"),
        ("dataset: karate", "dataset: cora", "the dataset 'cora' and bears the name 'karate'"),
        ("method: graphrank\n", "", "the file lacks its method"),
        ("published:", "publshed:", "did you mean 'published'"),
        ("settings: {", "settings: [{", "no YAML"),
        (', source: "Doe 2020"', "", "a published figure lacks its source"),
        (", split: none", "", "a published figure lacks its split"),
        ("split: none", "split: ''", "needs its split in words"),
        ("split: none", "split: 10", "needs its split in words"),
        ("metric: nmi", "metirc: nmi", "did you mean 'metric'"),
        ("value: 83.3", "value: much", "a number as value"),
        ("value: 83.3", "value: true", "a number as value"),
        ("std: null", "std: small", "a number or null as std"),
    ],
)
def test_one_sentence_for_a_mistake(write, old, new, words):
    assert GOOD.count(old) >= 1
    file = write(GOOD.replace(old, new, 1))
    with pytest.raises(ConfigError, match=words) as error:
        read_experiment(file, GraphRank)
    assert str(error.value).startswith("graphrank/karate.yaml: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- 1", "the file has to be a mapping of method, dataset"),
        ("{method: graphrank, dataset: karate, settings: 3, published: []}", "settings have to be"),
        ("{method: graphrank, dataset: karate, settings: {}, published: {}}", "to be a list"),
        ("{method: graphrank, dataset: karate, settings: {}, published: [3]}", "published figure"),
    ],
)
def test_another_shape(write, text, words):
    with pytest.raises(ConfigError, match=words):
        read_experiment(write(text), GraphRank)


def test_a_file_of_another_name_or_in_another_folder(write):
    with pytest.raises(ConfigError, match=r"no dataset 'karat'; did you mean 'karate'"):
        read_experiment(write(GOOD, "karat.yaml"), GraphRank)
    with pytest.raises(ConfigError, match="lies in the folder 'grace'"):
        read_experiment(write(GOOD, folder="grace"), GraphRank)
