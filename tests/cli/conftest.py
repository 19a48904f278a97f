"""A command line to call in-process, in an empty folder, and a small graph of one's own."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graphrank.cli.main import app

NAMES = ["ann", "bob", "cid", "dee", "eve", "fay", "gus", "hal"]
EDGES = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3), (6, 7), (0, 6)]


@dataclass
class Shell:
    """Runs commands and remembers the folder that they run in."""

    folder: Path

    def run(self, *words, code=0):
        """Run a command and check its exit code."""
        result = CliRunner().invoke(app, [str(word) for word in words], prog_name="graphrank")
        assert result.exit_code == code, (result.output, result.exception)
        return result

    def mistake(self, *words):
        """Run a command that must fail with one sentence and change nothing; return that."""
        before = self.content()
        result = self.run(*words, code=2)
        lines = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
        assert len(lines) == 1, result.stderr
        assert result.stderr.rstrip().endswith(lines[0])
        assert "Traceback" not in result.output
        assert self.content() == before
        return lines[0].removeprefix("error: ")

    def content(self):
        """All files of the folder with their bytes."""
        files = (path for path in sorted(self.folder.rglob("*")) if path.is_file())
        return {path: path.read_bytes() for path in files}


@pytest.fixture
def shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRAPHRANK_DATA", raising=False)
    monkeypatch.setenv("GRAPHRANK_CACHE", str(tmp_path / "cache"))
    return Shell(tmp_path)


def write_edges(path, pairs=EDGES, header="source,target"):
    rows = [f"{NAMES[a]},{NAMES[b]}" for a, b in pairs]
    Path(path).write_text("\n".join([header, *rows]) + "\n")


def write_nodes(path, names=NAMES, columns=("height", "weight", "age")):
    """Features that depend on the name of node and column alone, not on their order."""
    rows = [
        ",".join([name, *(f"{len(column) * NAMES.index(name) % 7 / 7:.3f}" for column in columns)])
        for name in names
    ]
    Path(path).write_text("\n".join([",".join(["id", *columns]), *rows]) + "\n")


@pytest.fixture
def own(shell):
    """The folder with ``edges.csv`` and ``nodes.csv`` in it."""
    write_edges(shell.folder / "edges.csv")
    write_nodes(shell.folder / "nodes.csv")
    return shell


QUICK = ("--set", "epochs=2", "--set", "channels=8", "--set", "mlp_steps=2")


@pytest.fixture
def fitted(own):
    """The same folder with a model of that graph in ``model``."""
    own.run("fit", "edges.csv", "--features", "nodes.csv", *QUICK, "--output", "model")
    return own
