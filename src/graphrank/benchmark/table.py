"""The benchmark's rows as tables to read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from graphrank.benchmark.speed import SpeedRow

_Columns = Mapping[str, Callable[[SpeedRow], str]]

_EPOCH: _Columns = {
    "ours ms": lambda row: f"{row.milliseconds['ours']:.0f}",
    "plain PyG ms": lambda row: f"{row.milliseconds['plain PyG']:.0f}",
    "floor ms": lambda row: f"{row.milliseconds['floor']:.0f}",
    "times faster": lambda row: f"{row.speedup:.2f}",
    # Plain PyG that was lent our memory settings.
    "(our memory)": lambda row: f"{row.speedup_on_our_memory:.2f}",
    "times floor": lambda row: f"{row.over_floor:.2f}",
}
_WHOLE: _Columns = {
    "epoch MiB, ours": lambda row: f"{row.peak_mib['ours']:.0f}",
    "plain PyG": lambda row: f"{row.peak_mib['plain PyG']:.0f}",
    "default training s": lambda row: f"{row.default_seconds:.1f}",
    "MiB": lambda row: f"{row.default_peak_mib:.0f}",
    # How often the whole of it fits into 100 epochs of plain PyG.
    "per 100 plain epochs": lambda row: f"{row.default_ratio:.1f}",
}


def speed_tables(rows: Sequence[SpeedRow]) -> tuple[Table, Table]:
    """One epoch against the alternatives; memory and the default training. A line a dataset."""
    return (
        _table("One epoch of the same two-layer GCN", _EPOCH, rows),
        _table("Peak memory, and the default training as a whole", _WHOLE, rows),
    )


def _table(title: str, columns: _Columns, rows: Sequence[SpeedRow]) -> Table:
    table = Table(title=title, box=SIMPLE_HEAD)
    table.add_column("dataset", no_wrap=True)
    for heading in columns:
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(row.dataset, *(show(row) for show in columns.values()))
    return table
