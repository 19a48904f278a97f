"""One line of a results file: a result, or damaged."""

from __future__ import annotations

import json
import math
from typing import Any

from graphrank.errors import GraphRankError
from graphrank.results.older import completed
from graphrank.results.record import FORMAT, Result

_TEXTS = ("task", "dataset", "method", "protocol")
_MEASURED = ("seeds", "values", "seconds", "peak_mib")


def parse_line(line: str, source: str) -> Result | None:
    """The result that a line holds; none if the line is damaged.

    Everything that later code relies on is checked here: each field has its type, and every row
    has a number for every seed.

    Args:
        line: the text.
        source: what to call the file in an error.

    Raises:
        GraphRankError: If the line is of a newer format.
    """
    fields = _fields(line)
    version = fields.pop("format", None)
    if not _is_whole(version) or version < 1:
        return None
    if version > FORMAT:
        raise GraphRankError(
            f"{source} holds results of format {version} and this version reads up to {FORMAT}; "
            "install a newer graphrank"
        )
    if not _is_measured(fields):
        return None
    try:
        result = Result(**fields)
    except TypeError:  # a field too many or too few
        return None
    if not _is_described(result):
        return None
    result.config = completed(result.config, result.method)
    return result


def _fields(line: str) -> dict[str, Any]:
    """The object that a line is in JSON; an empty one where it is none."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):  # no JSON, an endless number, thousands of brackets
        return {}
    return fields if isinstance(fields, dict) else {}


def _is_described(result: Result) -> bool:
    """Whether what was run is said in the right types."""
    return (
        all(isinstance(getattr(result, name), str) for name in _TEXTS)
        and isinstance(result.config, dict)
        and all(isinstance(result.config.get(part, {}), dict) for part in ("method", "task"))
        and isinstance(result.environment, dict)
        and all(isinstance(text, str) for text in result.environment.values())
        and isinstance(result.preset, str)
        and isinstance(result.diagnostic, bool)
    )


def _is_measured(fields: dict[str, Any]) -> bool:
    """Whether there are seeds, each once, and for each of them a number in every row."""
    seeds, values, seconds, peak_mib = (fields.get(name) for name in _MEASURED)
    if not (isinstance(seeds, list) and seeds and all(_is_whole(seed) for seed in seeds)):
        return False
    if not (isinstance(values, dict) and values and isinstance(seconds, dict)):
        return False
    rows = [peak_mib, *values.values(), *seconds.values()]
    return len(set(seeds)) == len(seeds) and all(_is_row(row, len(seeds)) for row in rows)


def _is_row(row: Any, length: int) -> bool:
    return isinstance(row, list) and len(row) == length and all(map(_is_number, row))


def _is_number(value: Any) -> bool:
    """Whether it is a number to reckon with; NaN is one: what could not be measured."""
    if isinstance(value, float):
        return not math.isinf(value)
    return _is_whole(value) and abs(value) < 2**53  # past that no float holds it


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
