"""Plans from YAML: what is read from a good one, what is said of a bad one."""

import re
from pathlib import Path

import pytest

from graphrank.ablation.plan import read_plan
from graphrank.ablation.variant import Variant
from graphrank.errors import ConfigError, GraphRankError
from graphrank.methods.registry import controls_of

ROOT = Path(__file__).parents[2]
SHIPPED = sorted((ROOT / "experiments" / "ablations").iterdir())
GOOD = """
title: What each piece adds
reference: default
datasets: [cora, "sbm:nodes=90,classes=3"]
tasks: [clustering]
seeds: 4
first_seed: 7
variants:
  default:
  plain: {preset: paper, settings: {margin: 1, epochs: 3}}
  smoothing: {method: Smoothing}
"""


@pytest.fixture
def read(tmp_path):
    """The plan that is read from a text."""

    def read(text):
        path = tmp_path / "v.yaml"
        path.write_text(text)
        return read_plan(path)

    return read


def test_a_good_file(read):
    plan = read(GOOD)
    assert plan.title == "What each piece adds"
    assert plan.datasets == ("cora", "sbm:nodes=90,classes=3") and plan.tasks == ("clustering",)
    assert list(plan.seed_range) == [7, 8, 9, 10]
    assert plan.variants == {
        "default": Variant(),
        "plain": Variant("graphrank", "paper", {"margin": 1.0, "epochs": 3}),
        "smoothing": Variant("smoothing"),
    }
    # The result line of 1 is another than that of 1.0.
    assert isinstance(plan.variants["plain"].settings["margin"], float)


def test_what_may_be_left_out(read):
    plan = read("{reference: a, datasets: [karate], variants: {a: {}}}")
    assert plan.tasks == ("node-classification", "link-prediction", "clustering")
    assert list(plan.seed_range) == [100, 101, 102]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("title:", "titel:", "there is no entry of the file 'titel'; did you mean 'title'?"),
        ("reference: default\n", "", "the file lacks its reference"),
        ("reference: default", "reference: defualt", "there is no variant 'defualt'; did you mean"),
        ("reference: default", "reference: 1", "reference 1 is no text; put it in quotes"),
        ("title: What each piece adds", "title: 7", "title 7 is no text; put it in quotes"),
        ("cora,", "coar,", "there is no dataset 'coar'; did you mean 'Cora'?"),
        ("cora,", "gone.csv,", "there is no file 'gone.csv'; check the path"),
        ("cora,", "mutag,", "MUTAG is a set of graphs and the tasks are about the nodes of one"),
        ("cora,", "cora, Cora,", "cora and Cora are the same dataset; leave out one of them"),
        ("cora,", "cora, cora,", "cora is twice in datasets; leave out one of them"),
        ("cora,", "1,", "1 in datasets is no word; put it in quotes"),
        ('[cora, "sbm:nodes=90,classes=3"]', "cora", "datasets has to be a list with at least one"),
        ('[cora, "sbm:nodes=90,classes=3"]', "[]", "datasets has to be a list with at least one"),
        ("[clustering]", "[clusterin]", "there is no task 'clusterin'; did you mean 'clustering'?"),
        ("[clustering]", "[]", "tasks has to be a list with at least one name, as in [node-"),
        ("[clustering]", "[clustering, graph-classification]",
         "graph-classification is about whole graphs and clustering about nodes; leave out one"),
        ("[clustering]", "[graph-classification]",
         "variant plain: there is no preset of graphrank-graph 'paper'; known are"),
        ("seeds: 4", "seeds: 0", "seeds 0 is no whole number of at least 1; mend it"),
        ("seeds: 4", "seeds: true", "seeds True is no whole number of at least 1; mend it"),
        ("first_seed: 7", "first_seed: -1", "first_seed -1 is no whole number of at least 0"),
        ("first_seed: 7", "first_seed: few", "first_seed 'few' is no whole number of at least 0"),
        ("  plain:", "  default:", "it has the name 'default' twice; leave out one of them"),
        ("  plain:", "  on:", "the variant True needs a word as its name; put it in quotes"),
        ("{method: Smoothing}", "smoothing", "variant smoothing: a variant has to be a mapping"),
        ("{method:", "{methd:", "variant smoothing: there is no entry of a variant 'methd'; did"),
        ("Smoothing", "smoothin", "variant smoothing: there is no method 'smoothin'; did you mean"),
        ("Smoothing", "[a]", "variant smoothing: its method ('a',) is no word; name a method"),
        ("Smoothing", "gcn", "variant smoothing: gcn is supervised and has no embedding to"),
        ("Smoothing", "infograph", "variant smoothing: infograph embeds whole graphs and the"),
        ("paper,", "papr,", "variant plain: there is no preset of graphrank 'papr'; did you mean"),
        ("margin:", "margn:", "variant plain: there is no option of GraphRank 'margn'; did you"),
        ("margin:", "1:", "variant plain: there is no option of GraphRank '1'; known are"),
        ("margin: 1", "margin: -1", "variant plain: margin=-1 is out of range; margin is at least"),
        ("margin: 1", "margin: [1]", "variant plain: margin takes float, not [1]; its default is"),
        ("margin: 1", "seed: 1", "variant plain: seed cannot be set: a variant is measured over"),
        ("margin: 1", "device: cpu", "variant plain: device cannot be set: the device changes no"),
        ("{margin: 1, epochs: 3}", "[1]", "variant plain: its settings have to be a mapping of"),
    ],
)  # fmt: skip
def test_mistakes_are_one_sentence_with_the_name_of_the_file(read, tmp_path, old, new, sentence):
    assert old in GOOD
    with pytest.raises(ConfigError, match=re.escape(f"{tmp_path / 'v.yaml'}: {sentence}")) as error:
        read(GOOD.replace(old, new, 1))
    assert "\n" not in str(error.value)


