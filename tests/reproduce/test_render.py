"""Items in every format, from lines out of thin air."""

import csv
import io
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrank.benchmark.growth import exponent
from graphrank.report.html import render
from graphrank.report.tables import Cell, TextTable
from graphrank.reproduce.cells import Selection, cells_of
from graphrank.reproduce.claims import findings
from graphrank.reproduce.items import all_items
from graphrank.reproduce.render.items import render_items
from graphrank.reproduce.render.pages import html_page, markdown_page, missing_table, summary_table
from graphrank.reproduce.render.text import csv_text, latex_table, latex_text, markdown_table
from graphrank.reproduce.render.timing import converged
from graphrank.reproduce.render.write import write_items
from graphrank.results.record import Result
from tests.reproduce.lines import line_for

PUBMED = Selection(("PubMed",), ("graphrank",))


def made(name, selection=None):
    """Lines for all cells of an item, each value a little apart from the last."""
    lines = []
    for number, cell in enumerate(cells_of(all_items()[name], selection)):
        if cell.job is not None:
            rows = {
                metric: [80.0 + number / 10 + place + 1.0, 80.5 + number / 10 + place]
                for place, metric in enumerate(cell.metrics)
            }
            lines.append(line_for(cell.job, rows))
    return lines


def rendered(name, lines, selection=None):
    (one,) = render_items([all_items()[name]], lines, selection)
    return one


def pubmed_lines(public, random):
    cells = [
        cell for cell in cells_of(all_items()["table-node-classification"], PUBMED)
        if cell.row.preset == "default"
    ]  # fmt: skip
    values = {"stated": public, "random": random}
    return [line_for(cell.job, {"accuracy": values[cell.reading]}) for cell in cells]


def test_a_comparison_says_ours_published_difference_seeds_and_mark():
    one = rendered("table-node-classification", pubmed_lines([81.0, 82.0], [87.0, 87.2]), PUBMED)
    text = markdown_page(one)
    assert "| PubMed | GraphRank | 81.50 ± 0.71 | 2 | 85.75 ± 0.16 | -4.25 | ◇▼ |" in text
    assert "| PubMed | GraphRank | 87.10 ± 0.14 | 2 | 85.75 ± 0.16 | +1.35 | ◇▲ |" in text
    assert "published under another protocol" in text
    assert "no published method is near 85.75 on the public split" in text


@pytest.mark.parametrize(
    ("dataset", "values", "standing"),
    [
        ("Cora", [84.9, 85.0], "holds"),
        ("Cora", [70.0, 70.1], "does not hold"),
        ("Cora", [84.9], "open"),
    ],
)
def test_how_a_claim_stands(dataset, values, standing):
    selection = Selection((dataset,), ("graphrank",))
    cell = cells_of(all_items()["table-node-classification"], selection)[0]
    line = line_for(cell.job, {"accuracy": values})
    found = findings(rendered("table-node-classification", [line], selection))
    assert next(each.standing for each in found if each.dataset == dataset) == standing


def test_a_claim_that_another_protocol_explains():
    one = rendered("table-node-classification", pubmed_lines([81.0, 82.0], [87.0, 87.2]), PUBMED)
    standing = {each.dataset: each.standing for each in findings(one) if each.dataset == "PubMed"}
    assert standing == {"PubMed": "holds only under another protocol"}


def test_an_order_is_judged_seed_by_seed():
    item = all_items()["figure-false-negatives"]
    chosen = Selection(("Cora",), ("grace",))
    plain, oracle = cells_of(item, chosen)

    def standing(theirs):
        lines = [
            line_for(plain.job, {"accuracy": [80.0, 81.0, 82.0]}),
            line_for(oracle.job, {"accuracy": theirs}),
        ]
        return findings(rendered(item.name, lines, chosen))[0].standing

    assert standing([85.0, 86.0, 87.1]) == "holds"
    assert standing([75.0, 76.0, 77.1]) == "does not hold"
    assert standing([79.0, 82.5, 81.9]) == "open"


@pytest.mark.parametrize("name", sorted(all_items()))
@pytest.mark.parametrize("full", [True, False])
def test_every_item_in_every_format(name, full, tmp_path):
    lines = made(name) if full else []
    one = rendered(name, lines)
    files = {path.name: path.read_text() for path in write_items([one], tmp_path)}
    assert {"report.html", f"{name}.md", f"{name}.csv", f"{name}.tex"} <= set(files)
    had = bool(lines)
    assert bool(one.missing) == any(state.missing for state in one.states)
    if had and name.startswith("figure"):
        assert any(file.endswith(".svg") for file in files)
        assert "<svg" in files["report.html"]
    tex = files[f"{name}.tex"]
    floats, longs = tex.count(r"\begin{table}"), tex.count(r"\begin{longtable}")
    assert tex.count(r"\bottomrule") == floats + longs > 0
    assert tex.count(r"\toprule") == floats + 2 * longs  # the head is on each page of a long one
    assert not re.search(r"[±≈▲▼◇×–]", tex)
    for line in files[f"{name}.md"].splitlines():
        assert "nan" not in line.casefold().split()


