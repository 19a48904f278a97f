"""The benchmark of all methods runs, on a graph small enough for a test."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from graphrank import GraphRank
from graphrank.methods.registry import METHODS

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "methods.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("benchmark_of_methods", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_every_method_but_the_controls(script):
    infos = [method.info for method in METHODS.values()]
    expected = [info.name for info in infos if info.level == "node" and info.family != "control"]
    assert script.trained_methods() == expected


def test_settings_go_to_the_methods_that_have_them(script):
    settings = {"channels": 8, "margin": 0.5, "unheard": 1}
    made = script.make("graphrank", "paper", "karate", settings)
    assert (made.channels, made.margin, made.encoder) == (8, 0.5, "gcn")
    with pytest.raises(TypeError, match="not trained"):
        script.make("smoothing", "default", "karate", settings)


def test_a_process_that_dies_has_no_figure(script, monkeypatch):
    class Pool:
        """Instead of a process that dies."""

        def __init__(self, *_, **__):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return False

        def submit(self, work, *arguments):
            return self

        def result(self):
            raise error

    monkeypatch.setattr(script, "ProcessPoolExecutor", Pool)
    error = script.BrokenProcessPool("killed")
    assert script.alone(float, "1") is None
    error = RuntimeError("DefaultCPUAllocator: can't allocate memory")
    assert script.alone(float, "1") is None
    error = RuntimeError("shapes do not fit")
    with pytest.raises(RuntimeError, match="shapes"):
        script.alone(float, "1")


def test_what_cannot_run_is_not_timed(script, monkeypatch):
    peaks = {"graphrank": 300.0, "grace": None}
    monkeypatch.setattr(script, "alone", lambda work, name, *_: peaks.get(name, 100.0))
    rows = script.measure("karate", list(peaks), "default", {"channels": 4}, rounds=2)
    loaded, graphrank, grace = rows
    assert (loaded.method, loaded.peak_mib, loaded.milliseconds) == ("loaded", 100.0, None)
    assert graphrank.milliseconds > 0 and graphrank.epochs == GraphRank().epochs
    assert grace.milliseconds is None and grace.peak_mib is None
    texts = [[cell.text for cell in row] for row in script.table(rows).rows]
    assert texts[1][-1] == "300" and texts[2][-2:] == ["–", "–"]


def test_it_runs(tmp_path):
    file = tmp_path / "epochs.json"
    words = ["--methods", "gcn", "--set", "channels=4", "--rounds", "1"]
    done = subprocess.run(
        [sys.executable, SCRIPT, "sbm:nodes=60,classes=2", *words, "--json", file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    written = json.loads(file.read_text())
    loaded, gcn = written["rows"]
    assert (loaded["method"], gcn["method"]) == ("loaded", "gcn")
    assert gcn["milliseconds"] > 0 and gcn["peak_mib"] > 50 and loaded["peak_mib"] > 50
    assert gcn["preset"] == "default"  # nobody published settings for this graph
    assert "torch" in written["environment"]
    assert "gcn" in done.stdout and "ms an epoch" in done.stdout
