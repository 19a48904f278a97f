import json
import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrank.results.record import FORMAT, Result


def make(seeds=(0,), accuracy=None, **changes):
    """A result with one value a seed."""
    seeds = list(seeds)
    fields = {
        "task": "node-classification",
        "dataset": "toy",
        "method": "graphrank",
        "protocol": "public",
        "config": {"method": {"channels": 8}, "task": {"probe": "logistic"}},
        "seeds": seeds,
        "values": {"accuracy": list(accuracy or [80.0 + seed for seed in seeds])},
        "seconds": {"fit": [1.0] * len(seeds), "evaluate": [0.5] * len(seeds)},
        "peak_mib": [100.0 + seed for seed in seeds],
    }
    return Result(**{**fields, **changes})


@given(st.lists(st.floats(0, 100), min_size=1, max_size=8))
def test_mean_and_sample_deviation(values):
    result = make(range(len(values)), values)
    mean = sum(values) / len(values)
    assert result.mean("accuracy") == pytest.approx(mean, abs=1e-9)
    if len(values) > 1:
        squares = sum((value - mean) ** 2 for value in values)
        expected = (squares / (len(values) - 1)) ** 0.5
        assert result.std("accuracy") == pytest.approx(expected, abs=1e-6)
    else:
        assert result.std("accuracy") == 0.0


@pytest.mark.parametrize(
    "change",
    [
        {"task": "clustering"},
        {"dataset": "other"},
        {"method": "smoothing"},
        {"protocol": "random-10-10-80"},
        {"config": {"method": {"channels": 9}, "task": {"probe": "logistic"}}},
    ],
)
def test_the_key_names_the_cell(change):
    assert make().key == make(seeds=(1, 2)).key == make(environment={"torch": "x"}).key
    assert make(**change).key != make().key


def test_the_key_does_not_depend_on_the_order_of_options():
    one = make(config={"method": {"a": 1, "b": 2}})
    assert one.key == make(config={"method": {"b": 2, "a": 1}}).key


def test_add_takes_each_seed_once_with_all_that_belongs_to_it():
    result = make((0, 1))
    result.add(make((1, 2), accuracy=[0.0, 99.0]))
    assert result.seeds == [0, 1, 2]
    assert result.values == {"accuracy": [80.0, 81.0, 99.0]}
    assert result.peak_mib == [100.0, 101.0, 102.0]
    assert result.seconds == {"fit": [1.0] * 3, "evaluate": [0.5] * 3}


def test_add_keeps_the_metrics_that_all_seeds_have():
    """A row that is shorter than the seeds would give values to seeds that they are not of."""
    result = make((0,), values={"accuracy": [80.0], "f1": [70.0]})
    result.add(make((1,), values={"accuracy": [81.0]}, seconds={"fit": [2.0]}))
    result.add(make((2,), values={"accuracy": [82.0], "f1": [72.0]}))
    assert result.seeds == [0, 1, 2]
    assert result.values == {"accuracy": [80.0, 81.0, 82.0]}
    assert result.seconds == {"fit": [1.0, 2.0, 1.0]}
    assert result.only([1]).values == {"accuracy": [81.0]}


def test_adding_known_seeds_changes_nothing():
    result = make((0, 1))
    result.add(make((1,), values={"f1": [1.0]}))
    assert result == make((0, 1))


def test_what_could_not_be_measured_has_no_deviation():
    result = make((0, 1), accuracy=[math.nan, 80.0])
    assert math.isnan(result.mean("accuracy")) and math.isnan(result.std("accuracy"))


def test_some_of_its_seeds_in_the_order_asked_for():
    result = make((3, 4, 5))
    part = result.only([5, 9, 3])
    assert part == make((5, 3))
    assert result == make((3, 4, 5)) and part.key == result.key
    assert result.only([]).seeds == [] and result.only([]).values == {"accuracy": []}


def test_a_line_holds_everything():
    result = make((0, 1), environment={"torch": "2"}, preset="paper", diagnostic=True)
    line = result.to_line()
    assert "\n" not in line
    fields = json.loads(line)
    assert fields.pop("format") == FORMAT
    assert Result(**fields) == result


def test_the_report_has_figures_beside_values():
    report = make((0, 1, 2)).to_report()
    assert report["metrics"] == {
        "accuracy": {"mean": 81.0, "std": statistics.stdev([80, 81, 82]), "values": [80, 81, 82]}
    }
    wanted = {"task", "dataset", "method", "protocol", "seeds", "config", "seconds", "environment"}
    assert wanted <= set(report) and "values" not in report
    json.dumps(report)
