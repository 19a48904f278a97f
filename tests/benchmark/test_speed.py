"""The contenders do the same work; the table shows what was measured."""

import json

import pytest
import torch
from typer.testing import CliRunner

from graphrank.augment.views import Corruption, corrupt
from graphrank.benchmark.floor import Floor
from graphrank.benchmark.ours import Ours
from graphrank.benchmark.plain import PlainGraphRank
from graphrank.benchmark.speed import SpeedRow, measure_speed
from graphrank.benchmark.table import speed_tables
from graphrank.benchmark.worker import CONTENDERS, Worker, benchmark_method
from graphrank.cli.benchmark import benchmark_app
from graphrank.data import load, without_labels
from graphrank.errors import GraphRankError

TIMES = {"ours": 10.0, "plain PyG": 50.0, "plain PyG, our memory": 40.0, "floor": 8.0}
SMALL = "sbm:nodes=60,classes=3,features=8"


@pytest.fixture
def data():
    return without_labels(load(SMALL))


def test_plain_pyg_computes_the_same_embedding_with_the_same_weights(data):
    """The alternative is the same model: only then is a ratio of times worth anything."""
    method = benchmark_method(channels=16)
    plain, ours = PlainGraphRank(data, method), Ours(data, method)
    encoder = ours.module.encoder
    with torch.no_grad():
        for conv, weight, bias in zip(
            (plain.conv_1, plain.conv_2), encoder.weights, encoder.biases, strict=True
        ):
            conv.lin.weight.copy_(weight.T)
            conv.bias.copy_(bias)
        clean = corrupt(ours.graph, Corruption())
        torch.testing.assert_close(plain._embed(0.0, 0.0), encoder(clean), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("contender", [Ours, PlainGraphRank])
def test_trainings_change_their_weights(data, contender):
    torch.manual_seed(0)
    running = contender(data, benchmark_method(channels=16).set_params(margin=1.0))
    module = running.module if isinstance(running, Ours) else running
    before = [p.detach().clone() for p in module.parameters()]
    assert running.epoch() > 0
    assert any(not torch.equal(a, b) for a, b in zip(before, module.parameters(), strict=True))


def test_the_floor_runs_without_gradients(data):
    floor = Floor(data, benchmark_method(channels=16))
    assert floor.epoch() == 0.0 and not floor.weight_1.requires_grad


def test_ratios():
    row = SpeedRow("x", TIMES, {"ours": 1.0}, 0.5, 1.0)
    assert row.speedup == 5.0 and row.speedup_on_our_memory == 4.0 and row.over_floor == 1.25
    assert row.default_ratio == 10.0  # 100 epochs of 50 ms are 5 s, ten times 0.5 s
    assert row.to_dict()["speedup"] == 5.0


def test_measure_and_table():
    row = measure_speed(SMALL, rounds=1, channels=8)
    assert set(row.milliseconds) == set(row.peak_mib) == set(CONTENDERS)
    assert min(row.milliseconds.values()) > 0 and min(row.peak_mib.values()) > 10
    assert [table.row_count for table in speed_tables([row])] == [1, 1]


def test_command_writes_json(tmp_path, monkeypatch):
    row = SpeedRow(
        "x",
        TIMES,
        {"ours": 1.0, "plain PyG": 2.0, "floor": 1.0},
        0.5,
        1.0,
    )
    monkeypatch.setattr("graphrank.cli.actions.benchmark.measure_speed", lambda *_: row)
    file = tmp_path / "speed.json"
    done = CliRunner().invoke(benchmark_app, ["speed", "x", "--json", str(file)])
    assert done.exit_code == 0, done.output
    assert json.loads(file.read_text())["rows"][0]["speedup"] == 5.0


def test_a_worker_that_dies_is_told_in_a_sentence():
    with Worker(SMALL, "ours", 8) as worker:
        assert worker.turn() > 0 and worker.peak_mib() > 10
        worker._process.kill()
        worker._process.wait()
        with pytest.raises(GraphRankError, match="'ours' ended by itself; there may be too little"):
            worker.turn()


@pytest.mark.parametrize(("contender", "pages"), [("ours", "1"), ("plain PyG", "0")])
def test_only_those_with_our_memory_get_huge_pages(monkeypatch, contender, pages):
    """Importing graphrank asks for them, unless the environment says otherwise."""
    seen = {}

    class StartedError(Exception):
        pass

    def start(*_, env, **__):
        seen.update(env)
        raise StartedError

    monkeypatch.setattr("graphrank.benchmark.worker.subprocess.Popen", start)
    with pytest.raises(StartedError):
        Worker(SMALL, contender, 8)
    assert seen["THP_MEM_ALLOC_ENABLE"] == pages
