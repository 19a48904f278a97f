"""``graphrank demo``."""

import webbrowser

import pytest

from tests.cli.conftest import QUICK


@pytest.fixture
def opened(monkeypatch):
    seen = []
    monkeypatch.setattr(webbrowser, "open", seen.append)
    return seen


def test_the_whole_way(shell, opened, monkeypatch):
    monkeypatch.setattr("graphrank.report.projection._MOST_NODES", 200)
    path = shell.folder / "demo-report.html"
    path.write_text("an earlier report")
    words = ("--seeds", 1, *QUICK, "--set", "mlp_hidden=16")
    result = shell.run("demo", *words, "--open")
    assert f"Report: {path}" in result.stdout
    assert opened == [path.as_uri()]
    page = path.read_text()
    for method in ("GraphRank", "SVD smoothing", "Untrained encoder", "Raw features"):
        assert method in result.stdout
        assert f'<td class="word">{method}</td>' in page
    figures = next(line for line in result.stdout.splitlines() if "Raw features" in line).split()
    assert all(f">{figure}<" in page for figure in figures[2:4])
    assert page.count("<svg") == 2
    assert "<dt>epochs</dt><dd>2</dd>" in page
    assert "<dt>torch</dt>" in page


def test_mistakes(shell):
    (shell.folder / "d").mkdir()
    assert "is a folder" in shell.mistake("demo", "--output", "d")
    assert "did you mean 'epochs'?" in shell.mistake("demo", "--set", "epoch=1")
