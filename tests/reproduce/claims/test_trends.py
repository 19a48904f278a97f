"""What a swept option does to a measure."""

import pytest

from graphrank.reproduce.claims.trends import standing
from graphrank.reproduce.item import Trend
from graphrank.results.record import Result
from tests.reproduce.claims.lines import cells, line, standings

STEADY = (0.0, 0.1, 0.2)


def result(mean, noise=STEADY, threads=2):
    values = [mean + extra for extra in noise]
    made = Result("sweep:x", "Cora", "m", "public", {}, list(range(len(values))), {"x": values})
    made.environment["threads"] = str(threads)
    made.values["seconds"] = values
    return made


def judged(change, means, within=0.0, noises=None):
    trend = Trend("t", "x", 0, 9, change, within)
    noises = noises or [STEADY] * len(means)
    return standing(trend, [result(*pair) for pair in zip(means, noises, strict=True)])


@pytest.mark.parametrize(
    ("means", "verdict"),
    [
        ((1.0, 2.0, 3.0), "holds"),
        ((3.0, 2.0, 1.0), "does not hold"),
        ((1.0, 4.0, 3.0), "does not hold"),  # up, and down again
    ],
)
def test_to_rise_is_to_end_higher_and_to_fall_nowhere(means, verdict):
    assert judged("rises", means) == verdict
    assert judged("falls", [-mean for mean in means]) == verdict


def test_a_difference_that_seeds_do_not_tell_is_open():
    assert judged("rises", (1.0, 1.2), noises=[STEADY, (0.5, -0.4, 0.2)]) == "open"


def test_to_stay_is_to_be_near_the_first_and_to_gain_nothing_may_be_to_lose():
    assert judged("stays", (80.0, 80.9, 79.1), within=1.0) == "holds"
    assert judged("stays", (80.0, 78.0), within=1.0) == "does not hold"
    assert judged("gains nothing", (80.0, 78.0), within=1.0) == "holds"
    assert judged("gains nothing", (80.0, 82.0), within=1.0) == "does not hold"
    wild = [STEADY, (9.0, -9.0, 6.0)]
    assert judged("gains nothing", (80.0, 82.0), within=1.0, noises=wild) == "open"


def test_seconds_of_different_threads_are_open():
    trend = Trend("t", "seconds", 0, 9, "rises")
    assert standing(trend, [result(1.0), result(5.0)]) == "holds"
    assert standing(trend, [result(1.0), result(5.0, threads=1)]) == "open"


def test_trends_of_the_margin_are_read_from_its_own_range():
    """Accuracy may do what it likes above a margin of 1 where the claim ends there."""
    accuracy = {0.0: 80.0, 0.0001: 80.0, 0.01: 80.0, 0.1: 80.0, 1.0: 80.0, 10.0: 60.0}
    lines = [
        line(
            cell,
            {name: [accuracy[cell.value] + extra for extra in STEADY] for name in cell.metrics},
        )
        for cell in cells("figure-margin", preset="paper")
    ]
    paper = "Cora, GraphRank (paper preset)"
    assert standings("figure-margin", lines, "up to 1", paper) == ["holds"]
    assert standings("figure-margin", lines, "above a margin of 1", paper) == ["holds"]
    assert standings("figure-margin", lines, "variance rises", paper) == ["does not hold"]
    assert set(standings("figure-margin", lines[:-1], "above", paper)) == {"not measured"}
