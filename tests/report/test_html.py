"""Pages: complete, escaped, self-contained."""

import re
from html.parser import HTMLParser

import pytest

from graphrank.report.html import Details, Page, Section, image, render, results_page
from graphrank.report.plots import INK, loss_curve
from graphrank.report.tables import Cell, TextTable
from tests.report.results_for_tests import make_result

VOID = {"meta", "link", "br", "img", "path", "use", "rect"}


class Balance(HTMLParser):
    """Checks that every tag that opens closes."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


@pytest.fixture
def page():
    table = TextTable("t <1>", ("method", "NMI"), ((Cell("a & b"), Cell("1", strong=True)),))
    sections = [
        Section(
            "One <script>",
            "text",
            images=(image(loss_curve([2.0, 1.0]), "the 'loss'"),),
            table=table,
            details=(Details("more", {"k<": "v"}, opened=True), Details("less", {})),
            commands=("graphrank demo",),
        )
    ]
    return Page("Title & co", "Lead", sections, {"fact": "42"})


def test_a_page_holds_everything_and_is_well_formed(page):
    text = render(page)
    for part in ("Title &amp; co", "Lead", "fact", "42", "One &lt;script&gt;", "a &amp; b"):
        assert part in text
    for part in ("t &lt;1&gt;", "k&lt;", "<details open>", "<details>", "graphrank demo", "<svg"):
        assert part in text
    assert '<td class=" strong">1</td>' in text
    assert "<script" not in text
    parser = Balance()
    parser.feed(text)
    assert parser.open == []


def test_a_page_loads_nothing_from_elsewhere(page):
    text = render(page)
    loaded = re.findall(r"""(?:\bsrc|<link[^>]*href|url)\s*[=(]\s*["']?([^"')\s>]+)""", text)
    assert all(address.startswith("#") for address in loaded)
    assert "@import" not in text


def test_a_long_page_lists_its_parts():
    parts = [Section(f"Part {n}", anchor=f"part-{n}") for n in range(4)]
    text = render(Page("Title", "Lead", [Section("Unlisted"), *parts]))
    nav = text[text.index("<nav") : text.index("</nav>")]
    assert re.findall(r'href="#([^"]+)">([^<]+)<', nav) == [
        (f"part-{n}", f"Part {n}") for n in range(4)
    ]
    assert re.findall(r'<section id="([^"]+)">', text) == [part.anchor for part in parts]
    assert "<nav" not in render(Page("Title", "Lead", parts[:3]))


def test_images_take_the_colours_and_the_width_of_the_page():
    svg = image(loss_curve([2.0, 1.0]), "loss").svg
    assert svg.startswith("<svg")
    assert INK not in svg
    assert "var(--ink)" in svg
    head = svg[: svg.index(">")]
    assert " width=" not in head
    assert "viewBox" in head


def test_a_page_of_results_has_a_table_for_each_cell():
    results = [
        make_result("a", [1.0, 2.0]),
        make_result("b", [2.0, 3.0]),
        make_result("a", [5.0], dataset="digits"),
    ]
    page = results_page(results)
    assert [section.heading for section in page.sections] == [
        "karate: clustering",
        "digits: clustering",
    ]
    assert "3 results in 2 tables" in page.lead
    first = page.sections[0].details
    assert [each.summary for each in first][-1] == "Environment"
    assert first[0].items["epochs"] == "2"
    assert first[0].items["seeds"] == "0, 1"
    assert "karate: clustering" in render(page)
