"""What is missing, what it costs, and what a budget buys."""

from itertools import groupby

import pytest

from graphrank.reproduce.cells import Selection, cells_of
from graphrank.reproduce.cost import EPOCH, Costs, graph_size
from graphrank.reproduce.items import all_items
from graphrank.reproduce.plan import _fit_of, affordable, budget_for, seconds_of_all, states
from graphrank.reproduce.wanted import Stored
from tests.reproduce.lines import line_for

ITEM = all_items()["table-node-classification"]


def planned(*lines, datasets=("Cora",), methods=("graphrank",), items=(ITEM,)):
    chosen = Selection(datasets, methods)
    cells = [cell for item in items for cell in cells_of(item, chosen)]
    return states(cells, Stored(lines), Costs(lines, all_items()))


def first_cell(dataset="Cora", method="graphrank"):
    return cells_of(ITEM, Selection((dataset,), (method,)))[0]


def test_seeds_that_are_stored_are_not_missing():
    line = line_for(first_cell().job, {"accuracy": [1.0, 2.0]}, seeds=[0, 3])
    before, after = planned()[0], planned(line)[0]
    assert before.missing == (0, 1, 2, 3, 4) and before.result is None
    assert after.missing == (1, 2, 4) and after.result.seeds == [0, 3]


def test_costs_come_from_the_same_cell_then_from_other_graphs_then_from_a_guess():
    here = line_for(first_cell().job, {"accuracy": [1.0]}, seconds=7.0)
    assert planned(here)[0].seconds == 7.0
    there = line_for(first_cell("PubMed").job, {"accuracy": [1.0]}, seconds=50.0)
    scaled = 50.0 * graph_size("Cora") / graph_size("PubMed")
    assert planned(there)[0].seconds == pytest.approx(scaled)
    guess = ITEM.guess["grace"] * graph_size("Cora") / 100_000
    assert planned(there, methods=("grace",))[0].seconds == pytest.approx(guess)


def test_any_method_tells_what_it_takes_to_judge_an_embedding_of_a_graph():
    there = line_for(first_cell("PubMed").job, {"accuracy": [1.0]}, seconds=50.0, judging=8.0)
    mine = graph_size("Cora") / graph_size("PubMed")
    assert planned(there)[0].seconds == pytest.approx(58.0 * mine)  # nobody was judged on Cora
    other = line_for(first_cell(method="grace").job, {"accuracy": [1.0]}, judging=3.0)
    assert planned(there, other)[0].seconds == pytest.approx(50.0 * mine + 3.0)


def test_a_training_of_another_length_is_no_measure():
    line = line_for(first_cell().job, {"accuracy": [1.0]}, seconds=7.0)
    line.config["method"]["epochs"] = 1
    assert planned(line)[0].seconds != 7.0


def test_the_cheapest_first_and_never_past_the_budget():
    lines = [
        line_for(first_cell(name).job, {"accuracy": [1.0]}, seeds=[9], seconds=seconds)
        for name, seconds in (("Cora", 30.0), ("CiteSeer", 10.0))
    ]
    found = planned(*lines, datasets=("Cora", "CiteSeer"))
    mine = [s for s in found if s.cell.row.preset == "default" and s.cell.reading == "stated"]
    steps = affordable(mine, 90.0)
    assert [(step.cell.dataset, step.seed) for step in steps] == [
        ("CiteSeer", 0), ("CiteSeer", 1), ("CiteSeer", 2), ("CiteSeer", 3), ("CiteSeer", 4),
        ("Cora", 0),
    ]  # fmt: skip
    assert sum(step.seconds for step in steps) <= 90.0
    assert affordable(mine, 9.0) == []


def test_work_of_two_items_is_done_once():
    both = planned(items=(ITEM, ITEM))
    once = planned()
    assert len(affordable(both, 1e9)) == len(affordable(once, 1e9))


def test_seeds_that_can_share_a_fit_stand_together():
    clusters = all_items()["table-clustering"]
    both = planned(items=(ITEM, clusters), datasets=("Cora", "CiteSeer"), methods=("graphrank",))
    steps = affordable(both, 1e9)
    order = [(s.cell.dataset, s.cell.row.name, s.cell.row.preset, s.seed) for s in steps]
    blocks = [key for key, _ in groupby(order)]
    assert len(blocks) == len(set(blocks)) < len(order)


@pytest.mark.parametrize("names", [("node-classification", "clustering"), ("link-prediction",)])
def test_a_shared_fit_is_paid_for_once(names):
    """Classes and clusters see the same graph; links see one for each protocol."""
    items = [all_items()[f"table-{name}"] for name in names]
    lines = [
        line_for(
            cell.job, {metric: [1.0] for metric in cell.metrics}, [9], seconds=100.0, judging=2.0
        )
        for item in items
        for cell in cells_of(item, Selection(("Cora",), ("smoothing",)))
    ]
    found = planned(*lines, items=items, methods=("smoothing",))
    fits = {(state.cell.job.fit_sees, seed) for state in found for seed in state.missing}
    seeds = sum(len(state.missing) for state in found)
    assert len(fits) < seeds
    assert seconds_of_all(found) == pytest.approx(100.0 * len(fits) + 2.0 * seeds)
    assert len(affordable(found, 103.9)) == 1 < len(affordable(found, 104.0))


def test_a_supervised_fit_is_shared_with_nobody():
    assert first_cell(method="gcn").job.fit_sees is None
    assert _fit_of(first_cell(method="gcn"), 0) is None
    assert _fit_of(first_cell(method="dgi"), 0) != _fit_of(first_cell(method="dgi"), 1)


