"""Freed memory is kept while a method computes and given back afterwards."""

import pytest

from graphrank import memory
from graphrank.memory import give_back, kept_memory
from graphrank.methods.controls import Smoothing


class Library:
    """A C library that writes down what it is told."""

    def __init__(self):
        self.calls = []

    def mallopt(self, parameter, value):
        self.calls.append((parameter, value))

    def malloc_trim(self, padding):
        self.calls.append("trim")


@pytest.fixture
def library(monkeypatch):
    told = Library()
    monkeypatch.setattr(memory, "_glibc", lambda: told)
    return told


def test_kept_within_the_outermost_block_alone(library):
    with kept_memory():
        entered = list(library.calls)
        with kept_memory():
            assert library.calls == entered
        assert library.calls == entered
    assert (memory._MMAP_MAX, 0) in entered and (memory._TRIM_THRESHOLD, -1) in entered
    after = library.calls[len(entered) :]
    assert after[-1] == "trim"
    assert (memory._MMAP_MAX, 65536) in after


def test_given_back_after_an_error(library):
    with pytest.raises(ZeroDivisionError), kept_memory():
        _ = 1 / 0
    assert library.calls[-1] == "trim"


def test_training_runs_within_such_a_block(library, toy, monkeypatch):
    seen, learn = [], Smoothing.learn

    def spy(*arguments):
        seen.append(list(library.calls))
        return learn(*arguments)

    monkeypatch.setattr(Smoothing, "learn", spy)
    Smoothing(rank=4).fit(toy)
    assert seen[0] and "trim" not in seen[0] and library.calls[-1] == "trim"


def test_nothing_happens_where_there_is_no_glibc(monkeypatch):
    monkeypatch.setattr(memory, "_glibc", lambda: None)
    with kept_memory():
        assert memory._inside == 1
        give_back()
    assert memory._inside == 0


def test_a_library_without_the_functions_is_left_alone(monkeypatch):
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda _: object())
    assert memory._glibc.__wrapped__() is None
