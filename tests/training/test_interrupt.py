import os
import signal

import pytest

from graphrank.training.interrupt import HoldInterrupt


def test_one_is_held_and_passed_on_when_asked():
    before = signal.getsignal(signal.SIGINT)
    with HoldInterrupt() as hold:
        assert not hold.requested
        hold.raise_if_requested()
        os.kill(os.getpid(), signal.SIGINT)
        assert hold.requested
        with pytest.raises(KeyboardInterrupt):
            hold.raise_if_requested()
    assert signal.getsignal(signal.SIGINT) is before


def test_two_are_too_many():
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), HoldInterrupt():
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
