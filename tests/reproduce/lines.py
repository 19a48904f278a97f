"""Lines as the jobs of cells would write them, out of thin air."""

from graphrank.results.record import Result


def line_for(job, values, seeds=None, seconds=1.0, judging=0.0):
    """A line that meets a job, with these values for each metric."""
    wanted = job.wanted
    count = len(next(iter(values.values())))
    return Result(
        task=wanted.task,
        dataset=wanted.dataset,
        method=wanted.method,
        protocol=wanted.protocol,
        config={"method": dict(wanted.options), "task": dict(wanted.judged)},
        seeds=list(range(count)) if seeds is None else list(seeds),
        values={name: list(row) for name, row in values.items()},
        seconds={"fit": [seconds] * count, "evaluate": [judging] * count},
        peak_mib=[100.0] * count,
    )
