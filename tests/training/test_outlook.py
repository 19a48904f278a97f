from dataclasses import dataclass

import pytest

from graphrank.methods.bgrl import BGRL
from graphrank.methods.gcn import GCN
from graphrank.training import loop
from graphrank.training.history import History
from graphrank.training.loop import Run
from graphrank.training.outlook import tell_if_long


def history_of(*seconds):
    return History(loss=[1.0] * len(seconds), seconds=list(seconds))


def look_at_all(method, seconds, before=()):
    history = history_of(*before)
    look = tell_if_long(method)
    for each in seconds:
        history.loss.append(1.0)
        history.seconds.append(each)
        look(history)


def test_once_as_soon_as_the_pace_is_known(caplog):
    look_at_all(BGRL(epochs=10_000), [1.0] * 60)
    assert caplog.messages == [
        "bgrl has 9,980 of 10,000 epochs to go, about 2.8 h; --set epochs=N trains for fewer"
    ]


def test_by_the_pace_of_the_last_epochs(caplog):
    look_at_all(BGRL(epochs=500), [15.0, *[0.5] * 30])  # the first epoch sets everything up
    assert caplog.messages == []


@pytest.mark.parametrize("epochs", [30, 620])
def test_silent_where_the_rest_takes_minutes(caplog, epochs):
    look_at_all(BGRL(epochs=epochs), [1.0] * 30)
    assert caplog.messages == []


def test_silent_where_the_training_may_stop_any_time(caplog):
    look_at_all(GCN(epochs=100_000), [1.0] * 60)
    look_at_all(BGRL(stop="plateau"), [1.0] * 60)
    assert caplog.messages == []


def test_what_was_trained_before_is_no_wait(caplog):
    look_at_all(BGRL(), [1.0] * 10, before=[1.0] * 60)
    assert caplog.messages == []


@dataclass
class Recorder:
    looks: int = 0

    def __call__(self, history):
        self.looks += 1


@pytest.mark.parametrize(("progress", "looks"), [(True, 3), (False, 0)])
def test_the_loop_looks_ahead_where_somebody_waits(toy, monkeypatch, progress, looks):
    recorder = Recorder()
    monkeypatch.setattr(loop, "tell_if_long", lambda method: recorder)
    BGRL(epochs=3, channels=4).fit(toy, run=Run(progress=progress))
    assert recorder.looks == looks
