"""Sets of graphs in few bytes, kept on disk."""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from graphrank.data.graphset import GraphSet
from graphrank.data.paths import cache_dir

_LOGGER = logging.getLogger("graphrank")
_VERSION = 3


@dataclass(frozen=True)
class PackedGraphs:
    """A set of graphs as sorted neighbour lists, neighbours numbered within their graph.

    Attributes:
        sizes: Nodes of every graph.
        degree: Neighbours of every node.
        neighbour: The neighbours, node after node, from 0 within each graph.
        y: Class of every graph; empty where there are none.
        node_label: Label of every node; empty where there are none.
        label_value: What the numbers in ``node_label`` stand for.
        attribute: Features of every node, ``[nodes, features]``; no columns where there are none.
    """

    sizes: NDArray[Any]
    degree: NDArray[Any]
    neighbour: NDArray[Any]
    y: NDArray[Any]
    node_label: NDArray[Any]
    label_value: NDArray[Any]
    attribute: NDArray[Any]

    def unpack(self, name: str) -> GraphSet:
        """Return the set with nodes numbered through."""
        sizes, degree = self.sizes.astype(np.int64), self.degree.astype(np.int64)
        ptr = np.concatenate([[0], np.cumsum(sizes)])
        edge_index = np.empty((2, len(self.neighbour)), dtype=np.int64)
        edge_index[0] = np.repeat(np.arange(len(degree)), degree)
        edge_index[1] = np.repeat(np.repeat(ptr[:-1], sizes), degree)
        edge_index[1] += self.neighbour
        return GraphSet(
            name,
            torch.from_numpy(edge_index),
            torch.from_numpy(ptr),
            x=torch.from_numpy(self.attribute.astype(np.float32)) if self.attribute.size else None,
            node_label=_numbers(self.node_label),
            y=_numbers(self.y),
            label_names=[str(value) for value in self.label_value.tolist()],
        )


def _numbers(array: NDArray[Any]) -> torch.Tensor | None:
    """As int64; none where there are none."""
    return torch.from_numpy(array.astype(np.int64)) if len(array) else None


def cached(source: Path, name: str, parse: Callable[[], PackedGraphs]) -> PackedGraphs:
    """Return what ``parse`` returns, from the cache if ``source`` has not changed since.

    A cache that cannot be read is made again; one that cannot be written is done without.
    """
    path = cache_dir() / "graphs" / f"{name}-{_stamp(source, name)}.npz"
    found = _read(path)
    if found is None:
        found = parse()
        try:
            _write(found, path)
        except OSError as error:
            _LOGGER.info("%s: not cached (%s)", name, error)
    return found


def _stamp(source: Path, name: str) -> str:
    """Return a short text that changes with the source and with the form of the cache."""
    files = sorted(source.glob(f"{name}_*.txt")) if source.is_dir() else [source]
    states = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    text = f"{_VERSION} {source.resolve()} {states}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _read(path: Path) -> PackedGraphs | None:
    """Read a cached set; None if there is none or it is damaged."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return PackedGraphs(
                **{field.name: arrays[field.name] for field in fields(PackedGraphs)}
            )
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def _write(graphs: PackedGraphs, path: Path) -> None:
    """Write a set in the smallest integer types, in one step, so that no one reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    small: dict[str, Any] = {key: _smallest(value) for key, value in asdict(graphs).items()}
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **small)
        Path(temporary).replace(path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _smallest(array: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers in the smallest type that holds them, and others as they are."""
    if array.dtype.kind == "f":
        return array
    ends = (int(array.min(initial=0)), int(array.max(initial=0)))
    return array.astype(np.result_type(*map(np.min_scalar_type, ends)))
