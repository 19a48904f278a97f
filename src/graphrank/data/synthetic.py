"""Seeded random graphs of any size, described by one line of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from graphrank.data.raw import FloatArray, IntArray, RawGraph
from graphrank.errors import DataError, unknown_name


@dataclass(frozen=True)
class BlockModel:
    """A stochastic block model with Gaussian features around one centre for each class.

    Attributes:
        nodes: Number of nodes.
        classes: Number of classes, of equal size up to one node.
        features: Number of features; 0 for structural ones.
        degree: Mean degree aimed at; merged duplicates make it a little less.
        homophily: Share of the edges within a class.
        signal: Length of the class centres; the noise has deviation one in every feature.
        seed: Seed of everything.
    """

    nodes: int = 1000
    classes: int = 5
    features: int = 32
    degree: float = 10.0
    homophily: float = 0.8
    signal: float = 2.0
    seed: int = 0


@dataclass(frozen=True)
class ErdosRenyi:
    """A uniform random graph without labels and features.

    Attributes:
        nodes: Number of nodes.
        degree: Mean degree aimed at.
        seed: Seed of the edges.
    """

    nodes: int = 1000
    degree: float = 10.0
    seed: int = 0


def is_synthetic(text: str) -> bool:
    """Tell whether ``text`` begins like a description of a synthetic graph."""
    return text.partition(":")[0].casefold() in _KINDS


def make_synthetic(text: str) -> RawGraph:
    """Draw the graph that ``text`` describes; the same text gives the same graph.

    Args:
        text: The kind and its settings, such as ``sbm:nodes=10000,classes=5,seed=1`` or
            ``er:nodes=1000,degree=8``; what is left out has its default.

    Raises:
        DataError: If a setting is not known or out of range.
    """
    kind, _, settings = text.partition(":")
    model, draw = _KINDS[kind.casefold()]
    values = _parse(model, settings)
    _check(values, text)
    return draw(model(**values), text)


def _parse(model: type, settings: str) -> dict[str, Any]:
    """Read ``a=1,b=2`` with the types that the fields of ``model`` have by default."""
    types: dict[str, Any] = {field.name: type(field.default) for field in fields(model)}
    values: dict[str, Any] = {}
    for item in filter(None, settings.split(",")):
        name, _, value = (part.strip() for part in item.partition("="))
        if name not in types:
            raise DataError(unknown_name("setting", name, types))
        try:
            values[name] = types[name](value)
        except ValueError:
            raise DataError(f"setting {name}={value!r} is no number; write {name}=1") from None
    return {field.name: field.default for field in fields(model)} | values


def _check(values: Mapping[str, Any], text: str) -> None:
    """Refuse settings out of range."""
    rules = {
        "nodes": values["nodes"] >= 2,
        "degree": 0 <= values["degree"] < values["nodes"],
        "classes": 1 <= values.get("classes", 1) <= values["nodes"],
        "features": values.get("features", 0) >= 0,
        "homophily": 0 <= values.get("homophily", 0) <= 1,
        "seed": values["seed"] >= 0,
    }
    for name, holds in rules.items():
        if not holds:
            raise DataError(
                f"{name}={values[name]} of {text!r} is out of range; choose another value"
            )


def _draw_blocks(model: BlockModel, name: str) -> RawGraph:
    """Draw labels, then the ends of every edge at once, then features."""
    rng = np.random.default_rng(model.seed)
    y = rng.permutation(np.arange(model.nodes, dtype=np.int64) % model.classes)
    row = rng.integers(model.nodes, size=_edge_count(model.nodes, model.degree))
    col = _partners(rng, y, row, model)
    keep = row != col
    x = _class_features(rng, y, model) if model.features else None
    return RawGraph(row[keep], col[keep], model.nodes, name, x=x, y=y)


def _partners(rng: np.random.Generator, y: IntArray, row: IntArray, model: BlockModel) -> IntArray:
    """Draw the other end of every edge, in the same class with probability ``homophily``."""
    by_class = np.argsort(y, kind="stable")
    size = np.bincount(y, minlength=model.classes)
    start = (np.cumsum(size) - size)[y[row]]
    own = size[y[row]]
    others = model.nodes - own
    same = (rng.random(len(row)) < model.homophily) | (others == 0)
    position = (rng.random(len(row)) * np.where(same, own, others)).astype(np.int64)
    beyond = position >= start
    return np.asarray(by_class[np.where(same, start + position, position + own * beyond)])


def _class_features(rng: np.random.Generator, y: IntArray, model: BlockModel) -> FloatArray:
    """Draw Gaussian features around one random centre for each class."""
    centres = rng.standard_normal((model.classes, model.features), dtype=np.float32)
    centres *= model.signal / np.linalg.norm(centres, axis=1, keepdims=True)
    return centres[y] + rng.standard_normal((model.nodes, model.features), dtype=np.float32)


def _draw_uniform(model: ErdosRenyi, name: str) -> RawGraph:
    """Draw both ends of every edge uniformly."""
    rng = np.random.default_rng(model.seed)
    row, col = rng.integers(model.nodes, size=(2, _edge_count(model.nodes, model.degree)))
    keep = row != col
    return RawGraph(row[keep], col[keep], model.nodes, name)


def _edge_count(nodes: int, degree: float) -> int:
    """Return how many undirected edges give that mean degree."""
    return round(nodes * degree / 2)


_KINDS: dict[str, tuple[type, Callable[[Any, str], RawGraph]]] = {
    "sbm": (BlockModel, _draw_blocks),
    "er": (ErdosRenyi, _draw_uniform),
}
