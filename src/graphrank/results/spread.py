"""How far values of several seeds lie apart."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence


def deviation(values: Sequence[float]) -> float:
    """Sample standard deviation of two values or more; NaN where one of them is NaN.

    ``statistics.stdev`` alone raises an error of its own there, in some versions of Python.

    Example:
        >>> deviation([1.0, 2.0, 3.0])
        1.0
    """
    if any(math.isnan(value) for value in values):
        return math.nan
    return statistics.stdev(values)
