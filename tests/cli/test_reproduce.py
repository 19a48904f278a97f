"""``graphrank reproduce``: what it lists, renders, measures and refuses."""

import json

import pytest

from graphrank.reproduce.cells import Selection, cells_of
from graphrank.reproduce.items import all_items
from graphrank.reproduce.jobs.evaluation import EvaluationJob
from graphrank.reproduce.run import Tally
from graphrank.results import append, read
from tests.reproduce.lines import line_for

TABLE = "table-node-classification"
ONE = (TABLE, "--datasets", "cora", "--methods", "smoothing")


def stored(path, values=(79.0, 79.5)):
    cell = cells_of(all_items()[TABLE], Selection(("Cora",), ("smoothing",)))[0]
    append(path, line_for(cell.job, {"accuracy": list(values)}))


def test_the_list_names_all_items(shell):
    text = shell.run("reproduce", "--list").stdout
    for name in all_items():
        assert name in text


def test_without_a_budget_it_renders_and_measures_nothing(shell, monkeypatch):
    stored(shell.folder / "results" / "old.jsonl")
    monkeypatch.setattr(EvaluationJob, "run", pytest.fail)
    result = shell.run("reproduce", *ONE)
    assert "written: reproduced/report.html" in result.stdout
    assert "accuracy 84.93 ± 1.07" in result.stdout and "not measured" in result.stdout
    assert (
        f"missing: graphrank reproduce {TABLE} --datasets cora --methods smoothing" in result.stderr
    )
    text = (shell.folder / "reproduced" / f"{TABLE}.md").read_text()
    assert "79.25 ± 0.35" in text
    assert not (shell.folder / "results" / "reproduce.jsonl").exists()


def test_a_budget_fills_what_is_missing_and_a_second_run_nothing(shell, monkeypatch):
    stored(shell.folder / "results" / "old.jsonl")
    ran = []

    def run(self, seed, results, load):
        ran.append(seed)
        append(results, line_for(self, {"accuracy": [79.0 + seed]}, seeds=[seed]))

    monkeypatch.setattr(EvaluationJob, "run", run)
    words = ("reproduce", *ONE, "--seeds", 4, "--budget", 600, "--output", "o")
    result = shell.run(*words)
    assert sorted(ran) == [0, 1, 2, 2, 3, 3]  # two of the stated reading were there
    assert "6 of 6 missing seeds measured" in result.stderr and "left; " in result.stderr
    assert "all done about" in result.stderr
    lines = read(shell.folder / "results" / "reproduce.jsonl")
    assert {line.protocol for line in lines} == {"public", "random-10-10-80"}
    again = shell.run(*words)
    assert len(ran) == 6 and "measured" not in again.stderr


def test_jobs_measure_side_by_side_and_the_budget_is_for_each(shell, monkeypatch):
    asked = []

    def fill_beside(steps, results, **options):
        asked.append((len(steps), options["jobs"], options["budget_seconds"]))
        return Tally(len(steps), done=len(steps))

    monkeypatch.setattr("graphrank.cli.actions.reproduce.fill_beside", fill_beside)
    words = ("reproduce", *ONE, "--reading", "stated", "--seeds", 40)
    for jobs in (2, 4):
        shell.run(*words, "--budget", 0.1, "--jobs", jobs)
    (few, *first), (more, *second) = asked
    assert (first, second) == ([2, 6.0], [4, 6.0])
    assert 0 < few < more
    assert "invalid value for '--jobs'" in shell.run(*words, "--jobs", 0, code=2).stderr.lower()


def test_a_reading_fills_its_own_cells_alone(shell, monkeypatch):
    def run(self, seed, results, load):
        append(results, line_for(self, {"accuracy": [79.0]}, seeds=[seed]))

    monkeypatch.setattr(EvaluationJob, "run", run)
    words = (*ONE, "--reading", "random", "--seeds", 2, "--budget", 600)
    shell.run("reproduce", *words)
    (line,) = read(shell.folder / "results" / "reproduce.jsonl")
    assert (line.protocol, line.seeds) == ("random-10-10-80", [0, 1])


def test_a_budget_that_is_too_small_says_what_is_needed(shell, monkeypatch):
    monkeypatch.setattr(EvaluationJob, "run", pytest.fail)
    words = (TABLE, "--datasets", "physics", "--methods", "seegera", "--budget", 0.01)
    said = shell.run("reproduce", *words).stderr
    assert "nothing fits into 0.01 minutes" in said and "say --budget" in said


def test_an_interruption_says_that_nothing_is_lost(shell, monkeypatch):
    def run(self, seed, results, load):
        raise KeyboardInterrupt

    monkeypatch.setattr(EvaluationJob, "run", run)
    result = shell.run("reproduce", *ONE, "--budget", 600, code=130)
    assert "the same command goes on" in result.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "name an item or all"),
        (("table-clusterin",), "there is no item 'table-clusterin'; did you mean 'table-cluster"),
        ((TABLE, "--datasets", "corra"), "there is no dataset 'corra'; did you mean 'Cora'?"),
        ((TABLE, "--methods", "grac"), "there is no method 'grac'; did you mean 'grace'?"),
        (("figure-margin", "--datasets", "photo"), "figure-margin has no such cells"),
        ((TABLE, "--budget", "-1"), "invalid value for '--budget'"),
    ],
)
def test_mistakes_are_one_sentence(shell, words, sentence):
    assert shell.mistake("reproduce", *words).startswith(sentence)


def test_a_damaged_line_is_counted_and_a_newer_format_refused(shell):
    path = shell.folder / "results" / "old.jsonl"
    stored(path)
    with path.open("a") as file:
        file.write("{half a li\n")
    assert "1 damaged line(s) skipped" in shell.run("reproduce", *ONE).stderr
    newer = {**json.loads(path.read_text().splitlines()[0]), "format": 99}
    path.write_text(json.dumps(newer) + "\n")
    assert "install a newer graphrank" in shell.mistake("reproduce", *ONE)


def test_it_explains_itself(shell):
    assert "graphrank reproduce all" in shell.run("reproduce", "--help").stdout
