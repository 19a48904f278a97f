"""Measuring on validation: what lines hold, what is run again, what test labels may change."""

import json

import pytest
import torch

from graphrank.ablation.described import CRITERIA
from graphrank.ablation.run import Place, run_ablation
from graphrank.errors import DataError, TrainingError
from graphrank.methods.graphrank import GraphRank
from graphrank.tasks.node_classification import NodeClassification
from tests.ablation.conftest import TASKS, make_plan, named_toy


def run(plan, graphs, path=None, **more):
    return run_ablation(plan, graphs, path, progress=False, **more)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_line_a_seed_and_one_fit_for_tasks_that_see_the_same_graph(graphs, fitted, tmp_path):
    path, steps = tmp_path / "r.jsonl", []
    found = run(make_plan(), graphs, path, on_step=steps.append)
    stored = lines(path)
    assert len(stored) == len(steps) == 2 * 3 * 2
    assert [(step.done, step.total) for step in steps] == [(n + 1, 12) for n in range(12)]
    assert [line["seeds"] for line in stored] == [[100]] * 6 + [[101]] * 6  # seed by seed
    figures = {"node-classification": "accuracy", "link-prediction": "auc", "clustering": "nmi"}
    for line in stored:
        task = line["task"].removeprefix("ablation:")
        assert set(line["values"]) == {f"validation_{figures[task]}", *CRITERIA}
        assert line["config"]["method"]["epochs"] == 1 and "seed" not in line["config"]["method"]
    assert set(found) == {
        Place(name, "toy", task) for name in ("default", "wide") for task in TASKS
    }
    assert all(result.seeds == [100, 101] for result in found.values())
    fits = [(channels, seed) for seed in (100, 101) for channels in (4, 5)]
    assert fitted == [fit for fit in fits for _ in range(2)]  # classes and clusters; links


def test_what_is_stored_is_not_run_again(graphs, fitted, tmp_path):
    path = tmp_path / "r.jsonl"
    first = run(make_plan(seeds=1), graphs, path)
    before = path.read_bytes()
    fitted.clear()
    again = run(make_plan(seeds=1), graphs, path)
    assert fitted == [] and path.read_bytes() == before
    assert {place: each.values for place, each in again.items()} == {
        place: each.values for place, each in first.items()
    }
    more = run(make_plan(), graphs, path)
    assert set(fitted) == {(4, 101), (5, 101)}
    assert all(result.seeds == [100, 101] for result in more.values())
    fitted.clear()
    fewer = run(make_plan(seeds=1, first_seed=101, tasks=("clustering",)), graphs, path)
    assert fitted == [] and [result.seeds for result in fewer.values()] == [[101], [101]]


def test_a_run_that_was_stopped_goes_on(graphs, tmp_path):
    path, plan = tmp_path / "r.jsonl", make_plan(tasks=("clustering",))

    def stop(step):
        if step.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(plan, graphs, path, on_step=stop)
    stored = path.read_text()
    assert len(stored.splitlines()) == 2
    whole = run(plan, graphs, path)
    assert path.read_text().startswith(stored) and len(lines(path)) == 4
    alone = run(plan, graphs)
    assert {k: v.values for k, v in whole.items()} == {k: v.values for k, v in alone.items()}


def test_a_changed_option_is_a_new_line(graphs, fitted, tmp_path):
    path = tmp_path / "r.jsonl"
    run(make_plan(tasks=("clustering",)), graphs, path)
    fitted.clear()
    changed = {"default": {}, "wide": {"channels": 6}}
    run(make_plan(tasks=("clustering",), settings=changed), graphs, path)
    assert fitted == [(6, 100), (6, 101)]
    assert len(lines(path)) == 6


def test_variants_that_are_the_same_are_run_once(graphs, fitted):
    plan = make_plan(settings={"default": {}, "twin": {"margin": 1}}, tasks=("clustering",))
    found = run(plan, graphs)
    assert fitted == [(4, 100), (4, 101)]
    one, two = found.values()
    assert one.values == two.values


def test_poisoned_test_labels_change_no_stored_figure(tmp_path):
    """Each seed has its own test nodes: one seed at a time, with theirs poisoned."""
    plan = make_plan(seeds=1)
    clean, poisoned = named_toy(), named_toy()
    probing = NodeClassification()
    split = probing.split(clean, probing.protocol(None, clean), plan.first_seed)
    poisoned.y[split.test] = (poisoned.y[split.test] + 1) % 5
    assert not torch.equal(clean.y, poisoned.y)
    for name, data in (("clean", clean), ("poisoned", poisoned)):
        run(plan, {"toy": data}, tmp_path / name)
    kept = [
        [
            {k: line[k] for k in ("task", "config", "seeds", "values")}
            for line in lines(tmp_path / n)
        ]
        for n in ("clean", "poisoned")
    ]
    for clean_line, poisoned_line in zip(*kept, strict=True):
        # What graph it is, labels included, is all that a line may tell of them.
        assert clean_line["config"].pop("graph") != poisoned_line["config"].pop("graph")
        assert clean_line == poisoned_line


def test_no_line_holds_a_figure_of_test(graphs, tmp_path, monkeypatch):
    for task in ("node_classification.NodeClassification", "link_prediction.LinkPrediction"):
        monkeypatch.setattr(f"graphrank.tasks.{task}.evaluate", pytest.fail)
    monkeypatch.setattr("graphrank.tasks.clustering.Clustering.evaluate", pytest.fail)
    run(make_plan(seeds=1), graphs, tmp_path / "r.jsonl")
    names = {name for line in lines(tmp_path / "r.jsonl") for name in line["values"]}
    assert names - set(CRITERIA) == {"validation_accuracy", "validation_auc", "validation_nmi"}


def test_a_seed_that_fails_is_reported_and_the_others_go_on(graphs, monkeypatch, caplog):
    real = GraphRank.fit

    def diverge(self, *args, **kwargs):
        if self.channels == 5 and self.seed == 101:
            raise TrainingError("the loss is nan at epoch 1; try a smaller learning_rate")
        return real(self, *args, **kwargs)

    monkeypatch.setattr(GraphRank, "fit", diverge)
    found = run(make_plan(tasks=("clustering",)), graphs)
    assert [result.seeds for result in found.values()] == [[100, 101], [100]]
    assert caplog.messages == [
        "wide on toy, seed 101: the loss is nan at epoch 1; try a smaller learning_rate"
    ]


def test_a_graph_without_labels_is_told_what_can_be_measured(graphs):
    del graphs["toy"].y
    with pytest.raises(DataError, match="toy has no labels of two classes and node-classification"):
        run(make_plan(), graphs)
    run(make_plan(tasks=("link-prediction",), seeds=1), graphs)
