"""Oracle negatives are of other classes, uniform over them, and marked as a diagnostic."""

import json

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank import METHODS, GraphRank
from graphrank.analysis.false_negatives import false_negative_study
from graphrank.analysis.oracle import (
    Oracle,
    OracleGrace,
    OracleGraphRank,
    other_class_negatives,
)
from graphrank.data import without_labels
from graphrank.errors import ConfigError, DataError
from graphrank.methods.grace import Grace
from tests.conftest import toy_graph
from tests.nn.test_infonce import by_loops, draw

SMALL = {"epochs": 2, "channels": 4, "negatives": 3}


@given(st.lists(st.integers(-1, 4), min_size=2, max_size=30), st.integers(1, 5))
def test_negatives_are_labelled_and_of_another_class(labels, count):
    y = torch.tensor(labels)
    if len(set(labels) - {-1}) < 2:
        with pytest.raises(DataError, match="at least two classes"):
            other_class_negatives(y, count)
        return
    drawn = other_class_negatives(y, count)
    assert drawn.shape == (len(labels), count)
    assert bool((y[drawn] >= 0).all())
    assert bool((y[drawn] != y.unsqueeze(1)).all())


def test_negatives_are_uniform_over_the_other_classes():
    y = torch.tensor([1, 0, 2, 1, 3, -1, 1])
    torch.manual_seed(0)
    drawn = other_class_negatives(y, 30_000)
    for node, label in enumerate(y.tolist()):
        others = [i for i, other in enumerate(y.tolist()) if other >= 0 and other != label]
        counts = torch.bincount(drawn[node], minlength=7)
        assert sorted(counts.nonzero().flatten().tolist()) == others
        assert counts[others].double().div(30_000) == pytest.approx(1 / len(others), abs=0.02)


def test_the_oracle_spares_its_own_class_and_the_unlabelled_in_a_batch():
    y = torch.tensor([0, 1, 0, -1, 1])
    rows, columns = torch.tensor([0, 1, 3]), torch.tensor([2, 1, 3])
    expected = [[True, False, True], [False, True, True], [False, False, True]]
    assert OracleGraphRank().reveal(y).spared(rows, columns).tolist() == expected
    assert GraphRank().spared(rows, columns).diagonal().tolist() == [False, True, True]


def test_the_oracle_draws_by_its_classes_and_the_method_does_not(toy, monkeypatch):
    seen = []
    draw = OracleGraphRank.draw_negatives
    monkeypatch.setattr(
        OracleGraphRank,
        "draw_negatives",
        lambda self, graph: (seen.append(draw(self, graph)), seen[-1])[1],
    )
    OracleGraphRank(**SMALL).reveal(toy.y).fit(toy)
    assert len(seen) == 2
    assert all(bool((toy.y[drawn] != toy.y.unsqueeze(1)).all()) for drawn in seen)
    assert not isinstance(GraphRank(), Oracle)
    with pytest.raises(ConfigError, match="call reveal"):
        OracleGraphRank(**SMALL).fit(toy)


@pytest.mark.parametrize("block", [0, 5])
def test_grace_leaves_its_own_class_and_the_unlabelled_out_of_the_loss(block):
    y = torch.tensor([0, 1, -1, 0, 2, 1, -1, 2])
    z_1, z_2 = draw(8, seed=0)
    known = y >= 0
    expected = float(by_loops(z_1[known], z_2[known], 0.4, y[known]))
    oracle = OracleGrace(block=block).reveal(y)
    assert float(oracle.contrast(z_1, z_2)) == pytest.approx(expected, rel=1e-9)
    with pytest.raises(ConfigError, match="call reveal"):
        OracleGrace().contrast(z_1, z_2)
    with pytest.raises(DataError, match="at least two classes"):
        OracleGrace().reveal(torch.tensor([0, 0, -1, 0])).contrast(z_1[:4], z_2[:4])


def test_the_study_of_grace():
    settings = {"epochs": 20, "channels": 8, "projector": 8, "learning_rate": 0.01}
    measures = ["intra_class_variance_normalized", "inter_class_distance_normalized"]
    study = false_negative_study(
        toy_graph(size=20), [0], method=Grace, oracle=OracleGrace, settings=settings,
        measures=measures, progress=False,
    )  # fmt: skip
    assert (study.random.method, study.oracle.method) == ("grace", "grace-oracle")
    assert study.oracle.diagnostic
    # Nobody pushes a class apart, so that it stays closer together and farther from the others.
    assert study.gain("intra_class_variance_normalized") < 0
    assert study.gain("inter_class_distance_normalized") > 0


@pytest.mark.parametrize("oracle", [OracleGraphRank, OracleGrace])
def test_the_oracle_is_in_no_registry(oracle):
    assert oracle not in METHODS.values()
    assert oracle.info.name not in METHODS
    assert oracle.info.family == "diagnostic"


def test_the_study_marks_every_line_and_goes_on_from_them(tmp_path):
    data, path = toy_graph(size=30), tmp_path / "r.jsonl"
    seen = []
    study = false_negative_study(
        data, [0, 1], settings=SMALL, measures=["accuracy", "outliers"], results_file=path,
        on_seed=seen.append,
    )  # fmt: skip
    stored = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["method"] for line in stored] == ["graphrank"] * 2 + ["graphrank-oracle"] * 2
    assert all(line["diagnostic"] and line["task"] == "false-negatives" for line in stored)
    assert len(seen) == 4
    assert study.random.seeds == study.oracle.seeds == [0, 1]
    expected = study.oracle.mean("accuracy") - study.random.mean("accuracy")
    assert study.gain() == pytest.approx(expected)
    again = false_negative_study(
        data, [0, 1], settings=SMALL, measures=["accuracy"], results_file=path, on_seed=pytest.fail
    )
    assert again.oracle.values == {"accuracy": study.oracle.values["accuracy"]}
    assert again.oracle.diagnostic


def test_the_study_refuses_what_it_cannot_use(toy):
    with pytest.raises(DataError, match="needs labels"):
        false_negative_study(without_labels(toy), [0])
    with pytest.raises(ConfigError, match="GraphRank has no reveal"):
        false_negative_study(toy, [0], oracle=GraphRank)
    with pytest.raises(ConfigError, match="no measure"):
        false_negative_study(toy, [0], measures=["acc"])
