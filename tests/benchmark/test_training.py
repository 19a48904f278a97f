"""The benchmark of whole fits runs, on graphs small enough for a test."""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "training.py"


def run(*words):
    return subprocess.run(
        [sys.executable, SCRIPT, *map(str, words)], capture_output=True, text=True, check=False
    )


def test_a_table_and_its_figures(tmp_path):
    done = run("karate", "--methods", "smoothing", "raw-features", "--json", tmp_path / "out.json")
    assert done.returncode == 0, done.stderr
    wholes = json.loads((tmp_path / "out.json").read_text())["wholes"]
    assert [whole["method"] for whole in wholes] == ["smoothing", "raw-features"]
    assert all(whole["seconds"] > 0 and whole["peak_mib"] > 10 for whole in wholes)
    assert "smoothing" in done.stdout and "karate" in done.stdout
