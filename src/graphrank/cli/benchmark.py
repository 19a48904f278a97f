"""``graphrank benchmark``: how fast, and how much memory, against named alternatives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

benchmark_app = typer.Typer(
    help="Measure speed and memory as ratios to named alternatives, in one interleaved run.",
    no_args_is_help=True,
)

NODE_DATASETS = ("Cora", "CiteSeer", "PubMed", "Photo", "Computers", "CS", "Physics")


@benchmark_app.command()
def speed(
    datasets: Annotated[
        list[str] | None, typer.Argument(help="Datasets; the seven node datasets by default.")
    ] = None,
    rounds: Annotated[int, typer.Option(help="Turns of each contender.", min=1)] = 5,
    channels: Annotated[int, typer.Option(help="Width of the GCN.", min=1)] = 512,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the rows to this file.")
    ] = None,
) -> None:
    """Time an epoch of the same two-layer GCN: ours, plain PyG, and the bare products.

    Run it on an idle machine. Example: graphrank benchmark speed cora photo
    """
    from rich.console import Console  # noqa: PLC0415 - keep `graphrank --help` fast

    from graphrank.benchmark.speed import measure_speed  # noqa: PLC0415
    from graphrank.benchmark.table import speed_tables  # noqa: PLC0415
    from graphrank.files import write_text  # noqa: PLC0415
    from graphrank.measure import environment  # noqa: PLC0415

    console = Console()
    rows = []
    for name in datasets or NODE_DATASETS:
        with console.status(f"measuring {name}"):
            rows.append(measure_speed(name, rounds, channels))
    console.print(*speed_tables(rows))
    if json_file is not None:
        content = {"environment": environment(), "rows": [row.to_dict() for row in rows]}
        write_text(json_file, json.dumps(content, indent=1) + "\n")
