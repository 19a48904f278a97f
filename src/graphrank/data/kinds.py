"""Graphs with nodes of two kinds, such as users and items, whose edges all go across."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from torch import Tensor

from graphrank.data.keys import KeyColumn, original
from graphrank.data.raw import IntArray, NodeIds

_LOGGER = logging.getLogger("graphrank")


def number_apart(
    keys: Sequence[KeyColumn], columns: Sequence[str], where: str
) -> tuple[NodeIds, list[IntArray], IntArray]:
    """Number the ids of two columns, those of the first one before those of the second.

    An id that is in both columns names two nodes: then all ids are told apart by their column, as
    in ``user:7`` and ``item:7``.

    Args:
        keys: both columns.
        columns: their names.
        where: the table, for the log.

    Returns:
        The ids, each column as numbers, and the kind of each node: 0 or 1.
    """
    is_text = any(key.is_text for key in keys)
    names: list[list[str]] = []
    for key in keys:
        ids = original(sorted({name for name in key.names if name}), is_text=is_text)
        ids.sort()
        names.append([str(node) for node in ids])
    shared = set(names[0]) & set(names[1])
    first = len(names[0])
    numbers = [
        start + pd.Index(known).get_indexer(pd.Index(key.names))[key.codes].astype(np.int64)
        for start, known, key in zip((0, first), names, keys, strict=True)
    ]
    kind = np.repeat(np.asarray([0, 1], dtype=np.int64), [first, len(names[1])])
    if not shared:
        return original([*names[0], *names[1]], is_text=is_text), numbers, kind
    called = [f"{column}:{name}" for column, known in zip(columns, names, strict=True)
              for name in known]  # fmt: skip
    _LOGGER.info(
        "%s: %d ids are both %r and %r, so nodes are called %s and %s",
        where, len(shared), columns[0], columns[1], called[0], called[first],
    )  # fmt: skip
    return called, numbers, kind


def alike(kind: Tensor, other: Tensor) -> Tensor:
    """Whether nodes are of one kind, and so cannot be joined; -1, not known, is like none."""
    same: Tensor = (kind == other) & (kind >= 0)
    return same


def across(kind: Tensor | None) -> Callable[[Tensor], Tensor] | None:
    """What tells for ``[2, P]`` pairs whether they may be joined; nothing where all may.

    Args:
        kind: ``[N]`` kind of each node, -1 where it is not known: such a node fits both.
    """
    if kind is None:
        return None
    return lambda pairs: ~alike(*kind[pairs])
