"""Notes on threads: who ran with how many."""

from graphrank.reproduce.items import all_items
from graphrank.reproduce.render.items import render_items
from graphrank.reproduce.threads import threads_note
from tests.reproduce.claims.lines import cells, curves

TABLE = "table-convergence"


def trained(name, dataset, threads):
    (cell,) = cells(TABLE, name=name, dataset=dataset)
    flat = [lambda epoch: 80.0]
    return curves(cell, {"validation": flat, "accuracy": flat, "seconds": flat}, threads)


def notes(*lines):
    (one,) = render_items([all_items()[TABLE]], lines)
    found = threads_note(one.states)
    assert set(found) <= set(one.parts[0].tables[0].notes)
    return found


def test_one_number_of_threads_needs_no_note():
    assert notes(trained("graphrank", "Cora", 2), trained("grace", "Cora", 2)) == ()
    assert notes(trained("graphrank", "Cora", None), trained("grace", "Cora", 2)) == ()
    assert notes() == ()


def test_methods_are_named_by_their_threads():
    (note,) = notes(trained("graphrank", "Cora", 1), trained("grace", "Cora", 2))
    assert note == (
        "Seconds with different numbers of threads do not compare. "
        "With 1 thread: GraphRank (paper preset); 2 threads: GRACE."
    )


def test_a_method_with_two_numbers_is_named_with_its_datasets():
    lines = (trained("grace", "Cora", 1), trained("grace", "CiteSeer", 2))
    (note,) = notes(*lines)
    assert "With 1 thread: GRACE (Cora); 2 threads: GRACE (CiteSeer)." in note
