"""``graphrank benchmark``: how fast, and how much memory, against named alternatives."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from graphrank.cli import options
from graphrank.cli.bundles import bundled

benchmark_app = typer.Typer(
    help="Measure speed and memory, against named alternatives and as graphs grow.",
    no_args_is_help=True,
)

METHODS = ("graphrank", "dgi", "grace")
NODE_DATASETS = ("Cora", "CiteSeer", "PubMed", "Photo", "Computers", "CS", "Physics")

Methods: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--method", help="Trained method; may be repeated. By default three of them."),
]


@dataclass(frozen=True, kw_only=True)
class RowsFile:
    """Where the rows go, beside the table."""

    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the rows to this file.")
    ] = None
    overwrite: options.Overwrite = False


@dataclass(frozen=True, kw_only=True)
class SpeedRequest:
    """What ``speed`` was asked for."""

    datasets: Annotated[
        list[str] | None, typer.Argument(help="Datasets; the seven node datasets by default.")
    ] = None
    rounds: Annotated[int, typer.Option(help="Turns of each contender.", min=1)] = 5
    channels: Annotated[int, typer.Option(help="Width of the GCN.", min=1)] = 512


@dataclass(frozen=True, kw_only=True)
class MemoryRequest:
    """What ``memory`` was asked for."""

    datasets: Annotated[list[str] | None, typer.Argument(help="Graphs; Cora by default.")] = None
    methods: Methods = None
    settings: options.Settings = None
    epochs: Annotated[int, typer.Option(help="Epochs that are timed.", min=1)] = 2


@dataclass(frozen=True, kw_only=True)
class ScalingRequest:
    """What ``scaling`` was asked for."""

    methods: Methods = None
    settings: options.Settings = None
    sizes: Annotated[str, typer.Option(help="Numbers of nodes, joined by commas.")] = (
        "1000,4000,16000,64000"
    )
    epochs: Annotated[int, typer.Option(help="Epochs that are timed.", min=1)] = 2


@benchmark_app.command()
@bundled
def speed(request: SpeedRequest, rows: RowsFile, messages: options.Messages) -> None:
    """Time an epoch of the same two-layer GCN: ours, plain PyG, and the bare products.

    Run it on an idle machine. Example: graphrank benchmark speed cora photo
    """
    from graphrank.cli.actions.benchmark import compare_speed  # noqa: PLC0415 - imports torch

    messages.apply()
    compare_speed(request, rows, progress=not messages.quiet)


@benchmark_app.command()
@bundled
def memory(request: MemoryRequest, rows: RowsFile, messages: options.Messages) -> None:
    """Peak memory and time of training, each method on each graph in a process of its own.

    Example: graphrank benchmark memory cora pubmed --method graphrank --method grace
    """
    from graphrank.cli.actions.benchmark import compare_memory  # noqa: PLC0415 - imports torch

    messages.apply()
    compare_memory(request, rows, progress=not messages.quiet)


@benchmark_app.command()
@bundled
def scaling(request: ScalingRequest, rows: RowsFile, messages: options.Messages) -> None:
    """Time and memory of an epoch as a graph grows, and by which power of its nodes.

    Random graphs of mean degree 10 with 64 features. `graphrank reproduce table-complexity` has the
    same beside what the paper states, for more methods and up to a million nodes.

    Example: graphrank benchmark scaling --method graphrank --method grace --set channels=64
    """
    from graphrank.cli.actions.benchmark import compare_growth  # noqa: PLC0415 - imports torch

    messages.apply()
    compare_growth(request, rows, progress=not messages.quiet)
