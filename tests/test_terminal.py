"""What is shown while people wait, on a terminal and elsewhere."""

import re

import pytest

from graphrank import GraphRank
from graphrank.cli.console import say
from graphrank.terminal import status
from graphrank.training.loop import Run
from tests.conftest import plain


def test_shown_on_a_terminal_and_gone_afterwards(terminal, capfd):
    with status("loading [bold]x[/bold]", True):
        pass
    out, err = capfd.readouterr()
    assert out == ""
    assert "loading [bold]x[/bold]" in plain(err)
    assert err.rstrip("\n").endswith("\x1b[2K")  # the line is erased


@pytest.mark.parametrize("shown", [True, False])
def test_silent_where_nobody_watches(capfd, monkeypatch, shown):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    with status("loading", shown):
        pass
    assert capfd.readouterr() == ("", "")


def test_silent_where_it_is_not_wanted(terminal, capfd):
    with status("loading", False):
        pass
    assert capfd.readouterr() == ("", "")


def test_other_lines_go_above_it(terminal, capfd):
    """None of them begins in the middle of the status line."""
    with status("loading", True):
        say("first")
        say("3 nodes without an edge")
    shown = capfd.readouterr().err
    before, _ = shown.split("3 nodes without an edge")
    assert "loading" in before.split("first")[1]
    assert before.endswith("\r\x1b[2K")  # the status line was erased


def test_a_training_inside_shows_no_bar_through_it(terminal, toy, capfd):
    with status("judging", True):
        GraphRank(channels=8, epochs=2).fit(toy)
        with status("inner", True):
            pass
    shown = plain(capfd.readouterr().err)
    assert "judging" in shown and "epochs" not in shown and "inner" not in shown


def test_the_bar_is_back_when_it_is_over(terminal, toy, capfd):
    with pytest.raises(KeyError), status("judging", True):
        raise KeyError
    GraphRank(channels=8, epochs=3).fit(toy, run=Run(title="after"))
    assert re.search(r"GraphRank, after .* 3/3 epochs", plain(capfd.readouterr().err))
