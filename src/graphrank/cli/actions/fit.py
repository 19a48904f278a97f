"""Train a method and keep the model."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import typer
from rich.table import Table
from torch_geometric.data import Data

from graphrank.cli.actions.graph import in_words, load_of_level
from graphrank.cli.actions.method import requested_method
from graphrank.cli.console import only_warnings, output, say
from graphrank.cli.fit import FitRequest
from graphrank.cli.group import INTERRUPTED
from graphrank.cli.options import GraphSource, typed_again
from graphrank.data import GraphSet
from graphrank.errors import ConfigError, GraphRankError, unknown_name
from graphrank.files import refuse_existing
from graphrank.methods.base import Method
from graphrank.methods.feature_scaling import weighs_words
from graphrank.methods.graphrank import GraphRank
from graphrank.methods.info import Level
from graphrank.methods.trained import TrainedMethod
from graphrank.training.loop import Run


def fit_graph(
    source: GraphSource, request: FitRequest, *, typed: Sequence[str], progress: bool
) -> None:
    """Check everything that can be checked, train, save, and say what to type next."""
    method = _method(request, source.graph)
    _check_output(request, method)
    data = load_of_level(source, method.info.level, progress=progress)
    run = Run(directory=request.output, resume=request.resume, progress=progress)
    try:
        with only_warnings():
            method.fit(data, run=run)
    except KeyboardInterrupt:
        say(_how_to_resume(request.output, typed))
        raise typer.Exit(INTERRUPTED) from None
    output().print(_summary(method, data, request.output))
    output().print("\nNext: " + _next_command(source, request.output), markup=False, soft_wrap=True)


def _method(request: FitRequest, graph: str) -> Method[Any]:
    level = _level(request.level)
    method = requested_method(
        request, graph, level=level, device=request.device, dimensions=request.dimensions
    )
    if level not in (None, method.info.level):
        raise ConfigError(
            f"{method.info.name} embeds {method.info.level}s; leave out --level {level} or choose "
            f"a method of level {level} (`graphrank list methods`)"
        )
    return method


def _level(name: str | None) -> Level | None:
    for level in get_args(Level):
        if name == level:
            return level  # type: ignore[no-any-return]
    if name is None:
        return None
    raise ConfigError(unknown_name("level", name, get_args(Level)))


def _check_output(request: FitRequest, method: Method[Any]) -> None:
    """Refuse an output that could not be written, before any time is spent on training."""
    path = request.output
    if request.resume and request.overwrite:
        raise ConfigError("--resume goes on and --overwrite starts anew; say one of them")
    if request.resume and not isinstance(method, TrainedMethod):
        raise ConfigError(f"{method.info.name} is not trained, so leave out --resume")
    refuse_existing(path, overwrite=request.overwrite or request.resume)
    if path.exists() and not path.is_dir():
        raise GraphRankError(f"{path} is a file; choose a folder for the model")
    existing = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
    if not os.access(existing, os.W_OK):
        raise GraphRankError(f"cannot write to {existing}; choose another path")


def _how_to_resume(path: Path, typed: Sequence[str]) -> str:
    if not (path / "model.json").exists():
        return "interrupted before the first checkpoint; nothing was saved"
    words = ["graphrank", *typed, *([] if "--resume" in typed else ["--resume"])]
    again = shlex.join(word for word in words if word != "--overwrite")
    return f"interrupted; the checkpoint is in {path}, go on with: {again}"


def _summary(method: Method[Any], data: Data | GraphSet, path: Path) -> Table:
    history = method.history_
    rows = {
        "graphs" if isinstance(data, GraphSet) else "graph": in_words(data),
        "features": _features(method),
        "embedding": f"{method.embedding_.size(1):,} numbers a {method.info.level}",
    }
    if history.epochs:
        rows["epochs"] = f"{history.epochs} in {sum(history.seconds):.1f} s"
        rows["loss"] = f"{history.loss[0]:.4f} at first, {history.loss[-1]:.4f} at last"
    rows["saved in"] = str(path)
    table = Table.grid(padding=(0, 2))
    table.title, table.title_justify = f"[bold]{method.info.title}[/]", "left"
    for name, value in rows.items():
        table.add_row(name, value)
    return table


def _features(method: Method[Any]) -> str:
    """How many features there were, and what the method decided about them by itself."""
    name = method.scale_features
    said = [f"{method.num_features_:,} {method.feature_source_}"]
    if name == "auto-words" and weighs_words(name, method.scaling_):
        said.append("rare words count more (scale_features=auto-words)")
    if isinstance(method, GraphRank) and method.has_wide_view:
        said.append(f"noisy, so that it looks two hops further (wide_view={method.wide_view:g})")
    return ", ".join(said)


def _next_command(source: GraphSource, path: Path) -> str:
    words = ["graphrank", "embed", str(path), *typed_again(source)]
    return shlex.join([*words, "--output", "embeddings.parquet"])
