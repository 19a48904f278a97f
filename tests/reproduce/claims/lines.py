"""Findings of items from lines out of thin air."""

from graphrank.reproduce.cells import cells_of
from graphrank.reproduce.claims import findings
from graphrank.reproduce.items import all_items
from graphrank.reproduce.render.items import render_items
from tests.reproduce.lines import line_for


def cells(item, **wanted):
    """Cells of an item by name, preset, dataset or value."""
    return [
        cell
        for cell in cells_of(all_items()[item])
        if all(_part(cell, part) == value for part, value in wanted.items())
    ]


def _part(cell, part):
    return getattr(cell.row, part) if part in ("name", "preset") else getattr(cell, part)


def line(cell, values, threads=None):
    """A line of a cell, taken with so many threads."""
    made = line_for(cell.job, values)
    if threads is not None:
        made.environment["threads"] = str(threads)
    return made


def curves(cell, ends, threads=None, epochs=None):
    """A line of a training: each curve as a function of the epoch, one for each seed."""
    looks = epochs or cell.job.epochs
    values = {
        f"{curve}@{epoch}": [each(epoch) for each in seeds]
        for curve, seeds in ends.items()
        for epoch in looks
    }
    return line(cell, values, threads)


def found(name, lines, text="", dataset=""):
    """Findings of an item whose claim and place begin or contain this."""
    (one,) = render_items([all_items()[name]], lines)
    return [
        each for each in findings(one) if text in each.claim and each.dataset.startswith(dataset)
    ]


def standings(name, lines, text="", dataset=""):
    """Their verdicts alone."""
    return [each.standing for each in found(name, lines, text, dataset)]
