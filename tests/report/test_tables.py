"""Tables as text."""

from rich.console import Console

from graphrank.report.compare import Difference, compare
from graphrank.report.tables import (
    difference_text,
    for_terminal,
    metric_title,
    score_table,
    spread,
)
from tests.report.results_for_tests import make_result


def test_spread():
    assert spread([]) == "–"
    assert spread([1.234]) == "1.23"
    assert spread([1.0, 3.0]) == "2.00 ± 1.41"


def test_differences_in_words():
    assert difference_text(None) == ""
    assert difference_text(Difference(-1.5, None)) == "-1.50"
    assert difference_text(Difference(-1.5, 0.25)) == "-1.50 ± 0.25 *"
    assert difference_text(Difference(-0.4, 0.25)) == "-0.40 ± 0.25"


def test_metric_titles():
    assert metric_title("macro_f1") == "macro-F1"
    assert metric_title("some_metric") == "some metric"


def test_a_score_table():
    comparison = compare([make_result("a", [1.0, 2.0]), make_result("b", [7.0, 8.0])])
    table = score_table(comparison)
    assert table.title == "clustering on karate, kmeans, 2 seeds"
    assert table.columns == ("method", "NMI", "NMI to best", "fit s", "peak MiB")
    texts = [[cell.text for cell in row] for row in table.rows]
    assert texts[0] == ["a", "1.50 ± 0.71", "-6.00 ± 0.00 *", "0.50", "100"]
    assert texts[1] == ["b", "7.50 ± 0.71", "best", "0.50", "100"]
    assert [[cell.strong for cell in row].count(True) for row in table.rows] == [0, 1]
    assert table.rows[1][1].strong
    assert len(table.notes) == 1


def test_diagnostic_protocols_are_marked():
    table = score_table(compare([make_result("a", [1.0], diagnostic=True)]))
    assert "kmeans [diagnostic], 1 seed" in table.title
    assert table.notes[0].startswith("Diagnostic")


def test_where_peaks_are_not_a_method_s_own_the_table_says_so():
    own = make_result("a", [1.0], environment={"peak_memory": "of the fit"})
    inherited = make_result("b", [2.0], environment={"peak_memory": "of the process so far"})
    assert score_table(compare([own])).notes == ()
    (note,) = score_table(compare([own, inherited])).notes
    assert note.startswith("peak MiB is that of the process so far")


def test_different_numbers_of_seeds_are_stated():
    results = [make_result(name, [1.0] * n) for name, n in (("a", 1), ("b", 5), ("c", 3))]
    assert score_table(compare(results)).title.endswith("1–5 seeds")


def test_the_best_is_bold_on_a_terminal_and_brackets_are_text():
    results = [make_result("[red]a", [1.0]), make_result("b", [7.0])]
    console = Console(force_terminal=True, width=120, color_system="standard")
    with console.capture() as capture:
        console.print(for_terminal(score_table(compare(results))))
    text = capture.get()
    assert "[red]a" in text
    assert "\x1b[1m1.00" not in text
    assert "\x1b[1m7.00\x1b[0m" in text
