"""Items: the files of this repository, and what is wrong with others."""

from dataclasses import replace

import pytest

from graphrank.errors import ConfigError
from graphrank.methods.registry import CONTROLS, METHODS
from graphrank.reproduce.cells import NOT_YET, Selection, cells_of, row_label
from graphrank.reproduce.item import parse_item
from graphrank.reproduce.items import all_items, chosen_items, read_item
from graphrank.reproduce.published import printed
from graphrank.reproduce.wanted import Stored
from tests.reproduce.lines import line_for

NAMES = {
    "table-complexity", "table-node-classification", "table-link-prediction",
    "table-graph-classification", "table-clustering", "table-training-time", "table-convergence",
    "figure-false-negatives", "figure-intra-class-variance", "figure-inter-class-distance",
    "figure-negative-count", "figure-training-efficiency", "figure-margin",
}  # fmt: skip
LEAST = {
    "title": "t", "order": 1, "kind": "comparison", "about": "a", "metrics": ["accuracy"],
    "seeds": 2, "methods": [{"name": "smoothing"}],
}  # fmt: skip


def test_all_items_are_there_in_order():
    items = all_items()
    assert set(items) == NAMES
    assert [item.order for item in items.values()] == sorted(item.order for item in items.values())
    assert len({item.order for item in items.values()}) == len(items)
    assert chosen_items("all") == list(items.values())


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_cell_has_work_or_a_reason(name):
    cells = cells_of(all_items()[name])
    assert cells
    for cell in cells:
        assert (cell.job is None) == bool(cell.reason)
        assert cell.row.name.removesuffix("-oracle") in METHODS or cell.reason
        assert cell.seeds == tuple(range(len(cell.seeds)))
        assert 1 <= len(cell.seeds) <= all_items()[name].seeds
        assert cell.reason != NOT_YET


@pytest.mark.parametrize("name", sorted(NAMES))
def test_no_two_rows_of_a_table_have_one_name(name):
    """One of them would hide the other."""
    labels = [row_label(row) for row in all_items()[name].methods]
    assert len(labels) == len(set(labels))


def test_a_method_in_two_rows_has_a_name_for_each():
    cells = cells_of(all_items()["table-graph-classification"], Selection(("MUTAG",), ("gin",)))
    assert [(cell.label, cell.row.preset) for cell in cells] == [
        ("GIN", "authors"),
        ("GIN, early stop", "default"),
    ]


@pytest.mark.parametrize("name", sorted(NAMES))
def test_published_names_are_in_the_published_table(name):
    """A name with a slip in it would show nothing instead of failing."""
    item = all_items()[name]
    metrics = {"pace": ("seconds_per_1000_epochs_v100",), "convergence": ("epochs", "time")}
    for row in item.methods:
        if row.published is None or item.kind == "scaling":
            continue
        figures = [
            printed(item, row, dataset, metric)
            for dataset in item.datasets
            for metric in metrics.get(item.kind, item.metrics)
        ]
        assert any(figures), (name, row.name)


def test_known_figures_of_the_paper():
    item = all_items()["table-node-classification"]
    figure = printed(item, item.methods[0], "PubMed", "accuracy")
    assert (figure.value, figure.std, figure.text) == (85.75, 0.16, "85.75 ± 0.16")
    bgrl = next(row for row in item.methods if row.name == "bgrl")
    assert printed(item, bgrl, "Cora", "accuracy") is None  # a dash


def read_as(*readings, **changes):
    """A comparison with these readings, each ``(seeds, methods)``."""
    entries = [
        {"name": f"r{place}", "title": "t", "protocol": "public", "same_protocol": True,
         **({"seeds": seeds} if seeds else {}), **({"methods": methods} if methods else {})}
        for place, (seeds, methods) in enumerate(readings)
    ]  # fmt: skip
    rows = [{"name": "graphrank"}, {"name": "graphrank", "preset": "paper", "seeds": 2}]
    item = {**LEAST, "seeds": 4, "methods": rows, "readings": entries, "datasets": ["Cora"]}
    return parse_item("x", {**item, "task": "node-classification", **changes})


def test_a_reading_or_a_row_may_want_fewer_seeds():
    cells = cells_of(read_as((None, None), (1, None), (3, None)))
    wanted = {(cell.reading, cell.row.preset): len(cell.seeds) for cell in cells}
    assert wanted == {
        ("r0", "default"): 4, ("r0", "paper"): 2, ("r1", "default"): 1, ("r1", "paper"): 1,
        ("r2", "default"): 3, ("r2", "paper"): 2,
    }  # fmt: skip
    asked = cells_of(read_as((1, None)), Selection(seeds=5))
    assert {len(cell.seeds) for cell in asked} == {5}