def test_what_is_missing_comes_with_its_command_cheapest_first():
    one = rendered("table-node-classification", [], Selection(("Cora", "Physics"), ("smoothing",)))
    table = missing_table([one])
    commands = [row[0].text for row in table.rows]
    words = "graphrank reproduce table-node-classification --datasets cora --methods smoothing"
    assert commands[0].startswith(f"{words} --reading")
    assert re.search(r"--budget \d+$", commands[0]) and "physics" in commands[-1]
    assert missing_table([]) is None


def test_a_cell_that_cannot_be_had_says_why():
    text = markdown_page(rendered("table-clustering", []))
    assert "n/a" in text and "gcn is supervised" in text


def test_the_page_has_all_items_and_is_one_file():
    page = render(html_page(render_items(all_items().values(), [])))
    for item in all_items().values():
        assert item.title in page and f"graphrank reproduce {item.name}" in page
    assert "http://" not in page.replace("http://www.w3.org", "") and "<script" not in page
    assert len(summary_table(render_items(all_items().values(), [])).rows) == len(all_items())


# -- formats ---------------------------------------------------------------------------------

TABLE = TextTable("T", ("a", "b"), ((Cell("x|y_z"), Cell("5 % ± 1", strong=True)),), notes=("n",))


def test_markdown_escapes_and_emphasises():
    assert markdown_table(TABLE) == (
        "**T**\n\n| a | b |\n| --- | ---: |\n| x\\|y_z | **5 % ± 1** |\n\n_n_"
    )


def test_latex_escapes_and_emphasises():
    text = latex_table(TABLE, "t-1")
    assert r"x|y\_z & \textbf{5 \% $\pm$ 1} \\" in text
    assert r"\begin{tabular}{lr}" in text and r"\label{tab:t-1}" in text


def test_a_latex_table_of_many_rows_breaks_over_pages():
    rows = tuple((Cell(f"row {number}"), Cell(str(number))) for number in range(41))
    text = latex_table(TextTable("T", ("a", "b"), rows, notes=("n",)), "t-1")
    assert text.startswith("\\begin{longtable}{lr}\n\\caption{T. n}\n\\label{tab:t-1} \\\\\n")
    head = "\\toprule\na & b \\\\\n\\midrule\n"
    assert head + "\\endfirsthead\n" + head + "\\endhead\n" in text
    assert text.count("row ") == 41 and text.endswith("\\end{longtable}")
    assert r"\begin{table}" in latex_table(TextTable("T", ("a", "b"), rows[:40]), "t-1")


@given(st.text(alphabet="ab\\&%$#_{}~^", max_size=12))
def test_nothing_special_is_left_in_latex(text):
    plain = re.sub(
        r"\\(textbackslash|textasciitilde|textasciicircum)\{\}|\\[&%$#_{}]", "", latex_text(text)
    )
    assert not set(plain) & set("\\&%$#_{}~^")


def test_csv_comes_back_as_it_was():
    records = [{"a": 1, "b": None}, {"a": 'x,"y', "c": 2.5}]
    back = list(csv.DictReader(io.StringIO(csv_text(records))))
    assert back == [{"a": "1", "b": "", "c": ""}, {"a": 'x,"y', "b": "", "c": "2.5"}]


# -- figures of time -------------------------------------------------------------------------


@given(st.floats(0.3, 3), st.floats(0.01, 100), st.integers(3, 9))
def test_the_exponent_of_a_power_is_found(power, factor, count):
    sizes = [1000 * 2**place for place in range(count)]
    assert exponent(sizes, [factor * size**power for size in sizes]) == pytest.approx(
        power, abs=1e-5
    )


def test_fixed_costs_of_small_graphs_do_not_bend_the_exponent():
    sizes = [10.0 * 4**place for place in range(8)]
    costs = [max(1e4, size) for size in sizes]
    assert exponent(sizes, costs) > 0.5
    assert exponent(sizes[:2], costs[:2]) is None


def test_converged_is_the_first_look_at_99_per_cent_of_the_end():
    curve = {10: 50.0, 20: 79.3, 30: 79.1, 40: 80.0}
    values = {f"validation@{epoch}": [value] for epoch, value in curve.items()}
    values |= {f"seconds@{epoch}": [epoch / 10] for epoch in curve}
    line = Result("trajectory", "Cora", "grace", "public", {}, [0], values)
    assert converged(line, list(curve), 0) == (20, 2.0)
    values["validation@20"] = [79.19]
    assert converged(line, list(curve), 0) == (40, 4.0)
    assert math.isclose(0.99 * 80.0, 79.2)


def test_claims_of_whole_graphs_are_judged_as_those_of_nodes():
    selection = Selection(("MUTAG",), ("graphrank-graph",))
    item = all_items()["table-graph-classification"]
    line = line_for(cells_of(item, selection)[0].job, {"accuracy": [89.0, 89.5, 90.0]})
    (found,) = (
        each for each in findings(rendered(item.name, [line], selection)) if each.dataset == "MUTAG"
    )
    assert found.standing == "holds" and "svm-10-fold, 3 seeds" in found.evidence
