import json
import os
import signal
import threading

import pytest
import torch

from graphrank import GraphRank, load_model
from graphrank.errors import TrainingError
from graphrank.training import loop
from graphrank.training.checkpoint import read_model
from graphrank.training.loop import Run

SMALL = {"channels": 8, "epochs": 4, "mlp_steps": 2}
ONE_STEP = {**SMALL, "mlp": 0}  # one step an epoch, for tests that count steps


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
        GraphRank(**ONE_STEP).fit(toy, run=run)
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


LOSSES = [5.0, 3.0, 4.0, 2.0, 2.5, 2.0, 2.25, 1.0]


class Scripted(GraphRank):
    """GraphRank whose loss has the value of a script, and its own gradient."""

    def training_step(self, module, graph):
        loss = super().training_step(module, graph)
        value = LOSSES[self.step]
        self.step += 1
        return loss - loss.detach() + value


def scripted(epochs, step=0, **settings):
    options = {**ONE_STEP, "epochs": epochs, "stop": "best", "patience": 3, **settings}
    method = Scripted(**options)
    method.step = step
    return method


def test_best_stops_and_goes_back_to_the_least_loss(toy):
    model = scripted(8).fit(toy)
    assert model.history_.loss == LOSSES[:7]  # the first 2.0 counts, three epochs did not better it
    assert model.history_.stopped != "epochs"
    assert torch.equal(model.embedding_, scripted(4).fit(toy).embedding_)
    last = scripted(7, stop="none").fit(toy)
    assert not torch.equal(model.embedding_, last.embedding_)


def test_best_within_patience_runs_all_epochs(toy):
    model = scripted(8, patience=5).fit(toy)
    assert model.history_.stopped == "epochs" and model.history_.loss == LOSSES
    assert torch.equal(model.embedding_, scripted(8, stop="none").fit(toy).embedding_)
    earlier = scripted(3, patience=5).fit(toy)
    assert torch.equal(earlier.embedding_, scripted(2, stop="none").fit(toy).embedding_)


@pytest.mark.parametrize("cut", [1, 2, 3, 5, 6])
def test_best_resumes_to_the_bit(toy, tmp_path, cut):
    """Both the best weights and those to go on from outlive the process."""
    run = Run(directory=tmp_path / "run", on_epoch=interrupt_at(cut))
    with pytest.raises(KeyboardInterrupt):
        scripted(8).fit(toy, run=run)
    best_so_far = min(range(cut), key=LOSSES.__getitem__) + 1
    stored = read_model(tmp_path / "run").weights
    for name, value in scripted(best_so_far, stop="none").fit(toy).module_.state_dict().items():
        assert torch.equal(stored[name], value)
    go_on = Run(directory=tmp_path / "run", resume=True)
    resumed = scripted(8, step=cut).fit(toy, run=go_on)
    whole = scripted(8).fit(toy)
    assert torch.equal(resumed.embedding_, whole.embedding_)
    assert resumed.history_.loss == whole.history_.loss


def test_best_of_a_finished_run_goes_on_from_its_last_epoch(toy, tmp_path):
    scripted(5).fit(toy, run=Run(directory=tmp_path / "run"))
    go_on = Run(directory=tmp_path / "run", resume=True)
    longer = scripted(8, step=5, patience=5).fit(toy, run=go_on)
    assert torch.equal(longer.embedding_, scripted(8, patience=5).fit(toy).embedding_)


def test_a_run_resumed_without_best_forgets_it(toy, tmp_path):
    scripted(3).fit(toy, run=Run(directory=tmp_path / "run"))
    go_on = Run(directory=tmp_path / "run", resume=True)
    plain = scripted(5, step=3, stop="none").fit(toy, run=go_on)
    assert torch.equal(plain.embedding_, scripted(5, stop="none").fit(toy).embedding_)


def test_a_method_looks_at_each_epoch_and_may_end_its_training(toy):
    seen = []

    class Watched(GraphRank):
        def after_epoch(self, module, graph, history):
            seen.append((history.epochs, graph.num_nodes, module.training))

        def is_finished(self, history):
            return history.epochs == 2

    model = Watched(**SMALL).fit(toy)
    assert [epoch for epoch, *_ in seen] == [1, 2] and model.history_.epochs == 2
    assert {nodes for _, nodes, _ in seen} == {toy.num_nodes}
    two = GraphRank(**{**SMALL, "epochs": 2}).fit(toy)
    assert torch.equal(model.embedding_, two.embedding_)


def test_a_method_may_say_which_epoch_is_best(toy):
    class Third(GraphRank):
        keeps_best = True

        def is_best(self, history):
            return history.epochs == 3

    three = GraphRank(**{**SMALL, "epochs": 3}).fit(toy)
    assert torch.equal(Third(**SMALL).fit(toy).embedding_, three.embedding_)
