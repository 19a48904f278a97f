"""Options that several commands share, each declared once."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from graphrank.cli.console import set_verbosity

_OWN = "Own data"
_MESSAGES = "Messages"

Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Option of the method (`graphrank list options METHOD`); may be repeated.",
    ),
]
Preset: TypeAlias = Annotated[
    str,
    typer.Option(
        help="Preset of the method (`graphrank list methods`); `authors`: what its authors set "
        "for the dataset; `auto`: the same but where that takes hours and the default does not; "
        "`default`: the same for all datasets."
    ),
]
Overwrite: TypeAlias = Annotated[
    bool, typer.Option("--overwrite", help="Replace what is at the output path.")
]
DataRoot: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="Folder of published datasets, only read; default $GRAPHRANK_DATA."),
]
_Column: TypeAlias = str | None


@dataclass(frozen=True, kw_only=True)
class GraphSource:
    """Where a graph comes from, and which columns of its tables mean what."""

    graph: Annotated[
        str,
        typer.Argument(
            metavar="GRAPH",
            help="Name of a dataset (`graphrank list datasets`), a synthetic graph such as "
            "sbm:nodes=1000,classes=5, or a file: edge list (csv, tsv, txt, parquet), npz, "
            "mat, mtx, graphml, gml, gexf, json, pt; for a set of graphs jsonl, pt, or a folder or "
            "zip in the TU layout.",
        ),
    ]
    data_root: DataRoot = None
    features: Annotated[
        Path | None,
        typer.Option(
            help="Node features: a table with an id column, JSON of what each node has, or rows in "
            "node order (npy, npz).",
            rich_help_panel=_OWN,
        ),
    ] = None
    directed: Annotated[
        bool, typer.Option("--directed", help="Keep the edges' directions.", rich_help_panel=_OWN)
    ] = False
    unweighted: Annotated[
        bool,
        typer.Option("--unweighted", help="Each edge counts one.", rich_help_panel=_OWN),
    ] = False
    bipartite: Annotated[
        bool,
        typer.Option(
            "--bipartite",
            help="Nodes of two kinds, such as users and items: the two columns of an edge table, "
            "or rows and columns of a matrix.",
            rich_help_panel=_OWN,
        ),
    ] = False
    source_column: Annotated[
        _Column, typer.Option(help="Edge table: where an edge starts.", rich_help_panel=_OWN)
    ] = None
    target_column: Annotated[
        _Column, typer.Option(help="Edge table: where an edge ends.", rich_help_panel=_OWN)
    ] = None
    weight_column: Annotated[
        _Column, typer.Option(help="Edge table: weight of an edge.", rich_help_panel=_OWN)
    ] = None
    id_column: Annotated[
        _Column, typer.Option(help="Node table: id of a node.", rich_help_panel=_OWN)
    ] = None
    label_column: Annotated[
        _Column, typer.Option(help="Node table: class of a node.", rich_help_panel=_OWN)
    ] = None
    exclude_column: Annotated[
        list[str] | None,
        typer.Option(help="Node table: not a feature; may be repeated.", rich_help_panel=_OWN),
    ] = None
    header: Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            help="Whether tables start with a row of names; found out by default.",
            rich_help_panel=_OWN,
        ),
    ] = None


def typed_again(source: GraphSource) -> list[str]:
    """The graph and its options as they are typed, for a command to be shown.

    Example:
        >>> typed_again(GraphSource(graph="edges.csv", directed=True, id_column="who"))
        ['edges.csv', '--directed', '--id-column', 'who']
    """
    words = [source.graph]
    for field in fields(GraphSource):
        value, flag = getattr(source, field.name), f"--{field.name.replace('_', '-')}"
        if field.name == "graph" or value == field.default:
            continue
        if isinstance(value, bool):
            words.append(flag if value else flag.replace("--", "--no-", 1))
            continue
        for each in value if isinstance(value, list) else [value]:
            words += [flag, str(each)]
    return words


@dataclass(frozen=True, kw_only=True)
class LabelledSource(GraphSource):
    """The same, with labels from a file of their own."""

    labels: Annotated[
        Path | None,
        typer.Option(help="Node labels: a table with id and label.", rich_help_panel=_OWN),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Messages:
    """How much a command says on standard error."""

    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="Warnings and errors only.", rich_help_panel=_MESSAGES),
    ] = False
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="All that is logged.", rich_help_panel=_MESSAGES),
    ] = False

    def apply(self) -> None:
        """Set the log accordingly, for the rest of the command."""
        set_verbosity(quiet=self.quiet, verbose=self.verbose)
