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
from dataclasses import replace
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
    ends = time.monotonic() + budget_seconds
    shared = [step for step in steps if not _is_timed(step)]
    alone = [step for step in steps if _is_timed(step)]
    tally = Tally(len(steps), expected=sum(step.seconds for step in steps), pace=1 / jobs)
    _share_out(shared, results, jobs, ends, data_root, on_step, tally)
    left = ends - time.monotonic()
    if alone and left > 0:
        shown = None if on_step is None else _on_top_of(tally, on_step)
        found = fill(alone, results, budget_seconds=left, data_root=data_root, on_step=shown)
        _add(tally, found, alone)
    elif on_step is not None:
        on_step(None, tally)
    return tally


def _share_out(
    steps: Sequence[Step],
    results: Path,
    jobs: int,
    ends: float,
    data_root: Path | None,
    on_step: OnStep | None,
    tally: Tally,
) -> None:
    """Give every process something to do until all is done, or the time is over."""
    groups = [list(group) for _, group in groupby(steps, key=fitted_alike)]
    started, planned = time.monotonic(), 0.0
    under_way: dict[Future[Tally], list[Step]] = {}
    with _workers(jobs) as pool:
        while True:
            while groups and len(under_way) < jobs and (left := ends - time.monotonic()) > 0:
                group = groups.pop(0)
                if on_step is not None:
                    on_step(group[0], tally)
                work = pool.submit(fill, group, results, budget_seconds=left, data_root=data_root)
                under_way[work] = group
            if not under_way:
                break
            for work in wait(under_way, return_when=FIRST_COMPLETED).done:
                group, found = under_way.pop(work), work.result()
                _add(tally, found, group)
                for sentence in found.failed:
                    _log.warning("%s", sentence)
                planned += sum(step.seconds for step in group)
                tally.pace = (time.monotonic() - started) / max(planned, 1e-9)


def _is_timed(step: Step) -> bool:
    return step.cell.job is not None and step.cell.job.is_timed


def _add(tally: Tally, found: Tally, group: Sequence[Step]) -> None:
    """Count what was done of some seeds."""
    tally.done += found.done
    tally.failed += found.failed
    tally.expected -= sum(step.seconds for step in group)


def _on_top_of(tally: Tally, on_step: OnStep) -> OnStep:
    """Show the seeds of a part as seeds of the whole."""

    def show(step: Step | None, part: Tally) -> None:
        whole = replace(part, total=tally.total, done=tally.done + part.done)
        on_step(step, replace(whole, failed=[*tally.failed, *part.failed]))

    return show


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
