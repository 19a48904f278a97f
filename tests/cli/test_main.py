"""The command as a whole: help, version, mistakes in typing, errors of the system, defects."""

import os
import subprocess
import sys
from importlib import import_module

import pytest

from graphrank import __version__
from graphrank.cli import main

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}


def graphrank(*words, cwd):
    return subprocess.run(
        [sys.executable, "-m", "graphrank", *words],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=ENVIRONMENT,
        check=False,
    )


def test_help_names_every_command_and_the_first_steps(shell):
    text = shell.run("--help").stdout
    for command in ("demo", "list", "fit", "embed", "evaluate", "report"):
        assert command in text
    assert "First steps" in text
    assert shell.run().stdout == text


@pytest.mark.parametrize("command", ["demo", "fit", "embed", "evaluate", "report"])
def test_each_command_explains_itself_with_an_example(shell, command):
    assert f"graphrank {command} " in shell.run(command, "--help").stdout.split("─")[0]


def test_version(shell):
    assert shell.run("--version").stdout.strip() == f"graphrank {__version__}"


@pytest.mark.parametrize(
    ("imported", "spared"),
    [("graphrank.cli.main", ["torch", "pandas"]), ("graphrank.cli.actions.fit", ["sklearn"])],
)
def test_what_is_slow_to_import_is_imported_where_it_is_needed(imported, spared):
    code = f"import sys, {imported}; print([name in sys.modules for name in {spared}])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=ENVIRONMENT
    )
    assert done.stdout.strip() == str([False] * len(spared))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("evalute", "cora"), "no such command 'evalute'; did you mean 'evaluate', 'ablate'?"),
        (("fit", "karate", "--sed", "1"), "there is no option '--sed'; did you mean '--seed'?"),
        (("embed",), "missing argument 'MODEL_DIR'; see 'graphrank embed --help'"),
        (
            ("cluster", "karate", "--output", "c.csv"),
            "missing option '--k' / '--clusters'; see 'graphrank cluster --help'",
        ),
        (("list",), "missing command; see 'graphrank list --help'"),
    ],
)
def test_words_typed_wrongly_are_one_sentence(shell, words, sentence):
    assert shell.mistake(*words) == sentence


def test_a_number_out_of_range_is_one_sentence(shell):
    assert "--seeds" in shell.mistake("evaluate", "karate", "--task", "clustering", "--seeds", 0)


def test_a_refusal_of_the_system_names_the_file(shell, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied", "secret.csv")

    monkeypatch.setattr("graphrank.cli.actions.listing.show_methods", refuse)
    assert shell.mistake("list", "methods") == "cannot use secret.csv: permission denied"


def test_a_defect_keeps_its_traceback(shell, monkeypatch):
    def break_down(*_):
        raise RuntimeError("a defect")

    monkeypatch.setattr("graphrank.cli.actions.listing.show_methods", break_down)
    assert isinstance(shell.run("list", "methods", code=1).exception, RuntimeError)


def test_an_interrupt_exits_with_its_own_code(shell, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("graphrank.cli.actions.listing.show_methods", interrupt)
    assert shell.run("list", "methods", code=130).exit_code == 130


def test_a_group_without_arguments_shows_its_help(shell):
    assert "speed" in shell.run("benchmark", code=2).output


def test_every_command_of_the_table_is_there():
    for place in main._COMMANDS.values():
        module, name = place.split(":")
        assert callable(getattr(import_module(module), name))


def test_as_a_process_a_mistake_is_one_line_and_code_two(tmp_path):
    done = graphrank("fit", "karat", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "error: there is no dataset 'karat'; did you mean 'karate'?\n"
    assert done.stdout == ""
    assert not list(tmp_path.iterdir())
