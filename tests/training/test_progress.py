import re

from graphrank import GraphRank
from graphrank.training.loop import Run
from tests.conftest import plain


def test_shown_on_a_terminal(terminal, toy, capfd):
    GraphRank(channels=8, epochs=3).fit(toy)
    out, err = capfd.readouterr()
    assert out == ""
    shown = plain(err)
    assert "GraphRank" in shown
    assert re.search(r"3/3 epochs +loss \d\.\d{4}", shown)
    assert re.search(r"\d epochs/s", shown)


def test_one_fit_of_several_says_which(terminal, toy, capfd):
    GraphRank(channels=8, epochs=3).fit(toy, run=Run(title="fold 2 of 10"))
    assert "GraphRank, fold 2 of 10" in plain(capfd.readouterr().err)


def test_silent_where_it_is_not_wanted(terminal, toy, capfd):
    GraphRank(channels=8, epochs=3).fit(toy, run=Run(progress=False))
    assert capfd.readouterr() == ("", "")


def test_silent_where_nobody_watches(toy, capfd, monkeypatch):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    GraphRank(channels=8, epochs=3).fit(toy)
    assert capfd.readouterr() == ("", "")