def test_the_command_names_the_cell_and_has_room():
    state = planned(methods=("grace",))[0]
    assert state.command == (
        "graphrank reproduce table-node-classification --datasets cora --methods grace "
        "--reading stated --seeds 5"
    )
    assert budget_for(1.0) == 1 and budget_for(600.0) == 15


def test_sizes():
    assert graph_size("cora") == 2708 + 10556
    assert graph_size("sbm:nodes=2000,features=64") == 22_000
    assert graph_size("edges.csv") is None


def long_state(seconds, method="grace", seeds=None):
    job = first_cell("CiteSeer", method).job
    line = line_for(job, {"accuracy": [1.0]}, seeds=[9], seconds=seconds)
    cells = cells_of(ITEM, Selection(("CiteSeer",), (method,), seeds))[:1]
    return states(cells, Stored([line]), Costs([line], all_items()))[0]


@pytest.mark.parametrize(
    ("seconds", "missing"), [(60.0, 5), (599.0, 5), (601.0, 3), (899.0, 3), (901.0, 1), (3599.0, 1)]
)
def test_a_slow_method_wants_fewer_seeds(seconds, missing):
    assert len(long_state(seconds).missing) == missing


def test_who_asks_for_seeds_gets_them_and_graphrank_has_all_of_them():
    assert len(long_state(9000.0, seeds=2).missing) == 2
    assert len(long_state(9000.0, method="graphrank").missing) == 5
    assert len(long_state(9000.0, method="smoothing").missing) == 5


def test_a_cell_of_hours_says_so_and_one_that_has_a_seed_is_content():
    there = line_for(first_cell("CiteSeer", "dgi").job, {"accuracy": [1.0]}, seconds=9000.0)
    waiting, done = planned(there, datasets=("Physics", "CiteSeer"), methods=("dgi",))[:2]
    by_name = {state.cell.dataset: state for state in (waiting, done)}
    assert by_name["Physics"].too_long and not by_name["Physics"].missing
    assert " h a seed" in by_name["Physics"].reason
    assert not by_name["CiteSeer"].too_long and by_name["CiteSeer"].missing == ()


def test_a_guess_denies_nothing():
    state = planned(datasets=("Physics",), methods=("seegera",))[0]
    assert state.seconds > 3600 and not state.too_long and len(state.missing) == 3


def test_the_cost_of_all_pairs_grows_with_the_square_of_the_nodes():
    line = line_for(first_cell("CiteSeer", "grace").job, {"accuracy": [1.0]}, seconds=10.0)
    state = planned(line, datasets=("PubMed",), methods=("grace",))[0]
    epochs = state.cell.job.wanted.options["epochs"] / line.config["method"]["epochs"]
    assert state.seconds == pytest.approx(10.0 * epochs * (19717 / 3327) ** 2)


def test_an_epoch_of_so_many_graphs_costs_by_the_size_of_a_graph():
    """PROTEINS has six times the graphs of MUTAG; GIN draws as many of them in an epoch."""
    item = all_items()["table-graph-classification"]
    there, wanted = (
        cells_of(item, Selection((name,), ("gin",)))[0] for name in ("MUTAG", "PROTEINS")
    )
    line = line_for(there.job, {"accuracy": [1.0]}, seconds=100.0)
    state = states([wanted], Stored([line]), Costs([line], all_items()))[0]
    larger = (graph_size("PROTEINS") / 1113) / (graph_size("MUTAG") / 188)
    assert 3 < larger < 4
    assert state.seconds == pytest.approx(100.0 * larger)


def test_an_epoch_of_so_many_nodes_costs_the_same_on_every_graph():
    line = line_for(first_cell("CiteSeer", "mvgrl").job, {"accuracy": [1.0]}, seconds=100.0)
    state = planned(line, datasets=("Physics",), methods=("mvgrl",))[0]
    epochs = state.cell.job.wanted.options["epochs"] / line.config["method"]["epochs"]
    assert state.seconds == pytest.approx(100.0 * epochs)


def epoch_line(dataset, method, milliseconds):
    job = first_cell(dataset, method).job
    line = line_for(job, {"milliseconds": [milliseconds]})
    line.task = EPOCH
    return line


def test_timed_epochs_tell_what_a_whole_training_takes():
    line = epoch_line("CS", "bgrl", 1500.0)
    state = planned(line, datasets=("CS",), methods=("bgrl",))[0]
    epochs = state.cell.job.wanted.options["epochs"]
    assert state.seconds == pytest.approx(1.5 * epochs)
    near, far = line, epoch_line("Cora", "bgrl", 7.0)
    state = planned(near, far, datasets=("Physics",), methods=("bgrl",))[0]
    epochs = state.cell.job.wanted.options["epochs"]
    assert state.seconds == pytest.approx(1.5 * epochs * graph_size("Physics") / graph_size("CS"))


def test_timed_epochs_say_nothing_of_a_method_that_stops_when_it_likes():
    for method in ("gcn", "dgi"):
        state = planned(epoch_line("CS", method, 1.0), datasets=("CS",), methods=(method,))[0]
        assert not state.too_long and state.seconds == pytest.approx(
            ITEM.guess.get(method, 60.0) * graph_size("CS") / 100_000
        )


def test_as_many_epochs_tell_more_than_another_number_of_them():
    same, other = (
        line_for(first_cell(name, "gcn").job, {"accuracy": [1.0]}, seconds=40.0)
        for name in ("Photo", "Cora")
    )
    state = planned(same, other, datasets=("CS",), methods=("gcn",))[0]
    assert state.seconds == pytest.approx(40.0 * graph_size("CS") / graph_size("Photo"))
