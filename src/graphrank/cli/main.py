"""The ``graphrank`` command: its table of subcommands, its version, its first page of help."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated

import typer

from graphrank.cli.group import PlainErrorGroup
from graphrank.version import __version__

_HELP = """
Embeddings of graphs without labels, and an honest look at how good they are.

First steps:

- `graphrank demo`: the whole way on built-in data, ending in a report to open
- `graphrank list datasets`: what can be loaded by name
- `graphrank fit edges.csv --features nodes.csv --output model`: train on your own graph
- `graphrank embed model edges.csv --features nodes.csv --output emb.parquet`: get the embeddings
- `graphrank evaluate cora --task node-classification --seeds 5`: measure, beside the controls

Every command explains itself: `graphrank fit --help`.
"""

# Name, and where its function (a command) or its typer app (a group of commands) is.
_COMMANDS = {
    "demo": "graphrank.cli.demo:demo",
    "list": "graphrank.cli.listing:listing_app",
    "fit": "graphrank.cli.fit:fit",
    "embed": "graphrank.cli.embed:embed",
    "predict-links": "graphrank.cli.predict_links:predict_links",
    "predict-labels": "graphrank.cli.predict_labels:predict_labels",
    "cluster": "graphrank.cli.cluster:cluster",
    "evaluate": "graphrank.cli.evaluate:evaluate",
    "sweep": "graphrank.cli.sweep:sweep",
    "ablate": "graphrank.cli.ablate:ablate",
    "reproduce": "graphrank.cli.reproduce:reproduce",
    "report": "graphrank.cli.report:report",
    "benchmark": "graphrank.cli.benchmark:benchmark_app",
}

app = typer.Typer(
    cls=PlainErrorGroup,
    help=_HELP,
    rich_markup_mode="markdown",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"graphrank {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Show the help when no command is given."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _add_commands() -> None:
    """Add what the table names."""
    for name, place in _COMMANDS.items():
        module, attribute = place.split(":")
        found = getattr(import_module(module), attribute)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name)
        else:
            app.command(name)(found)


_add_commands()


def run() -> None:
    """Run the command line; the console script's entry point."""
    app()
