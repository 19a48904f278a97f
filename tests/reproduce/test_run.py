"""Filling cells: resumed, shared, interrupted, and going on past what fails."""

import pytest

from graphrank.errors import GraphRankError
from graphrank.reproduce.cells import Cell
from graphrank.reproduce.item import Row
from graphrank.reproduce.jobs.evaluation import EvaluationJob
from graphrank.reproduce.plan import Step
from graphrank.reproduce.run import fill
from graphrank.results import append, read
from tests.reproduce.lines import line_for

GRAPH = "sbm:nodes=90,classes=3"
JOB = EvaluationJob("node-classification", GRAPH, "random-10-10-80", Row("smoothing"))


def steps(count=3, job=JOB):
    cell = Cell("item", Row("smoothing"), GRAPH, ("accuracy",), tuple(range(count)), job)
    return [Step(cell, seed, 1.0) for seed in range(count)]


def run(path, todo, **options):
    return fill(todo, path, **{"budget_seconds": 1e9, **options})


def test_every_seed_is_stored_as_soon_as_it_is_there(tmp_path):
    path, seen = tmp_path / "r.jsonl", []

    def look(step, tally):
        lines = len(path.read_text().splitlines()) if path.exists() else 0
        seen.append((lines, tally.done, tally.left))

    tally = run(path, steps(), on_step=look)
    assert (tally.done, tally.left, tally.failed) == (3, 0, [])
    assert seen == [(0, 0, 3), (1, 1, 2), (2, 2, 1), (3, 3, 0)]
    assert read(path)[0].seeds == [0, 1, 2]


def test_a_second_run_measures_nothing(tmp_path, monkeypatch):
    path = tmp_path / "r.jsonl"
    run(path, steps())
    before = path.read_bytes()
    monkeypatch.setattr(EvaluationJob, "run", pytest.fail)
    assert run(path, steps()).done == 3
    assert path.read_bytes() == before


def test_what_another_run_wrote_meanwhile_is_left_to_it(tmp_path):
    path = tmp_path / "r.jsonl"

    def other(step, tally):
        if step is not None and step.seed == 0:
            append(path, line_for(JOB, {"accuracy": [1.0]}, seeds=[1]))

    assert run(path, steps(), on_step=other).done == 3
    assert sorted(seed for line in read(path) for seed in line.seeds) == [0, 1, 2]
    assert len(path.read_text().splitlines()) == 3


def test_an_interruption_loses_the_seed_under_way_alone(tmp_path, monkeypatch):
    path, really = tmp_path / "r.jsonl", EvaluationJob.run

    def interrupted(self, seed, results, load):
        if seed == 2:
            raise KeyboardInterrupt
        really(self, seed, results, load)

    monkeypatch.setattr(EvaluationJob, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(path, steps())
    assert read(path)[0].seeds == [0, 1]
    monkeypatch.setattr(EvaluationJob, "run", really)
    run(path, steps())
    assert read(path)[0].seeds == [0, 1, 2]


def test_one_that_fails_does_not_stop_the_others(tmp_path, monkeypatch, caplog):
    path, really = tmp_path / "r.jsonl", EvaluationJob.run

    def failing(self, seed, results, load):
        if seed == 0:
            raise GraphRankError("no luck")
        really(self, seed, results, load)

    monkeypatch.setattr(EvaluationJob, "run", failing)
    tally = run(path, steps())
    assert (tally.done, tally.left) == (2, 0)
    assert tally.failed == [f"item: SVD smoothing on {GRAPH}, seed 0: no luck"]
    assert "no luck" in caplog.text


def test_no_seed_is_begun_after_the_budget(tmp_path):
    tally = run(tmp_path / "r.jsonl", steps(), budget_seconds=0.0)
    assert (tally.done, tally.left) == (0, 3)
