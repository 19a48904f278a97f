"""Pages of methods: figures between the marks, and the pages of this repository as they are."""

from pathlib import Path

import pytest

from graphrank.errors import GraphRankError
from graphrank.methods.info import in_short
from graphrank.methods.registry import METHODS
from graphrank.report.method_pages import BEGIN, END, fill, main, method_page, update_pages
from graphrank.results import append, read
from tests.report.results_for_tests import make_result

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "methods"
PAGE = f"# Smoothing\n\n## Figures\n\n{BEGIN}\n{END}\n"


def test_a_block_between_the_marks_and_nothing_else_changed():
    page = f"a\n{BEGIN}\nold\nolder\n{END}\nb\n"
    assert fill(page, "new\n\nnewer") == f"a\n{BEGIN}\nnew\n\nnewer\n{END}\nb\n"
    assert fill(fill(page, "x"), "y") == fill(page, "y")
    assert fill(page.rstrip(), "x") == fill(page, "x")


@pytest.mark.parametrize(
    "page", ["", BEGIN, f"{END}\n{BEGIN}\n", f"{BEGIN}\n{BEGIN}\n{END}\n", f"{BEGIN}\n{END}\n{END}"]
)
def test_marks_that_do_not_fit(page):
    with pytest.raises(GraphRankError, match="each once and in this order"):
        fill(page, "x")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "README.md").write_text("an index has no marks")
    (tmp_path / "smoothing.md").write_text(PAGE)
    return tmp_path


def test_only_what_changes_is_written(folder):
    results = [make_result("smoothing", [50.0, 52.0]), make_result("grace", [1.0])]
    assert update_pages(folder, results) == [folder / "smoothing.md"]
    text = (folder / "smoothing.md").read_text()
    assert "| karate | `kmeans` | 51.00 ± 1.41 | " in text and "1.00 |" not in text
    assert text.startswith("# Smoothing\n\n## Figures\n\n")
    assert update_pages(folder, results) == []
    assert update_pages(folder, []) == [folder / "smoothing.md"]


def test_a_page_of_no_method_and_a_page_without_marks(folder):
    (folder / "smothing.md").write_text(PAGE)
    with pytest.raises(GraphRankError, match=r"smothing\.md: there is no method"):
        update_pages(folder, [])
    (folder / "smothing.md").unlink()
    (folder / "smoothing.md").write_text("# Smoothing")
    with pytest.raises(GraphRankError, match=r"smoothing\.md: it needs the lines"):
        update_pages(folder, [])


def test_as_a_command(folder, monkeypatch, capsys):
    append(folder / "a.jsonl", make_result("smoothing", [50.0]))
    append(folder / "b.jsonl", make_result("smoothing", [60.0], dataset="digits"))
    files = [str(folder / name) for name in ("a.jsonl", "b.jsonl")]
    monkeypatch.setattr("sys.argv", ["method_pages", str(folder), "--results", *files])
    main()
    assert capsys.readouterr().out == f"written: {folder / 'smoothing.md'}\n"
    text = (folder / "smoothing.md").read_text()
    assert text.index("| digits | `kmeans` | 60.00 |") < text.index("| karate | `kmeans` | 50.00 |")


# -- the pages of this repository ------------------------------------------------------------

WITH_PAGES = [name for name, method in METHODS.items() if method.info.family != "control"]


@pytest.mark.parametrize("name", WITH_PAGES)
def test_every_method_has_its_page_with_the_committed_figures(name):
    """`make docs` writes the figures; nobody edits them."""
    path = PAGES / f"{name}.md"
    results = read(sorted((ROOT / "results").glob("*.jsonl")))
    assert path.read_text() == method_page(path, results), "run `make docs`"
    assert f"--method {name}" in path.read_text()


def test_there_are_no_other_pages():
    pages = {path.stem for path in PAGES.glob("*.md")} - {"README"}
    assert pages == set(WITH_PAGES)


def index():
    """The rows of the index by the name of the method."""
    lines = (PAGES / "README.md").read_text().splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    return {row[0].strip("`"): row for row in cells if row[0].startswith("`")}


def test_the_index_has_every_method_in_the_order_of_the_registry():
    assert list(index()) == list(METHODS)


@pytest.mark.parametrize("name", METHODS)
def test_the_index_says_what_the_registry_says(name):
    info = METHODS[name].info
    _, family, idea, time, memory, page = index()[name]
    assert (family, time, memory) == (info.family, in_short(info.time), in_short(info.memory))
    assert 0 < len(idea.split()) <= 8
    link = page.partition("](")[2].partition(")")[0].partition("#")[0]
    assert (PAGES / link).is_file()
