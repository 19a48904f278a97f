"""``graphrank list``: what there is, by name."""

from __future__ import annotations

from typing import Annotated

import typer

from graphrank.cli import options

listing_app = typer.Typer(help="Show what there is: datasets, methods, tasks, options.")


@listing_app.command()
def datasets(data_root: options.DataRoot = None) -> None:
    """Show all datasets: size, classes, licence, and whether their files are there."""
    from graphrank.cli.actions.listing import show_datasets  # noqa: PLC0415 - imports torch

    show_datasets(data_root)


@listing_app.command()
def methods() -> None:
    """Show all methods: what they embed, their cost, their paper, their presets."""
    from graphrank.cli.actions.listing import show_methods  # noqa: PLC0415 - imports torch

    show_methods()


@listing_app.command()
def tasks() -> None:
    """Show all tasks with their protocols, and what each protocol selects on."""
    from graphrank.cli.actions.listing import show_tasks  # noqa: PLC0415 - imports torch

    show_tasks()


@listing_app.command("options")
def method_options(
    method: Annotated[str, typer.Argument(help="Method (`graphrank list methods`).")],
) -> None:
    """Show all options of a method, for `--set NAME=VALUE`.

    Example: `graphrank list options graphrank`
    """
    from graphrank.cli.actions.listing import show_options  # noqa: PLC0415 - imports torch

    show_options(method)