def test_a_reading_may_take_one_preset_of_a_method():
    item = read_as(
        (None, ["graphrank/default"]), (None, ["graphrank"]), (None, ["graphrank/paper"])
    )
    found = [(cell.reading, cell.row.preset) for cell in cells_of(item)]
    assert found == [("r0", "default"), ("r1", "default"), ("r1", "paper"), ("r2", "paper")]


@pytest.mark.parametrize("task", ["node-classification", "link-prediction", "clustering"])
def test_controls_stand_in_every_reading(task):
    """A figure that a control has as well is none of the method's, however it was measured."""
    item = all_items()[f"table-{task}"]
    for reading in item.readings:
        taken = {row.name for row in item.methods if reading.takes(row)}
        assert set(CONTROLS) <= taken, reading.name


def test_seegera_has_its_settings_for_links_where_links_are_predicted():
    """The files of its authors' settings are for classification alone."""
    cells = [
        cell
        for cell in cells_of(all_items()["table-link-prediction"])
        if cell.row.name == "seegera"
    ]
    assert {(cell.reading, cell.row.preset) for cell in cells} == {
        ("clean", "links"), ("one-scorer", "links"),
    }  # fmt: skip


def test_a_selection_restricts():
    item = all_items()["table-node-classification"]
    cells = cells_of(item, Selection.of(["amazon-photo"], ["GRACE"], 2))
    assert [(c.dataset, c.row.name, c.seeds) for c in cells] == [("Photo", "grace", (0, 1))]
    study = cells_of(all_items()["figure-false-negatives"], Selection(("Cora",), ("grace",)))
    assert [cell.row.name for cell in study] == ["grace", "grace-oracle"]


def test_a_row_may_be_of_some_datasets():
    item = all_items()["table-node-classification"]
    first, second, *_ = item.methods
    some = replace(item, methods=(first, replace(second, datasets=("Photo", "CS"))))
    found = {(cell.row.name, cell.dataset) for cell in cells_of(some) if cell.reading == "stated"}
    assert found == {
        *((first.name, dataset) for dataset in item.datasets),
        (second.name, "Photo"), (second.name, "CS"),
    }  # fmt: skip
    study = cells_of(all_items()["figure-false-negatives"])
    places = [(cell.row.name, cell.dataset) for cell in study]
    assert len(places) == len(set(places)) == 4 * 3  # each graph has one GRACE and one oracle of it


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"kind": "comparisn"}, "there is no kind of item 'comparisn'; did you mean 'comparison'"),
        ({"titel": "t"}, "there is no entry of the file 'titel'; did you mean 'title'"),
        ({"methods": [{"preset": "x"}]}, "methods lacks its name"),
        ({"methods": ["smoothing"]}, "methods has to be a mapping"),
    ],
)
def test_what_is_wrong_with_an_item_is_said(change, sentence):
    with pytest.raises(ConfigError, match=sentence.replace("?", r"\?")):
        parse_item("x", {**LEAST, **change})


def test_what_lacks_and_what_is_no_yaml(tmp_path):
    with pytest.raises(ConfigError, match="lacks its kind"):
        parse_item("x", {name: value for name, value in LEAST.items() if name != "kind"})
    path = tmp_path / "x.yaml"
    path.write_text("a: [")
    with pytest.raises(ConfigError, match=r"x\.yaml: it is no YAML"):
        read_item(path)
    path.write_text("- a")
    with pytest.raises(ConfigError, match=r"x\.yaml: the file has to be a mapping"):
        read_item(path)


def test_an_unknown_item_is_told_the_nearest():
    with pytest.raises(ConfigError, match="did you mean 'figure-margin'"):
        chosen_items("figure-margn")


def test_one_measurement_serves_both_figures_of_geometry():
    chosen = Selection(("Cora",), ("graphrank",))
    names = ("figure-intra-class-variance", "figure-inter-class-distance")
    intra, inter = (cells_of(all_items()[name], chosen)[0] for name in names)
    line = line_for(intra.job, {name: [1.0] for name in intra.job.measures})
    assert Stored([line]).find(inter.job.wanted, inter.metrics).seeds == [0]
    assert intra.job.measures != intra.metrics != inter.metrics
