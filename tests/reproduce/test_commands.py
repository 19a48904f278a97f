"""A printed command plans exactly the cells that it is printed for."""

import shlex
from functools import cache
from pathlib import Path

import pytest

from graphrank.errors import ConfigError
from graphrank.reproduce.cells import Selection, cells_of, chosen_cells
from graphrank.reproduce.cost import Costs
from graphrank.reproduce.items import all_items
from graphrank.reproduce.plan import states
from graphrank.reproduce.wanted import Stored
from graphrank.results import read

ROOT = Path(__file__).parents[2]
COSTS = Costs([], all_items())
NAMED = {"--datasets": 0, "--methods": 1, "--reading": 3}


@cache
def committed():
    lines = read(sorted((ROOT / "results").glob("*.jsonl")))
    return Stored(lines), Costs(lines, all_items())


@cache
def all_cells(name):
    """Made once: it takes longer than all the planning."""
    return cells_of(all_items()[name])


def planned(name, selection, stored, costs):
    return states(chosen_cells(all_items()[name], all_cells(name), selection), stored, costs)


def typed(command):
    """The item and the selection that a command names."""
    program, action, name, *options = shlex.split(command)
    assert (program, action) == ("graphrank", "reproduce")
    given = [[], [], None, []]
    for option, value in zip(options[::2], options[1::2], strict=True):
        if option == "--seeds":
            given[2] = int(value)
        else:
            given[NAMED[option]].append(value)
    return name, Selection.of(*given, items=[all_items()[name]])


def seeds_of(found):
    """Cells and seeds that are missing, whatever the number of seeds that was asked for."""
    return {
        (s.cell.row.name, s.cell.row.preset, s.cell.dataset, s.cell.reading, s.cell.value, seed)
        for s in found
        for seed in s.missing
    }


def by_command(found):
    commands = {}
    for state in found:
        if state.missing:
            commands.setdefault(state.command, []).append(state)
    return commands


def wrong_commands(name, stored, costs):
    """Commands of an item that plan anything but what they are printed for."""
    commands = by_command(planned(name, Selection(), stored, costs))
    return [
        command
        for command, waiting in commands.items()
        if seeds_of(planned(*typed(command), stored, costs)) != seeds_of(waiting)
    ]


@pytest.mark.parametrize("name", sorted(all_items()))
def test_a_command_fills_what_it_is_printed_for(name):
    assert wrong_commands(name, *committed()) == []


@pytest.mark.parametrize("name", sorted(all_items()))
def test_so_it_does_where_nothing_was_measured(name):
    assert wrong_commands(name, Stored([]), COSTS) == []


def test_a_reading_and_a_preset_are_named_where_there_are_others():
    clusters = planned("table-clustering", Selection(("Cora",), ("seegera",)), Stored([]), COSTS)
    assert [state.command.split()[-4:-2] for state in clusters] == [
        ["--reading", "kmeans"], ["--reading", "predictions"],
    ]  # fmt: skip
    graphs = planned("table-graph-classification", Selection(), Stored([]), COSTS)
    assert not any("--reading" in state.command for state in graphs)
    (paper,) = [
        state for state in planned("figure-margin", Selection(), Stored([]), COSTS)
        if state.cell.row.preset == "paper" and state.cell.value == 1.0
    ]  # fmt: skip
    assert "--methods graphrank/paper --seeds 3" in paper.command


def test_an_unknown_reading_is_told_the_nearest():
    table = all_items()["table-clustering"]
    with pytest.raises(ConfigError, match="no reading 'kmean'; did you mean 'kmeans'"):
        Selection.of((), (), None, ["kmean"], [table])
    with pytest.raises(ConfigError, match="leave out --reading"):
        Selection.of((), (), None, ["kmeans"], [all_items()["figure-margin"]])
