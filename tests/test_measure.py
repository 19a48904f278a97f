import gc
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from graphrank import __version__, measure
from graphrank.measure import (
    OF_THE_FIT,
    OF_THE_PROCESS,
    environment,
    measured,
    peak_is_own,
    peak_memory_mib,
    set_imports_aside,
)


def test_a_large_allocation_is_seen_and_its_end_as_well():
    with measured() as idle:
        pass
    with measured() as busy:
        block = np.ones(100 * 1024**2, dtype=np.uint8)
        del block
    with measured() as after:
        pass
    assert 90 < busy.peak_mib - idle.peak_mib < 200
    if Path("/proc/self/clear_refs").exists():
        assert busy.peak_mib - after.peak_mib > 50  # the peak is the block's own


def test_what_came_before_does_not_count():
    """Small blocks, which the C library keeps when they are freed, and rings of objects."""
    with measured() as idle:
        pass
    blocks = [np.ones(64 * 1024, dtype=np.uint8) for _ in range(3000)]
    last = blocks.pop()  # the end of the heap stays in use, so that it does not shrink by itself
    blocks.append(blocks)
    del blocks
    with measured() as after:
        pass
    assert last.sum() == 64 * 1024
    if peak_is_own():
        assert after.peak_mib - idle.peak_mib < 60  # of the 190 MiB


def test_garbage_of_later_is_found_and_what_was_set_aside_is_not_looked_at():
    set_imports_aside()
    assert gc.get_freeze_count() > 0 and len(gc.get_objects()) < gc.get_freeze_count()
    ring = [np.ones(1)]
    ring.append(ring)
    del ring
    assert gc.collect() >= 1


def test_the_environment_says_whose_peak_it_is(monkeypatch, tmp_path):
    assert environment()["peak_memory"] == (OF_THE_FIT if peak_is_own() else OF_THE_PROCESS)
    monkeypatch.setattr(measure, "_CLEAR", tmp_path / "none")
    assert environment()["peak_memory"] == OF_THE_PROCESS


def test_seconds_and_measuring_through_an_error():
    with pytest.raises(ZeroDivisionError), measured() as taken:
        time.sleep(0.05)
        raise ZeroDivisionError
    assert 0.05 <= taken.seconds < 5
    assert taken.peak_mib > 1


def test_without_proc_the_process_is_asked(monkeypatch, tmp_path):
    usual = peak_memory_mib()
    monkeypatch.setattr(measure, "_STATUS", tmp_path / "none")
    monkeypatch.setattr(measure, "_CLEAR", tmp_path / "none/none")
    with measured() as taken:
        pass
    assert taken.peak_mib >= usual / 2
    monkeypatch.setattr(measure.platform, "system", lambda: "Darwin")  # bytes, not KiB
    assert peak_memory_mib() == pytest.approx(taken.peak_mib / 1024, rel=0.2)


def test_environment_names_what_a_figure_depends_on():
    found = environment()
    assert found["graphrank"] == __version__
    assert {"python", "torch", "torch_geometric", "commit", "threads", "platform"} <= set(found)
    assert all(isinstance(value, str) and value for value in found.values())


def test_commit_of_an_installed_package(monkeypatch):
    def no_git(*_, **__):
        raise FileNotFoundError("git")

    monkeypatch.setattr(subprocess, "run", no_git)
    assert environment()["commit"] == "unknown"
