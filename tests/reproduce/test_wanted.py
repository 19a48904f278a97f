"""Which stored lines fill a cell."""

import copy

from graphrank.reproduce.item import Row
from graphrank.reproduce.jobs.analysis import AnalysisJob
from graphrank.reproduce.jobs.evaluation import EvaluationJob
from graphrank.reproduce.wanted import Stored
from tests.reproduce.lines import line_for

JOB = EvaluationJob("node-classification", "Cora", "public", Row("graphrank"))


def found(*lines, job=JOB, metrics=("accuracy",)):
    return Stored(lines).find(job.wanted, metrics)


def changed(line, part, **options):
    other = copy.deepcopy(line)
    other.config[part] |= options
    return other


def test_lines_of_one_configuration_are_one_result_in_the_order_of_seeds():
    late = line_for(JOB, {"accuracy": [3.0]}, seeds=[2])
    early = line_for(JOB, {"accuracy": [1.0, 2.0]})
    whole = found(late, early)
    assert (whole.seeds, whole.values["accuracy"]) == ([0, 1, 2], [1.0, 2.0, 3.0])
    assert late.seeds == [2] and early.seeds == [0, 1]  # what was stored is as it was


def test_another_configuration_does_not_count():
    line = line_for(JOB, {"accuracy": [1.0]})
    assert found(line) is not None
    assert found(changed(line, "method", margin=0.5)) is None
    assert found(changed(line, "task", probe="adam")) is None
    assert found(changed(line, "task", epoch_selection="validation")) is None
    other = copy.deepcopy(line)
    other.protocol = "random-10-10-80"
    assert found(other) is None


def test_a_line_from_before_an_option_counts_where_that_has_its_default():
    line = line_for(JOB, {"accuracy": [1.0]})
    del line.config["method"]["teleport"]
    assert found(line) is not None
    moved = EvaluationJob(
        "node-classification", "Cora", "public", Row("graphrank", settings={"teleport": 0.5})
    )
    assert found(line, job=moved) is None


def test_a_line_from_before_the_mlp_is_one_without_it():
    job = EvaluationJob("node-classification", "Cora", "public", Row("graphrank"))
    line = line_for(job, {"accuracy": [1.0]})
    assert job.wanted.is_met_by(line)
    for name in [name for name in line.config["method"] if name.startswith("mlp")]:
        del line.config["method"][name]
    assert not job.wanted.is_met_by(line)
    without = EvaluationJob(
        "node-classification", "Cora", "public", Row("graphrank", settings={"mlp": 0})
    )
    assert without.wanted.is_met_by(line)


def test_a_seed_without_a_metric_is_missing():
    line = line_for(JOB, {"accuracy": [1.0]})
    assert found(line, metrics=("accuracy", "macro_f1")) is None
    assert found(metrics=("accuracy",)) is None


def test_measures_of_two_lines_come_together_seed_by_seed():
    job = AnalysisJob("geometry", "Cora", Row("graphrank"), ("accuracy", "outliers"))
    one = changed(line_for(job, {"accuracy": [1.0, 2.0]}), "task", measures=["accuracy"])
    two = changed(line_for(job, {"outliers": [7.0]}, seeds=[1]), "task", measures=["outliers"])
    both = found(one, two, job=job, metrics=job.measures)
    assert both.seeds == [1]
    assert both.values == {"accuracy": [2.0], "outliers": [7.0]}


def test_authors_settings_are_those_of_the_dataset():
    cora = EvaluationJob("node-classification", "Cora", "public", Row("grace", "authors"))
    other = EvaluationJob("node-classification", "CiteSeer", "public", Row("grace", "authors"))
    assert cora.wanted.options != other.wanted.options
    assert cora.wanted.options["learning_rate"] == 0.0005
