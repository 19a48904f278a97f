"""All methods by name. A new method adds its one line here; the contract tests find it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphrank.errors import ConfigError, unknown_name
from graphrank.methods.base import Method
from graphrank.methods.controls import RawFeatures, Smoothing, Untrained
from graphrank.methods.graphrank import GraphRank
from graphrank.training.checkpoint import read_model

METHODS: dict[str, type[Method[Any]]] = {
    method.info.name: method
    for method in (
        GraphRank,
        Smoothing,
        Untrained,
        RawFeatures,
    )
}

CONTROLS = ("smoothing", "untrained", "raw-features")


def method_class(name: str) -> type[Method[Any]]:
    """The class of a method by its name on the command line."""
    key = name.casefold().replace("_", "-")
    if key not in METHODS:
        raise ConfigError(unknown_name("method", name, METHODS))
    return METHODS[key]


def make_method(
    name: str, preset: str = "default", settings: Mapping[str, Any] | None = None
) -> Method[Any]:
    """A method by name, with a preset and settings on top of it."""
    return method_class(name).from_preset(preset, settings)


def load_model(path: str | Path) -> Method[Any]:
    """Read a model directory, whatever method wrote it."""
    return method_class(read_model(Path(path)).method).load(path)
