"""The benchmark of graph-level methods runs, on sets small enough for a test."""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "graphs.py"


def run(*words):
    return subprocess.run(
        [sys.executable, SCRIPT, *map(str, words)], capture_output=True, text=True, check=False
    )


def test_a_table_and_its_figures(tmp_path):
    lines = ['{"edges": [[0, 1], [1, 2]]}', '{"edges": [[0, 1], [1, 2], [2, 0]]}'] * 3
    (tmp_path / "mine.jsonl").write_text("\n".join(lines))
    done = run(tmp_path / "mine.jsonl", "--rounds", 1, "--json", tmp_path / "out.json")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "out.json").read_text())
    names = [pace["method"] for pace in report["paces"]]
    assert names == ["graphrank-graph", "infograph", "graphcl"]
    assert all(pace["graphs_per_second"] > 0 for pace in report["paces"])
    assert all(name in done.stdout for name in names) and "1.00" in done.stdout


def test_one_graph_is_refused():
    done = run("karate", "--rounds", 1)
    assert done.returncode != 0 and "karate is one graph" in done.stderr
