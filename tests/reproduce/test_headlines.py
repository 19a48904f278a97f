"""Tables of the default beside what it is compared with: found, marked, and written into pages."""

from pathlib import Path

import pytest

from graphrank.errors import DataError
from graphrank.methods.controls import Smoothing
from graphrank.methods.graphrank import GraphRank
from graphrank.report.plots import to_svg
from graphrank.reproduce.headline_rows import ALIKE, DATASETS, NOISY, OTHERS, SETS
from graphrank.reproduce.headlines import PAGES, TABLES, headline_table, pieces_figure
from graphrank.reproduce.pages import MARKED, PIECES, TIMINGS, marked_page
from graphrank.reproduce.render.plots import points_figure
from graphrank.reproduce.timings import Timings
from graphrank.reproduce.wanted import options_of
from graphrank.results import Result, read

ROOT = Path(__file__).parents[2]


def committed():
    files = [*(ROOT / "results").glob("*.jsonl"), *(ROOT / "results/variants").glob("*/*.jsonl")]
    return read(sorted(files))


def line(method, values, dataset="Cora", task="node-classification", protocol="public", **judged):
    return Result(
        task, dataset, method.info.name, protocol,
        {"method": options_of(method.get_params()), "task": judged}, list(range(len(values))),
        {{"clustering": "nmi", "link-prediction": "auc"}.get(task, "accuracy"): values}, {},
        [1.0] * len(values),
    )  # fmt: skip


def cells(name, results, dataset="Cora"):
    table = headline_table(name, results)
    column = table.columns.index(dataset)
    return {row[0].text: row[column] for row in table.rows}


def test_a_cell_has_five_seeds_or_says_how_many():
    results = [line(GraphRank(), [80.0, 82.0]), line(Smoothing(), [70.0] * 5 + [99.0])]
    found = cells("accuracy", results)
    assert found["GraphRank"].text == "81.00 ± 1.41 (2)"
    assert found["SVD smoothing, no training"].text == "70.00 ± 0.00"
    assert found["raw features"].text == "–"
    assert found["the paper, as published"].text == "84.93 ± 1.07"


def test_the_best_of_rivals_is_strong_and_others_are_not():
    results = [
        line(GraphRank(), [80.0]),
        line(Smoothing(), [90.0]),
        line(GraphRank.from_preset("paper"), [99.0]),
    ]
    found = cells("accuracy", results)
    assert [title for title, cell in found.items() if cell.strong] == ["SVD smoothing, no training"]
    equal = cells("accuracy", [line(GraphRank(), [80.001]), line(Smoothing(), [80.0])])
    assert equal["GraphRank"].strong and equal["SVD smoothing, no training"].strong


def test_another_configuration_protocol_or_scorer_is_another_row():
    links = {"task": "link-prediction", "protocol": "edges-85-5-10"}
    before = {"structure": 0, "scale_features": "auto", "own_words": 0}
    results = [
        line(GraphRank(margin=0.3), [1.0]),
        line(GraphRank(), [2.0], protocol="random-10-10-80"),
        line(GraphRank(), [1.0], **links, scorer="blend"),
        line(GraphRank(**before), [97.0], **links, scorer="blend"),
        line(GraphRank(**before), [96.0], **links, scorer="auto"),
        line(GraphRank(**before), [95.0], **links, scorer="dot"),
    ]
    assert cells("accuracy", results)["GraphRank"].text == "–"
    found = cells("link-protocols", results)
    assert found["`edges-85-5-10`"].text == "97.00 (1)"
    assert found["`edges-85-5-10`, `--scorer auto`"].text == "96.00 (1)"
    assert found["`edges-85-5-10`, `--scorer dot`"].text == "95.00 (1)"


def test_the_figure_has_what_differs_from_smoothing():
    lines = [line(GraphRank(), [80.0, 81.0]), line(Smoothing(), [70.0])]
    figure = pieces_figure(lines)
    (container,) = figure.axes[0].containers
    assert list(container.lines[0].get_ydata()) == [10.5]
    assert len(figure.axes) == 1
    with pytest.raises(DataError, match="smoothing"):
        pieces_figure(lines[:1])


def test_every_table_is_on_one_page_and_has_a_row_for_every_title():
    assert sorted(name for names in PAGES.values() for name in names) == sorted(TABLES)
    heads = {"graphs": SETS, "other-graphs": OTHERS}
    heads |= {"alike-graphs": tuple(ALIKE), "noisy-graphs": tuple(NOISY)}
    for name, lines in TABLES.items():
        table = headline_table(name, [])
        assert [row[0].text for row in table.rows] == [each.title for each in lines]
        assert table.columns[1:] == heads.get(name, DATASETS)


@pytest.mark.parametrize("path", MARKED)
def test_the_pages_are_what_lines_and_benchmarks_give(path):
    page = (ROOT / path).read_text()
    timings = Timings.read(ROOT / TIMINGS)
    assert marked_page(path, page, committed(), timings) == page, "run `make docs`"


def test_the_picture_is_what_the_lines_give():
    drawn = to_svg(pieces_figure(committed()), on_paper=True)
    assert (ROOT / PIECES).read_text() == drawn, "run `make docs`"


@pytest.mark.parametrize("words", [2, 12])
def test_the_legend_of_a_figure_is_all_in_it(words):
    series = {f"{'word ' * words}{place}": {"Cora": [1.0, 2.0]} for place in range(6)}
    figure = points_figure({"accuracy": series}, columns=1, width=7.2)
    figure.canvas.draw()
    (legend,) = figure.legends
    box, page = legend.get_window_extent(), figure.bbox
    assert box.x0 >= page.x0 and box.x1 <= page.x1
    assert (legend._ncols > 1) == (words == 2)
