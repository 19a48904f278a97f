"""Class labels of any kind as numbers ``0..C-1``."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrank.data.raw import IntArray, NodeIds

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "<NA>")

_LOGGER = logging.getLogger("graphrank")
_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]*")


def natural(names: Sequence[str]) -> NodeIds:
    """Return ``names`` as integers if each is one in its usual spelling, else as they are.

    Example:
        >>> natural(["10", "9"]), natural(["007", "9"])
        ([10, 9], ['007', '9'])
    """
    texts = [str(name) for name in names]
    if all(_WHOLE_NUMBER.fullmatch(text) for text in texts):
        return [int(text) for text in texts]
    return texts


def known_labels(values: Iterable[Any]) -> list[str]:
    """Labels as text, empty where a node has none: None, NaN, or a usual spelling of them.

    Example:
        >>> known_labels(["a", None, "NA", 3.0])
        ['a', '', '', '3']
    """
    texts = map(as_text, values)
    return ["" if text in MISSING else text for text in texts]


def as_text(value: object) -> str:
    """An id or a label as text; 3.0 is 3, as whole numbers beside missing ones are read."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def encode_labels(values: NDArray[Any] | Sequence[str]) -> tuple[IntArray, list[str] | None]:
    """Number the classes in their natural order; an empty text is a node without label, -1.

    Args:
        values: One label for each node, as text.

    Returns:
        The classes as int64, and their names unless the labels were ``0..C-1`` already.
    """
    texts = np.asarray(values, dtype=str)
    found, inverse = np.unique(texts, return_inverse=True)
    classes = natural([str(text) for text in found if text])
    order = np.argsort(np.asarray(classes), kind="stable")
    missing = len(found) - len(classes)  # the empty text sorts first
    number = np.full(len(found), -1, dtype=np.int64)
    number[order + missing] = np.arange(len(classes))
    y = number[inverse.reshape(-1)]
    names = [str(classes[i]) for i in order]
    plain = names == [str(i) for i in range(len(names))]
    return y, None if plain else names


def without_placeholder(
    y: IntArray, names: list[str] | None, where: str
) -> tuple[IntArray, list[str] | None]:
    """Take a class "-1" beside classes 0, 1, … as what it is by custom: no label.

    Args:
        y: Classes by number.
        names: Their names, as :func:`encode_labels` returns them.
        where: The graph, for the log.
    """
    if names is None or len(names) < 3 or names != [str(i - 1) for i in range(len(names))]:
        return y, names
    unlabelled = int((y == 0).sum())
    _LOGGER.warning(
        "%s: label -1 is taken as no label (%d nodes); call it otherwise if it is a class",
        where,
        unlabelled,
    )
    return y - (y >= 0), None
