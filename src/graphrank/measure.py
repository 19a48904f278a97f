"""Seconds, peak memory and the environment of a run."""

from __future__ import annotations

import gc
import os
import platform
import resource
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import torch

from graphrank.memory import give_back
from graphrank.version import __version__

OF_THE_FIT, OF_THE_PROCESS = "of the fit", "of the process so far"
_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


@dataclass
class Measured:
    """Wall-clock seconds and peak resident memory of a block, filled in when it ends."""

    seconds: float = 0.0
    peak_mib: float = 0.0


@contextmanager
def measured() -> Iterator[Measured]:
    """Measure a block. On Linux the peak is the block's own; elsewhere the process's so far.

    It counts the whole process, interpreter and libraries included, as the block found it after
    what came before was given back: methods that run one after another are comparable.
    """
    result = Measured()
    gc.collect()
    give_back()
    _reset_peak()
    started = time.perf_counter()
    try:
        yield result
    finally:
        result.seconds = time.perf_counter() - started
        result.peak_mib = peak_memory_mib()


def set_imports_aside() -> None:
    """Spare what is there now from later searches for garbage: modules live as long as a process.

    There are so many objects of torch and PyG that a search through them takes longer than many a
    fit, and :func:`measured` has to search before each. For commands, before they load any data:
    in a program that goes on, rings among its objects would never be freed.
    """
    gc.collect()
    gc.freeze()


def peak_memory_mib() -> float:
    """Largest resident memory since the last reset, in MiB."""
    try:
        lines = _STATUS.read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / 1024 if platform.system() == "Linux" else peak / 1024**2


def peak_is_own() -> bool:
    """Whether :func:`measured` tells the peak of a block, not of the process so far."""
    return os.access(_CLEAR, os.W_OK)


def _reset_peak() -> None:
    """Let the kernel count the peak anew, where it can."""
    try:
        _CLEAR.write_text("5")
    except OSError:
        return


def environment() -> dict[str, str]:
    """Versions and machine, as results carry them."""
    return {
        "graphrank": __version__,
        "commit": _commit(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "torch_geometric": version("torch_geometric"),
        "scikit_learn": version("scikit-learn"),
        "platform": platform.platform(),
        "cpus": str(os.cpu_count()),
        "threads": str(torch.get_num_threads()),
        "peak_memory": OF_THE_FIT if peak_is_own() else OF_THE_PROCESS,
        "accelerator": torch.cuda.get_device_name() if torch.cuda.is_available() else "none",
    }


def _commit() -> str:
    """The git commit of this source tree, or ``unknown`` for an installed package."""
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--short=12", "HEAD"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found.stdout.strip()
