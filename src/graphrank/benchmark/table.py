"""The benchmark's rows as a table to read."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from graphrank.benchmark.speed import SpeedRow

_HEADINGS = (
    "dataset", "ours ms", "plain PyG ms", "floor ms", "times faster", "on huge pages",
    "times floor", "ours MiB", "plain MiB", "default training s", "per 100 plain epochs",
)  # fmt: skip


def speed_table(rows: Sequence[SpeedRow]) -> Table:
    """One line a dataset.

    "On huge pages" is the ratio to plain PyG that was lent our memory pages; the last column says
    how often our whole training fits into 100 of its epochs.
    """
    table = Table(title="One epoch of the same two-layer GCN; the default training as a whole")
    for heading in _HEADINGS:
        table.add_column(heading, justify="left" if heading == "dataset" else "right")
    for row in rows:
        table.add_row(
            row.dataset,
            f"{row.milliseconds['ours']:.0f}",
            f"{row.milliseconds['plain PyG']:.0f}",
            f"{row.milliseconds['floor']:.0f}",
            f"{row.speedup:.2f}",
            f"{row.speedup_on_huge_pages:.2f}",
            f"{row.over_floor:.2f}",
            f"{row.peak_mib['ours']:.0f}",
            f"{row.peak_mib['plain PyG']:.0f}",
            f"{row.default_seconds:.1f}",
            f"{row.default_ratio:.1f}",
        )
    return table