GRAPHS = """
reference: default
datasets: [mutag]
tasks: [graph-classification]
variants:
  default:
  nodes-too: {settings: {graph_weight: 1}}
  untrained: {method: untrained-gin}
"""


def test_a_plan_on_whole_graphs(read):
    """A method's name means its form for graphs there."""
    plan = read(GRAPHS)
    assert plan.level == "graph" and read(GOOD).level == "node"
    assert [each.method for each in plan.variants.values()] == [
        "graphrank-graph", "graphrank-graph", "untrained-gin",
    ]  # fmt: skip
    assert plan.variants["nodes-too"].settings == {"graph_weight": 1.0}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("mutag", "cora", "Cora is one graph and the tasks are about whole graphs; see `graphrank"),
        ("mutag", "mutag, MUTAG", "mutag and MUTAG are the same dataset; leave out one of them"),
        ("-gin", "", "variant untrained: untrained embeds nodes and the tasks are about whole"),
        ("untrained-gin", "gin", "variant untrained: gin is supervised and has no embedding to"),
        ("graph_weight", "neighbor_weight", "variant nodes-too: there is no option of GraphRankG"),
    ],
)
def test_mistakes_in_plans_on_whole_graphs(read, tmp_path, old, new, sentence):
    assert old in GRAPHS
    with pytest.raises(ConfigError, match=re.escape(f"{tmp_path / 'v.yaml'}: {sentence}")):
        read(GRAPHS.replace(old, new, 1))


def test_variants_of_one_level_are_refused_by_tasks_of_the_other(read):
    with pytest.raises(ConfigError, match="variant default: graphrank embeds nodes and the tasks"):
        read(GOOD).with_changes(tasks=["graph-classification"])
    with pytest.raises(ConfigError, match="variant default: graphrank-graph embeds whole graphs"):
        read(GRAPHS).with_changes(tasks=["clustering"])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[1, 2]", "the file has to be a mapping of names and values"),
        ("{a: ", "it is no YAML"),
        ("{reference: a, datasets: [karate]}", "variants names none; name at least the reference"),
        ("{reference: a, variants: [a]}", "its entry variants has to be a mapping of names and"),
    ],
)
def test_what_is_no_plan_at_all(read, text, sentence):
    with pytest.raises(ConfigError, match=sentence):
        read(text)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ConfigError, match=r"there is no file '.*gone.yaml'; check the path"):
        read_plan(tmp_path / "gone.yaml")


def test_parts_can_be_replaced_and_the_reference_stays(read):
    plan = read(GOOD)
    assert plan.with_changes() == plan
    changed = plan.with_changes(
        datasets=["karate"], tasks=["link-prediction"], variants=["smoothing"], first_seed=0
    )
    assert list(changed.variants) == ["default", "smoothing"]
    assert (changed.datasets, changed.tasks) == (("karate",), ("link-prediction",))
    assert list(changed.seed_range) == [0, 1, 2, 3]
    assert list(plan.with_changes(seeds=1).seed_range) == [7]


@pytest.mark.parametrize(
    "changes",
    [{"datasets": ["karrate"]}, {"tasks": ["links"]}, {"variants": ["plian"]}, {"seeds": 0}],
)
def test_replacements_are_checked_as_well(read, changes):
    with pytest.raises(GraphRankError):
        read(GOOD).with_changes(**changes)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_file_that_is_shipped_is_valid(path):
    plan = read_plan(path)
    assert path.suffix == ".yaml" and plan.title
    assert set(controls_of(plan.level)[:2]) <= set(
        plan.variants
    )  # without controls a gain means nothing
    assert plan.first_seed >= 100  # published figures are of small seeds
