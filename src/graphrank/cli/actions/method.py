"""The method that a command was asked for."""

from __future__ import annotations

from typing import Any

from graphrank.cli.cluster import ClusterRequest
from graphrank.cli.fit import FitRequest
from graphrank.cli.predict_labels import LabelRequest
from graphrank.methods.base import Method
from graphrank.methods.info import Level
from graphrank.methods.options import parse_settings
from graphrank.methods.registry import make_method


def requested_method(
    request: FitRequest | ClusterRequest | LabelRequest,
    graph: str,
    *,
    level: Level | None = None,
    device: str | None = None,
    dimensions: int | None = None,
) -> Method[Any]:
    """Make it, with options that have a flag of their own over those of ``--set``.

    Args:
        request: its name, preset, settings and seed.
        graph: the graph as it was typed, whose name may have settings of its own.
        level: what it is to embed, where that was said.
        device: where it computes, where that was said.
        dimensions: how wide its embeddings are, where that was said.

    Raises:
        ConfigError: If a name or an option is unknown or unfit.
    """
    flags = {"seed": request.seed, "device": device, "dimensions": dimensions}
    given = {name: value for name, value in flags.items() if value is not None}
    settings = {**parse_settings(request.settings or ()), **given}
    return make_method(request.method, request.preset, settings, dataset=graph, level=level)
