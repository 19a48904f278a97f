"""Filling cells by several processes: the same lines, and nothing lost where one goes wrong."""

import os
import signal
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from graphrank.errors import GraphRankError
from graphrank.reproduce.beside import fill_beside
from graphrank.reproduce.cells import Cell
from graphrank.reproduce.item import Row
from graphrank.reproduce.jobs.evaluation import EvaluationJob
from graphrank.reproduce.plan import Step
from graphrank.results import read
from tests.reproduce.test_run import GRAPH, JOB, run, steps


@dataclass(frozen=True)
class Odd(EvaluationJob):
    """Work that a test wants something of; the processes import it from here."""

    trouble: str = ""

    @property
    def is_timed(self):
        return self.trouble == "timed"

    def run(self, seed, results, bench):
        note = Path(results).with_suffix(f".{self.task}.{seed}")
        note.write_text(f"{os.getpid()} {torch.get_num_threads()}")
        if self.trouble == "fails" and seed == 0:
            raise GraphRankError("no luck")
        if self.trouble == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        super().run(seed, results, bench)


def odd(task="node-classification", protocol="random-10-10-80", trouble=""):
    return Odd(task, GRAPH, protocol, Row("smoothing"), trouble=trouble)


def beside(path, todo, **options):
    return fill_beside(todo, path, **{"jobs": 2, "budget_seconds": 1e9, **options})


def seeds_of(path):
    return sorted(seed for line in read(path) for seed in line.seeds)


def test_the_lines_are_those_of_one_process(tmp_path):
    tally = beside(tmp_path / "beside.jsonl", steps())
    assert (tally.done, tally.left, tally.failed) == (3, 0, [])
    run(tmp_path / "alone.jsonl", steps())
    many, one = (read(tmp_path / f"{name}.jsonl") for name in ("beside", "alone"))
    found, expected = (
        dict(zip(r[0].seeds, r[0].values["accuracy"], strict=True)) for r in (many, one)
    )
    assert found == expected and set(found) == {0, 1, 2}


def test_what_shares_a_fit_has_one_process_and_threads_are_shared_out(tmp_path, monkeypatch):
    monkeypatch.setattr(torch, "get_num_threads", lambda: 7)
    jobs = [odd(), odd("clustering", "kmeans")]
    metrics = {"node-classification": ("accuracy",), "clustering": ("nmi",)}
    cells = [Cell("i", job.row, GRAPH, metrics[job.task], (0, 1), job) for job in jobs]
    seen = []
    todo = [Step(cell, seed, 1.0) for seed in (0, 1) for cell in cells]
    tally = beside(tmp_path / "r.jsonl", todo, on_step=lambda step, t: seen.append((step, t.done)))
    assert tally.done == 4
    notes = {
        (task, seed): (tmp_path / f"r.{task}.{seed}").read_text().split()
        for task in metrics
        for seed in (0, 1)
    }
    for seed in (0, 1):
        assert notes["node-classification", seed] == notes["clustering", seed]
    assert {threads for _, threads in notes.values()} == {"3"}
    assert str(os.getpid()) not in {process for process, _ in notes.values()}
    assert [step for step, _ in seen] == [todo[0], todo[2], None] and seen[-1][1] == 4


def test_what_is_timed_comes_last_and_in_this_process(tmp_path):
    timed, plain = odd(trouble="timed"), odd("clustering", "kmeans")
    todo = [*steps(1, timed), *steps(1, plain)]
    order = []
    beside(tmp_path / "r.jsonl", todo, on_step=lambda step, t: order.append((step, t.done, t.left)))
    assert order == [(todo[1], 0, 2), (todo[0], 1, 1), (None, 2, 0)]
    where = (tmp_path / "r.node-classification.0").read_text().split()[0]
    assert where == str(os.getpid())


def test_one_that_fails_does_not_stop_the_others(tmp_path, caplog):
    tally = beside(tmp_path / "r.jsonl", steps(3, odd(trouble="fails")))
    assert (tally.done, tally.left) == (2, 0)
    assert tally.failed == [f"item: SVD smoothing on {GRAPH}, seed 0: no luck"]
    assert caplog.text.count("no luck") == 1
    assert seeds_of(tmp_path / "r.jsonl") == [1, 2]


def test_a_process_that_dies_is_one_sentence(tmp_path):
    with pytest.raises(GraphRankError, match=r"for want of memory.*smaller --jobs"):
        beside(tmp_path / "r.jsonl", steps(2, odd(trouble="dies")))


def test_an_interruption_ends_the_processes_and_keeps_what_was_measured(tmp_path):
    def interrupt(step, tally):
        if tally.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        beside(tmp_path / "r.jsonl", steps(5), on_step=interrupt)
    assert 1 <= len(seeds_of(tmp_path / "r.jsonl")) <= 3
    run(tmp_path / "r.jsonl", steps(5))
    assert seeds_of(tmp_path / "r.jsonl") == [0, 1, 2, 3, 4]


def test_no_seed_is_begun_after_the_budget(tmp_path):
    seen = []
    tally = beside(
        tmp_path / "r.jsonl", steps(), budget_seconds=0.0, on_step=lambda s, t: seen.append(s)
    )
    assert (tally.done, tally.left, seen) == (0, 3, [None])
    assert JOB.is_timed is False
