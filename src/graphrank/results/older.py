"""Lines of earlier versions, read as this version would have written them."""

from __future__ import annotations

from typing import Any

from graphrank.methods.options import values_not_said
from graphrank.methods.registry import METHODS

_OF_THE_RUN = ("seed", "device")


def completed(config: dict[str, Any], method: str) -> dict[str, Any]:
    """A line's configuration with the options that its method has got since.

    Each stands at what the method did without it, or where that is not said at its default, so
    that lines of before and after are of one cell.

    Args:
        config: the configuration as written.
        method: the name of the method; nothing is known of one that is no more.
    """
    kind, options = METHODS.get(method), config.get("method")
    if kind is None or not isinstance(options, dict):
        return config
    known = {k: v for k, v in values_not_said(kind).items() if k not in _OF_THE_RUN}
    return {**config, "method": {**known, **options}}
