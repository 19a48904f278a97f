"""Every script under examples/ runs to its end and says something."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def test_there_is_one_for_every_use():
    uses = {"three_lines", "own_graph", "scikit_learn", "compare_with_controls", "geometry"}
    assert {path.stem for path in EXAMPLES} >= uses | {
        "few_labels", "links", "users_and_items", "whole_graphs",
    }  # fmt: skip


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(script, tmp_path):
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert "Traceback" not in done.stderr and "Warning" not in done.stderr
