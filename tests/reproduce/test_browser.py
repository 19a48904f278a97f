"""The report in a real browser: its tables are there, and it fits a phone."""

import re
import shutil
import struct
import subprocess
import time

import pytest

from graphrank.report.html import render
from graphrank.reproduce.items import all_items
from graphrank.reproduce.render.items import render_items
from graphrank.reproduce.render.pages import html_page
from tests.reproduce.test_render import made

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next(filter(None, map(shutil.which, _NAMES)), None)
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars",
)  # fmt: skip


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    if BROWSER is None:
        pytest.skip("no Chromium or Chrome is installed")
    lines = made("table-node-classification") + made("figure-margin") + made("table-complexity")
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render(html_page(render_items(all_items().values(), lines))))
    return path


def browse(page, *words):
    profile = page.parent / f"profile-{time.monotonic_ns()}"
    command = [BROWSER, *_FLAGS, f"--user-data-dir={profile}", *words, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def test_the_browser_finds_tables_marks_and_figures(page):
    found = browse(page, "--dump-dom")
    assert found.count("<table") >= len(all_items())
    assert found.count("<svg") >= 2
    assert "GraphRank, reproduced" in found and "within two standard errors" in found
    assert re.search(r"<td[^>]*>\d\d\.\d\d ± \d\.\d\d (◇?[≈▲▼])</td>", found)


@pytest.mark.parametrize(("width", "height"), [(1200, 2400), (500, 2400)])
def test_a_screenshot_on_a_desk_and_on_a_phone(page, width, height):
    picture = page.parent / f"page-{width}.png"
    browse(page, f"--screenshot={picture}", f"--window-size={width},{height}")
    content = picture.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", content[16:24]) == (width, height)
    assert len(content) > 20_000  # a blank page is far smaller
