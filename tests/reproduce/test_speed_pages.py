"""Tables of speed: each from its own file, a dash where nothing was measured."""

import json
import re

import pytest

from graphrank.reproduce.pages import TIMINGS
from graphrank.reproduce.speed_pages import SPEED_PAGES, speed_table
from graphrank.reproduce.timings import Timings
from tests.reproduce.test_headlines import ROOT
from tests.reproduce.test_render import made

CONTENDERS = ("ours", "plain PyG", "plain PyG, our memory", "floor")


@pytest.fixture
def timings(tmp_path):
    speed = {
        "dataset": "Cora",
        "milliseconds": dict(zip(CONTENDERS, (100.0, 300.0, 250.0, 80.0), strict=True)),
        "peak_mib": dict(zip(CONTENDERS, (600.4, 801.0, 700.0, 500.0), strict=True)),
        "default_seconds": 15.0,
        "default_peak_mib": 700.0,
        "speedup": 99.0,
    }
    wholes = [
        {"dataset": "Cora", "method": "graphrank", "seconds": 17.26, "peak_mib": 650.0},
        {"dataset": "Cora", "method": "smoothing", "seconds": 0.26, "peak_mib": 550.0},
    ]
    epochs = [
        {"dataset": "cora", "method": "loaded", "epochs": 0, "milliseconds": None, "peak_mib": 480},
        {"dataset": "cora", "method": "gcn", "epochs": 2000, "milliseconds": 5.3, "peak_mib": 1498},
        {"dataset": "cora", "method": "can", "epochs": 9, "milliseconds": None, "peak_mib": None},
    ]
    (tmp_path / "speed.json").write_text(json.dumps({"rows": [speed]}))
    (tmp_path / "training.json").write_text(json.dumps({"wholes": wholes}))
    (tmp_path / "method-epochs.json").write_text(json.dumps({"rows": epochs}))
    return Timings.read(tmp_path)


def cells(name, timings, dataset="Cora"):
    table = speed_table(name, timings, [])
    place = table.columns.index(dataset)
    return {row[0].text: row[place].text for row in table.rows}


def test_the_table_of_the_readme_takes_each_row_from_its_run(timings):
    assert cells("speed", timings) == {
        "faster than plain PyG": "3.0×",
        "times the bare matrix products": "1.25",
        "peak memory, ours / plain, MiB": "600 / 801",
        "default training, seconds": "15.0",
        "its peak memory, MiB": "700",
        "faster than GRACE, the paper's peer": "–",
        "the paper's own ratio": "1.7×",
        "instant mode (`--method smoothing`), seconds": "0.3",
    }
    missing = cells("speed", timings, "Physics")
    assert {text for title, text in missing.items() if "paper" not in title} == {"–"}


def test_an_epoch_and_the_default_in_one_row_a_dataset(timings):
    table = speed_table("epoch-speed", timings, [])
    texts = [cell.text for cell in table.rows[0]]
    assert texts == [
        "Cora", "100", "300", "80", "3.0×", "2.5×", "1.25", "600", "801", "15.0", "700", "2.0",
    ]  # fmt: skip
    assert [row[0].text for row in table.rows if row[1].text == "–"] == [
        "CiteSeer", "PubMed", "Photo", "Computers", "CS", "Physics",
    ]  # fmt: skip


def test_whole_fits_are_of_the_other_run(timings):
    found = cells("whole-fits", timings)
    assert list(found.values()) == ["17.3", "650", "0.3", "550"]


def test_epochs_of_methods_by_their_titles(timings):
    rows = speed_table("method-epochs", timings, []).rows
    assert [[cell.text for cell in row[:5]] for row in rows] == [
        ["the graph, loaded", "", "", "480", "–"],
        ["GCN", "2,000", "5", "1,498", "–"],
    ]


def test_seconds_beside_grace_come_from_lines(timings):
    table = speed_table("grace-speed", timings, made("table-training-time"))
    assert all(cell.text != "–" for row in table.rows for cell in row[1:])
    assert cells("grace-speed", timings)["faster by"] == "–"


def test_a_folder_without_files_tells_nothing(tmp_path):
    empty = Timings.read(tmp_path)
    assert cells("whole-fits", empty)["default, seconds"] == "–"
    assert not speed_table("method-epochs", empty, []).rows


# -- the pages of this repository ------------------------------------------------------------


def test_every_table_has_its_place():
    for path, names in SPEED_PAGES.items():
        for name in names:
            assert f"<!-- {name}:begin -->" in (ROOT / path).read_text()


def test_the_prose_between_the_tables_tells_their_seconds():
    timings = Timings.read(ROOT / TIMINGS)
    text = (ROOT / "docs/performance.md").read_text()
    for dataset in ("Cora", "Computers"):
        (pair,) = re.findall(rf"(\d+\.\d) and (\d+\.\d) s on {dataset}\b", text)
        whole = timings.wholes[dataset, "graphrank"].duration
        assert pair == (f"{whole:.1f}", f"{timings.speed[dataset].default_seconds:.1f}")


def test_no_graph_takes_more_than_a_minute():
    """The README says so."""
    timings = Timings.read(ROOT / TIMINGS)
    assert all(row.default_seconds < 60 for row in timings.speed.values())
    assert "takes less than a minute" in (ROOT / "README.md").read_text()
