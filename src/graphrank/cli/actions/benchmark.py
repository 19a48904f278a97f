"""Run benchmarks, show their tables and keep their rows."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from graphrank.benchmark.growth import GROWING, GrowthRow, check_methods, in_own_process
from graphrank.benchmark.speed import measure_speed
from graphrank.benchmark.table import speed_tables
from graphrank.cli.benchmark import (
    METHODS,
    NODE_DATASETS,
    MemoryRequest,
    RowsFile,
    ScalingRequest,
    SpeedRequest,
)
from graphrank.data.source import find_source
from graphrank.errors import ConfigError
from graphrank.files import refuse_existing, write_text
from graphrank.measure import environment
from graphrank.methods.options import parse_settings
from graphrank.terminal import status


def compare_speed(request: SpeedRequest, file: RowsFile, *, progress: bool) -> None:
    """Our epoch against the same in plain PyG and against the bare products."""
    _check(file)
    rows = []
    for name in request.datasets or NODE_DATASETS:
        with status(f"measuring {name}", progress):
            rows.append(measure_speed(name, request.rounds, request.channels))
    Console().print(*speed_tables(rows))
    _keep([row.to_dict() for row in rows], file)


def compare_memory(request: MemoryRequest, file: RowsFile, *, progress: bool) -> None:
    """Every method on every graph, one line each."""
    graphs, methods = request.datasets or ["Cora"], request.methods or METHODS
    given = parse_settings(request.settings or ())
    check_methods(methods, given)
    _check(file)
    for graph in graphs:
        find_source(graph)
    rows = []
    table = _table("Training, each in a process of its own", "graph", "method", "epoch ms")
    for heading in ("added MiB", "peak MiB"):
        table.add_column(heading, justify="right")
    for graph in graphs:
        for method in methods:
            with status(f"measuring {method} on {graph}", progress):
                cost = in_own_process(graph, method, given, request.epochs)
            figures = (cost.milliseconds, cost.added_mib, cost.peak_mib)
            table.add_row(graph, method, *(f"{figure:,.0f}" for figure in figures))
            rows.append({"graph": graph, "method": method, **asdict(cost)})
    Console().print(table)
    _keep(rows, file)


def compare_growth(request: ScalingRequest, file: RowsFile, *, progress: bool) -> None:
    """Every method on graphs of growing size, a line each, and the powers that they grow by."""
    nodes, methods = _sizes(request.sizes), request.methods or METHODS
    given = parse_settings(request.settings or ())
    check_methods(methods, given)
    _check(file)
    table = _table("An epoch, in milliseconds and added MiB", "method")
    for heading in (*(f"{size:,}" for size in nodes), "time grows by", "memory by"):
        table.add_column(heading, justify="right")
    rows = []
    for method in methods:
        costs = {}
        for size in nodes:
            graph = GROWING.format(nodes=size)
            with status(f"measuring {method} on {size:,} nodes", progress):
                costs[size] = in_own_process(graph, method, given, request.epochs)
        row = GrowthRow(method, costs)
        rows.append(row.to_dict())
        powers = (
            row.exponent(lambda cost: cost.milliseconds),
            row.exponent(lambda cost: cost.added_mib),
        )
        table.add_row(
            method,
            *(f"{cost.milliseconds:,.0f} ms\n{cost.added_mib:,.0f} MiB" for cost in costs.values()),
            *("–" if power is None else f"N^{power:.2f}" for power in powers),
        )
    Console().print(table)
    _keep(rows, file)


def _sizes(text: str) -> list[int]:
    try:
        sizes = sorted({int(part) for part in text.split(",")})
    except ValueError:
        sizes = []
    if not sizes or sizes[0] < 10:
        raise ConfigError(f"{text!r} are no sizes; write numbers from 10 up as in 1000,4000,16000")
    return sizes


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, box=SIMPLE_HEAD)
    for column in columns:
        table.add_column(column, no_wrap=True)
    return table


def _check(file: RowsFile) -> None:
    """Refuse a file that may not be written, before any time is spent."""
    if file.json_file is not None:
        refuse_existing(file.json_file, overwrite=file.overwrite)


def _keep(rows: list[dict[str, Any]], file: RowsFile) -> None:
    if file.json_file is not None:
        content = {"environment": environment(), "rows": rows}
        write_text(file.json_file, json.dumps(content, indent=1) + "\n")
