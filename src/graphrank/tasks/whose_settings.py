"""Whose options are whose, where several methods are measured side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphrank.errors import ConfigError
from graphrank.methods.base import Method
from graphrank.methods.info import Level
from graphrank.methods.registry import method_class


def follows(kind: type[Method[Any]], owner: type[Method[Any]]) -> bool:
    """Whether options of one method are another's: its own, and those of a control made from it.

    An untrained encoder of another shape would be no control.
    """
    return kind is owner or (issubclass(kind, owner) and kind.info.family == "control")


def shared_out(
    settings: Mapping[str, Any], kinds: Sequence[type[Method[Any]]], level: Level
) -> list[dict[str, Any]]:
    """The options of each method.

    Args:
        settings: values by ``option``, which is the first method's, or by ``method.option``.
        kinds: the methods.
        level: what they embed, by which names are completed.

    Raises:
        ConfigError: For an option of a method that is unknown, or not among these.
    """
    shares: list[dict[str, Any]] = [{} for _ in kinds]
    for name, value in settings.items():
        method, dot, option = name.rpartition(".")
        owner = method_class(method, level) if dot else kinds[0]
        if owner not in kinds:
            raise ConfigError(
                f"the setting {name!r} is of a method that is not measured here; "
                f"add --method {owner.info.name}"
            )
        for kind, share in zip(kinds, shares, strict=True):
            if follows(kind, owner):
                share[option] = value
    return shares
