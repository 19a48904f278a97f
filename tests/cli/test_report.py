"""``graphrank report``."""

from tests.cli.conftest import QUICK


def test_a_page_of_all_results(shell):
    for seed in (0, 1):
        words = ("--task", "clustering", "--seeds", 1, "--first-seed", seed, *QUICK)
        shell.run("evaluate", "karate", *words, "--results", f"{seed}.jsonl")
    result = shell.run("report", "0.jsonl", "1.jsonl", "--output", "r.html")
    assert "4 results in 1 table: r.html" in result.stdout
    page = (shell.folder / "r.html").read_text()
    assert "clustering on karate, kmeans, 2 seeds" in page
    assert page.count("<tr>") == 5


def test_what_cannot_be_reported(shell):
    assert "no results file" in shell.mistake("report", "none.jsonl")
    (shell.folder / "empty.jsonl").write_text("")
    assert "no result in empty.jsonl" in shell.mistake("report", "empty.jsonl")
    (shell.folder / "report.html").write_text("mine")
    assert "exists already" in shell.mistake("report", "empty.jsonl")


def test_damaged_lines_are_skipped_with_a_warning(shell):
    words = ("--task", "clustering", "--seeds", 1, "--no-controls", *QUICK)
    shell.run("evaluate", "karate", *words, "--results", "r.jsonl")
    with (shell.folder / "r.jsonl").open("a") as file:
        file.write("{oh\n")
    result = shell.run("report", "r.jsonl")
    assert result.stderr.strip() == "warning: r.jsonl: 1 damaged line(s) skipped"
