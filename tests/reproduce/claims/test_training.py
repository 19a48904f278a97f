"""Whole trainings on CS: seconds and accuracy against GRACE and BGRL."""

from tests.reproduce.claims.lines import cells, curves, found, standings

FIGURE = "figure-training-efficiency"


def trained(name, accuracy, seconds, preset="default", threads=2):
    """A training with this accuracy at every look, and so many seconds at its end."""
    (cell,) = cells(FIGURE, name=name, preset=preset)
    last = cell.job.epochs[-1]
    same = [lambda epoch: accuracy]
    times = [lambda epoch: seconds * epoch / last]
    return curves(cell, {"validation": same, "accuracy": same, "seconds": times}, threads)


def verdicts(text, mine, other):
    lines = [trained("graphrank", *mine), trained("bgrl", *other, preset="authors")]
    return standings(FIGURE, lines, text, "CS, GraphRank")[:1]


def test_a_part_of_a_training_can_be_found_the_longer_and_not_the_shorter():
    assert verdicts("less time than BGRL", (90.0, 10.0), (90.0, 50.0)) == ["holds"]
    assert verdicts("less time than BGRL", (90.0, 50.0), (90.0, 10.0)) == ["open"]


def test_more_accurate_than_a_part_of_a_training_is_another_protocol():
    better = verdicts("more accurate than BGRL", (95.0, 1.0), (90.0, 1.0))
    assert better == ["holds only under another protocol"]
    worse = verdicts("more accurate than BGRL", (89.0, 1.0), (90.0, 1.0))
    assert worse == ["does not hold"]


def test_the_evidence_names_epochs_seconds_and_threads():
    lines = [trained("graphrank", 95.0, 10.0, threads=1), trained("grace", 90.0, 50.0, "authors")]
    first = found(FIGURE, lines, "less time than GRACE")[0]
    assert "10 s with 1 thread for" in first.evidence
    assert "GRACE 50 s with 2 threads for 60 of its 1,000 epochs (1 seed)" in first.evidence


def test_both_presets_are_judged_and_without_lines_not():
    places = {each.dataset for each in found(FIGURE, [])}
    assert places == {"CS, GraphRank", "CS, GraphRank (paper preset)"}
    assert set(standings(FIGURE, [])) == {"not measured"}
