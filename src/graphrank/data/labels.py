"""Class labels of any kind as numbers ``0..C-1``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrank.data.raw import IntArray, NodeIds

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
