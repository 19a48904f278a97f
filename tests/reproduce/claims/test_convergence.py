"""Epochs and seconds of convergence, against the printed ones and against GRACE."""

import pytest

from tests.reproduce.claims.lines import cells, curves, found, standings

TABLE = "table-convergence"


def trained(name, reached, pace=1.0, threads=2, dataset="Cora"):
    """Trainings that have 99 % at these epochs, one a seed, at so many seconds an epoch."""
    (cell,) = cells(TABLE, name=name, dataset=dataset)
    steps = [lambda epoch, at=at: 80.0 if epoch >= at else 40.0 for at in reached]
    times = [lambda epoch: pace * epoch] * len(reached)
    return curves(cell, {"validation": steps, "accuracy": steps, "seconds": times}, threads)


@pytest.mark.parametrize(("reached", "verdict"), [(150, "holds"), (175, "does not hold")])
def test_printed_epochs_are_enough_or_not(reached, verdict):
    lines = [trained("graphrank", [reached])]
    assert standings(TABLE, lines, "after 150 epochs", "Cora") == [verdict]


def test_several_seeds_have_two_standard_errors():
    lines = [trained("graphrank", [25, 150, 350])]
    assert standings(TABLE, lines, "after 150 epochs", "Cora") == ["holds"]
    lines = [trained("graphrank", [300, 325, 350])]
    assert standings(TABLE, lines, "after 150 epochs", "Cora") == ["does not hold"]


@pytest.mark.parametrize(
    ("ours", "theirs", "verdict"),
    [(25, 250, "holds"), (250, 25, "does not hold"), (50, 75, "open")],
)
def test_fewer_epochs_than_grace_where_that_was_printed(ours, theirs, verdict):
    lines = [trained("graphrank", [ours]), trained("grace", [theirs])]
    assert standings(TABLE, lines, "fewer epochs", "Cora") == [verdict]


def test_the_claim_is_what_was_printed_whoever_is_ahead():
    words = {each.dataset: each.claim for each in found(TABLE, []) if "epochs" in each.claim}
    assert "as many epochs as GRACE (150)" in words["CiteSeer"]
    assert "more epochs than GRACE (500 against 300)" in words["CS"]
    reached = {"CS": (500, 300), "CiteSeer": (100, 300)}
    lines = [
        trained(name, [epochs], dataset=dataset)
        for dataset, both in reached.items()
        for name, epochs in zip(("graphrank", "grace"), both, strict=True)
    ]
    assert standings(TABLE, lines, "more epochs", "CS") == ["holds"]
    assert standings(TABLE, lines, "as many epochs", "CiteSeer") == ["does not hold"]


@pytest.mark.parametrize(
    ("threads", "paces", "verdict"),
    [
        ((2, 2), (1.0, 3.0), "holds"),
        ((2, 2), (3.0, 1.0), "does not hold"),
        ((1, 2), (1.0, 3.0), "holds"),  # faster although it had fewer
        ((2, 1), (1.0, 3.0), "open"),
        ((1, 2), (3.0, 1.0), "open"),
        ((None, 2), (1.0, 3.0), "open"),
    ],
)
def test_seconds_compare_where_threads_let_them(threads, paces, verdict):
    lines = [
        trained(name, [100], pace, count)
        for name, pace, count in zip(("graphrank", "grace"), paces, threads, strict=True)
    ]
    assert standings(TABLE, lines, "less time", "Cora") == [verdict]


def test_without_lines_nothing_is_said():
    assert set(standings(TABLE, [])) == {"not measured"}
