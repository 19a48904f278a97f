import json
import os
import signal
import threading

import pytest
import torch

from graphrank import GraphRank, load_model
from graphrank.errors import TrainingError
from graphrank.training import loop
from graphrank.training.loop import Run

SMALL = {"channels": 8, "epochs": 4}


def interrupt_at(epoch, times=1, then=lambda: None):
    def on_epoch(now, _):
        if now == epoch:
            for _ in range(times):
                os.kill(os.getpid(), signal.SIGINT)
            then()

    return on_epoch


def test_interrupt_saves_and_is_passed_on(toy, tmp_path):
    before = signal.getsignal(signal.SIGINT)
    reached = []
    run = Run(
        directory=tmp_path / "run", on_epoch=interrupt_at(2, then=lambda: reached.append(True))
    )
    with pytest.raises(KeyboardInterrupt):
        GraphRank(**SMALL).fit(toy, run=run)
    assert reached == [True]  # the epoch under way came to its end
    assert signal.getsignal(signal.SIGINT) is before
    stored = load_model(tmp_path / "run")
    assert stored.history_.epochs == 2
    assert stored.history_.stopped == "interrupted"
    assert stored.transform(toy).shape[0] == toy.num_nodes
    go_on = Run(directory=tmp_path / "run", resume=True)
    resumed = GraphRank(**SMALL).fit(toy, run=go_on)
    assert torch.equal(resumed.embedding_, GraphRank(**SMALL).fit(toy).embedding_)
    assert resumed.history_.stopped == "epochs"


def test_a_second_interrupt_stops_at_once(toy, tmp_path):
    reached, before = [], signal.getsignal(signal.SIGINT)
    on_epoch = interrupt_at(2, times=2, then=lambda: reached.append(True))
    with pytest.raises(KeyboardInterrupt):
        GraphRank(**SMALL).fit(toy, run=Run(directory=tmp_path / "run", on_epoch=on_epoch))
    assert reached == [] and not (tmp_path / "run").exists()
    assert signal.getsignal(signal.SIGINT) is before


def test_interrupt_without_a_directory(toy):
    with pytest.raises(KeyboardInterrupt):
        GraphRank(**SMALL).fit(toy, run=Run(on_epoch=interrupt_at(1)))


def test_training_in_another_thread(toy):
    found = []
    thread = threading.Thread(target=lambda: found.append(GraphRank(**SMALL).fit(toy).embedding_))
    thread.start()
    thread.join()
    assert torch.equal(found[0], GraphRank(**SMALL).fit(toy).embedding_)


def test_an_error_in_the_callback_restores_the_handler(toy):
    def fail(*_):
        raise ZeroDivisionError

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(ZeroDivisionError):
        GraphRank(**SMALL).fit(toy, run=Run(on_epoch=fail))
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_loss_that_is_no_number_stops_with_advice(toy, tmp_path, monkeypatch, value):
    """The checkpoint before it stays, since the weights after it are spoilt."""
    real, calls = GraphRank.training_step, []

    def spoilt(self, module, graph):
        calls.append(None)
        return real(self, module, graph) * (value if len(calls) == 3 else 1.0)

    monkeypatch.setattr(GraphRank, "training_step", spoilt)
    run = Run(directory=tmp_path / "run", checkpoint_every=0.0)
    with pytest.raises(TrainingError, match=r"the loss is (nan|inf) at epoch 3; try a smaller"):
        GraphRank(**SMALL).fit(toy, run=run)
    stored = load_model(tmp_path / "run")
    assert stored.history_.epochs == 2
    assert all(torch.isfinite(p).all() for p in stored.module_.parameters())


def test_a_wild_learning_rate_is_stopped(toy):
    with pytest.raises(TrainingError, match="smaller learning_rate"):
        GraphRank(
            channels=8, epochs=50, learning_rate=1e30, similarity="dot", standardize=False
        ).fit(toy)


def test_callback_sees_the_embedding_of_each_epoch(toy):
    seen = []
    model = GraphRank(**SMALL).fit(toy, run=Run(on_epoch=lambda e, z: seen.append((e, z()))))
    assert [epoch for epoch, _ in seen] == [1, 2, 3, 4]
    assert torch.equal(seen[-1][1], model.embedding_)
    two = GraphRank(**{**SMALL, "epochs": 2}).fit(toy)
    assert torch.equal(seen[1][1], two.embedding_)
    # Looking changes nothing.
    assert torch.equal(GraphRank(**SMALL).fit(toy).embedding_, model.embedding_)


def test_checkpoints_are_written_when_due(toy, tmp_path, monkeypatch):
    written = []
    real = loop.write_training
    monkeypatch.setattr(
        loop, "write_training", lambda *a: (written.append(a[4].epochs), real(*a))[1]
    )
    clock = iter(range(0, 1000, 10))  # ten seconds a look
    monkeypatch.setattr(loop.time, "monotonic", lambda: next(clock))
    GraphRank(**SMALL).fit(toy, run=Run(directory=tmp_path / "a", checkpoint_every=15.0))
    assert written == [2, 4, 4]
    written.clear()
    GraphRank(**SMALL).fit(toy, run=Run(directory=tmp_path / "b", checkpoint_every=1e9))
    assert written == [4]


def test_a_killed_run_goes_on_from_its_last_checkpoint(toy, tmp_path):
    def kill(epoch, _):
        if epoch == 3:
            raise MemoryError

    run = Run(directory=tmp_path / "run", checkpoint_every=0.0, on_epoch=kill)
    with pytest.raises(MemoryError):
        GraphRank(**SMALL).fit(toy, run=run)
    assert json.loads((tmp_path / "run/model.json").read_text())["history"]["loss"].__len__() == 2
    resumed = GraphRank(**SMALL).fit(toy, run=Run(directory=tmp_path / "run", resume=True))
    assert torch.equal(resumed.embedding_, GraphRank(**SMALL).fit(toy).embedding_)


def test_no_epochs_leave_the_start(toy):
    model = GraphRank(channels=8, epochs=0).fit(toy)
    assert model.history_.loss == [] and model.history_.epochs == 0


def test_several_batches_an_epoch_and_the_schedule(toy):
    rates, steps = [], []

    class Twice(GraphRank):
        def batches(self, graph):
            yield graph
            yield graph

        def learning_rate_at(self, epoch):
            rates.append(epoch)
            return 0.0 if epoch == 0 else self.learning_rate

        def after_step(self, module, epoch):
            steps.append((epoch, next(module.parameters()).sum().item()))

    model = Twice(channels=8, epochs=2).fit(toy)
    assert rates == [0, 1]
    assert [epoch for epoch, _ in steps] == [0, 0, 1, 1]
    assert steps[0][1] == steps[1][1] != steps[2][1]  # a rate of zero moves nothing
    assert model.history_.epochs == 2
