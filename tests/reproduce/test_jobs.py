"""Jobs: what they write is what they say that they would write."""

import pytest

from graphrank.benchmark.growth import epoch_cost
from graphrank.errors import ConfigError, DataError
from graphrank.methods.grace import Grace
from graphrank.reproduce.item import Row
from graphrank.reproduce.jobs import bench, scaling
from graphrank.reproduce.jobs.analysis import GEOMETRY, AnalysisJob, with_oracle
from graphrank.reproduce.jobs.bench import Bench
from graphrank.reproduce.jobs.evaluation import EvaluationJob
from graphrank.reproduce.jobs.pace import PaceJob
from graphrank.reproduce.jobs.scaling import ScalingJob
from graphrank.reproduce.jobs.trajectory import TrajectoryJob, look_epochs
from graphrank.reproduce.wanted import Stored
from graphrank.results import read
from tests.methods.test_graph_contract import toy_graphs

GRAPH = "sbm:nodes=90,classes=3"
SMALL = {"epochs": 4, "channels": 4}
RANK = Row("graphrank", settings=SMALL)
GRACE = Row("grace", settings={**SMALL, "projector": 4})
JOBS = {
    "evaluation": (
        EvaluationJob("node-classification", GRAPH, "random-10-10-80", RANK), ("accuracy",)
    ),
    "supervised": (
        EvaluationJob(
            "node-classification", GRAPH, "random-10-10-80", Row("gcn", settings={"epochs": 2})
        ),
        ("accuracy",),
    ),
    "links": (
        EvaluationJob("link-prediction", GRAPH, "edges-70-20-10", RANK, {"scorer": "dot"}),
        ("auc", "ap"),
    ),
    "sweep": (
        AnalysisJob(
            "sweep:margin", GRAPH, RANK, ("outliers",), {"parameter": "margin", "value": 0.1}
        ),
        ("outliers",),
    ),
    "geometry": (AnalysisJob(GEOMETRY, GRAPH, GRACE, ("accuracy",)), ("accuracy",)),
    "oracle": (
        AnalysisJob("false-negatives", GRAPH, with_oracle(GRACE, GRAPH)[1], ("accuracy",)),
        ("accuracy",),
    ),
    "pace": (
        PaceJob(GRAPH, RANK, GRACE, epochs=1000, timed=2, rounds=2),
        ("graphrank_seconds", "grace_seconds", "speedup"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", JOBS)
def test_a_job_writes_the_line_that_it_wants(name, tmp_path):
    job, metrics = JOBS[name]
    path = tmp_path / "r.jsonl"
    job.run(3, path, Bench())
    (line,) = read(path)
    assert line.seeds == [3]
    found = Stored([line]).find(job.wanted, metrics)
    assert found is not None and set(found.values) == set(metrics)
    assert line.diagnostic == (name == "oracle")


@pytest.fixture
def toys(monkeypatch):
    """A name that stands for a set of graphs."""
    few = toy_graphs(40)
    monkeypatch.setattr(bench, "load", lambda name, data_root: few)
    bench._read.cache_clear()
    yield "toys"
    bench._read.cache_clear()


def test_a_table_of_whole_graphs_is_filled_as_one_of_nodes(toys, tmp_path):
    job = EvaluationJob("graph-classification", toys, "svm-10-fold", Row("degree-histogram"))
    job.run(0, tmp_path / "r.jsonl", Bench())
    (line,) = read(tmp_path / "r.jsonl")
    assert Stored([line]).find(job.wanted, ("accuracy",)) is not None


def test_what_needs_one_graph_refuses_a_set(toys, tmp_path):
    with pytest.raises(DataError, match="is a set of graphs and this needs one graph"):
        TrajectoryJob(toys, RANK, looks=4).run(0, tmp_path / "r.jsonl", Bench())


def test_a_trajectory_has_all_its_looks_and_time_never_runs_back(tmp_path):
    job = TrajectoryJob(GRAPH, RANK, looks=4)
    job.run(0, tmp_path / "r.jsonl", Bench())
    (line,) = read(tmp_path / "r.jsonl")
    assert Stored([line]).find(job.wanted, job.metrics) is not None
    seconds = [line.values[f"seconds@{epoch}"][0] for epoch in (1, 2, 3, 4)]
    assert seconds == sorted(seconds) and seconds[0] > 0
    assert all(0 <= line.values[f"accuracy@{epoch}"][0] <= 100 for epoch in job.epochs)


def test_what_is_not_trained_has_no_trajectory():
    with pytest.raises(ConfigError, match="smoothing is not trained"):
        _ = TrajectoryJob(GRAPH, Row("smoothing"), looks=4).wanted


@pytest.mark.parametrize(("epochs", "looks"), [(40, 4), (3, 20), (1, 1), (600, 24)])
def test_looks_are_within_the_training_and_end_with_it(epochs, looks):
    found = look_epochs(epochs, looks)
    assert found[-1] == epochs and found[0] >= 1
    assert found == sorted(set(found)) and len(found) <= looks


def test_a_speed_up_is_the_ratio_of_the_seconds(tmp_path):
    job, _ = JOBS["pace"]
    job.run(0, tmp_path / "r.jsonl", Bench())
    values = {name: row[0] for name, row in read(tmp_path / "r.jsonl")[0].values.items()}
    assert values["speedup"] == pytest.approx(values["grace_seconds"] / values["graphrank_seconds"])


def test_an_epoch_costs_something(tmp_path, monkeypatch):
    monkeypatch.setattr(scaling, "in_own_process", epoch_cost)
    job = ScalingJob(GRAPH, RANK, 2)
    job.run(3, tmp_path / "r.jsonl", Bench())
    (line,) = read(tmp_path / "r.jsonl")
    assert line.dataset == GRAPH and line.seeds == [3] and line.seconds["fit"][0] > 0
    assert (
        line.values["milliseconds"][0] > 0 and line.peak_mib[0] > line.values["added_mib"][0] >= 0
    )


def test_a_supervised_method_has_nothing_to_cluster():
    with pytest.raises(ConfigError, match="gcn is supervised"):
        EvaluationJob("clustering", "Cora", "kmeans", Row("gcn"))


def test_an_oracle_has_the_settings_of_its_method():
    method, oracle = with_oracle(Row("grace", "authors"), "CiteSeer")
    mine = AnalysisJob("false-negatives", "CiteSeer", method, ("accuracy",)).wanted
    theirs = AnalysisJob("false-negatives", "CiteSeer", oracle, ("accuracy",)).wanted
    assert mine.options == theirs.options
    assert (mine.method, theirs.method) == ("grace", "grace-oracle")


def test_an_oracle_has_the_name_the_seeds_and_the_datasets_of_its_method():
    row = Row("grace", settings={"epochs": 7}, seeds=1, label="short", datasets=("PubMed",))
    method, oracle = with_oracle(row, "PubMed")
    assert method is row
    assert oracle.label == "short, with oracle negatives"
    assert (oracle.seeds, oracle.datasets, oracle.settings["epochs"]) == (1, ("PubMed",), 7)
    assert with_oracle(Row("grace"), "PubMed")[1].label == ""


def test_studies_of_one_method_share_its_fits(tmp_path, monkeypatch):
    fitted = []
    fit = Grace.fit
    monkeypatch.setattr(Grace, "fit", lambda self, *a, **k: fitted.append(1) or fit(self, *a, **k))
    plain, oracle = with_oracle(GRACE, GRAPH)
    jobs = [
        AnalysisJob(GEOMETRY, GRAPH, plain, ("accuracy", "outliers")),
        AnalysisJob("false-negatives", GRAPH, plain, ("accuracy",)),
        AnalysisJob("false-negatives", GRAPH, oracle, ("accuracy",)),
    ]
    shared, path = Bench(), tmp_path / "shared.jsonl"
    for seed in (0, 1):
        for job in jobs:
            job.run(seed, path, shared)
    assert len(fitted) == 2 * 2  # of each seed the method and its oracle
    geometry, study, _ = read(path)
    assert (geometry.seeds, study.seeds, study.task) == ([0, 1], [0, 1], "false-negatives")
    assert study.seconds["fit"] == geometry.seconds["fit"]  # what the shared one has cost
    own = tmp_path / "own.jsonl"
    jobs[1].run(1, own, Bench())
    (alone,) = read(own)
    assert alone.values["accuracy"] == study.values["accuracy"][1:]
    assert len({jobs[0].fit_sees, jobs[1].fit_sees}) == 1
