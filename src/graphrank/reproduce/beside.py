"""Fill missing cells by several processes at once, each with its share of the threads."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

import torch

from graphrank.errors import GraphRankError
from graphrank.measure import set_imports_aside
from graphrank.reproduce.plan import Step, fitted_alike
from graphrank.reproduce.run import OnStep, Tally, fill

_log = logging.getLogger("graphrank")


def fill_beside(
    steps: Sequence[Step],
    results: Path,
    *,
    jobs: int,
    budget_seconds: float,
    data_root: Path | None = None,
    on_step: OnStep | None = None,
) -> Tally:
    """Measure as :func:`~graphrank.reproduce.run.fill` does, several seeds at a time.

    Seeds that share a fit are measured by one process. What is timed is measured last, alone and
    with all threads: seconds taken beside other work mean nothing. An interruption loses the seeds
    under way and no more.

    Args:
        steps: what to measure, in order; seeds that share a fit stand together.
        results: file that lines are appended to.
        jobs: processes at once.
        budget_seconds: no seed is begun after that.
        data_root: folder of published datasets.
        on_step: called when a process is given a seed, and with none at the end.

    Raises:
        GraphRankError: If a process dies, which is mostly for want of memory.
    """
    started = time.monotonic()
    shared = [step for step in steps if not _is_timed(step)]
    alone = [step for step in steps if _is_timed(step)]
    tally = Tally(len(steps), expected=sum(step.seconds for step in steps), pace=1 / jobs)
    groups = [list(group) for _, group in groupby(shared, key=fitted_alike)]
    under_way: dict[Future[Tally], list[Step]] = {}
    with _workers(jobs) as pool:
        while groups or under_way:
            left = budget_seconds - (time.monotonic() - started)
            while groups and len(under_way) < jobs and left > 0:
                group = groups.pop(0)
                if on_step is not None:
                    on_step(group[0], tally)
                work = pool.submit(fill, group, results, budget_seconds=left, data_root=data_root)
                under_way[work] = group
            if not under_way:
                break
            for work in wait(under_way, return_when=FIRST_COMPLETED).done:
                _add(tally, work.result(), under_way.pop(work))
                planned = sum(step.seconds for step in steps) - tally.expected
                tally.pace = (time.monotonic() - started) / max(planned, 1e-9)
    left = budget_seconds - (time.monotonic() - started)
    if alone and left > 0:
        found = fill(alone, results, budget_seconds=left, data_root=data_root, on_step=on_step)
        _add(tally, found, alone, log=False)
    elif on_step is not None:
        on_step(None, tally)
    return tally


def _is_timed(step: Step) -> bool:
    return step.cell.job is not None and step.cell.job.is_timed


def _add(tally: Tally, found: Tally, group: Sequence[Step], *, log: bool = True) -> None:
    """Count what a process has done."""
    tally.done += found.done
    tally.failed += found.failed
    tally.expected -= sum(step.seconds for step in group)
    for sentence in found.failed if log else ():
        _log.warning("%s", sentence)


@contextmanager
def _workers(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that share the threads; they end with the block, however it ends."""
    threads = max(1, torch.get_num_threads() // jobs)
    pool = ProcessPoolExecutor(jobs, mp_context=_context(), initializer=_begin, initargs=(threads,))
    try:
        yield pool
    except BaseException as error:
        for process in multiprocessing.active_children():
            process.terminate()
        if isinstance(error, BrokenProcessPool):
            raise GraphRankError(
                "a process that measured seeds died, which is mostly for want of memory; what was "
                "measured is stored, go on with a smaller --jobs"
            ) from error
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _context() -> multiprocessing.context.BaseContext:
    """How processes are started: as copies of one that has imported all, where that can be had."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["graphrank.reproduce.jobs.evaluation"])
    return context


def _begin(threads: int) -> None:
    """Set up a process: who started it is the one to be interrupted, and the one who speaks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("graphrank").setLevel(logging.ERROR)
    warnings.simplefilter("ignore")
    torch.set_num_threads(threads)
    set_imports_aside()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Do not outlive the process that started this one, however that one ends."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
