"""YAML files of the package and of its users: read safely, numbers as people write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar

import yaml

from graphrank.errors import ConfigError, unknown_name

_MERGE = "tag:yaml.org,2002:merge"
PartT = TypeVar("PartT")


class _Loader(yaml.SafeLoader):
    """YAML in which 1e-3 is a number, as everybody means it, and no name may come twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """A mapping; YAML's own reader would let the last of two equal names win."""
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != _MERGE:
                if key.value in seen:
                    raise ConfigError(f"it has the name {key.value!r} twice; leave out one of them")
                seen.add(key.value)
        return super().construct_mapping(node, deep)


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+$"),
    list("-+0123456789"),
)


def read_yaml(path: Path) -> object:
    """The content of a YAML file.

    Raises:
        ConfigError: In one sentence, if it is no YAML or has a name twice in one mapping.
    """
    try:
        return yaml.load(path.read_text(), _Loader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise ConfigError(f"it is no YAML ({reason}); mend it") from None


def from_mapping(kind: type[PartT], content: object, what: str) -> PartT:
    """A dataclass from a mapping; lists become tuples.

    Args:
        kind: the dataclass, whose fields are the names that the mapping may have.
        content: what was read.
        what: what to call it where something is wrong.

    Raises:
        ConfigError: For an entry that is missing or not known.
    """
    entries = as_mapping(content, what)
    declared = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]
    for entry in entries:
        if entry not in declared:
            raise ConfigError(unknown_name(f"entry of {what}", str(entry), declared))
    for entry, each in declared.items():
        needed = each.default is MISSING and each.default_factory is MISSING
        if needed and entry not in entries:
            raise ConfigError(f"{what} lacks its {entry}")
    listed = {k: tuple(v) if isinstance(v, list) else v for k, v in entries.items()}
    return kind(**listed)


def as_mapping(content: object, what: str) -> Mapping[str, Any]:
    """What was read, if it is a mapping."""
    if not isinstance(content, dict):
        raise ConfigError(f"{what} has to be a mapping of names and values")
    return content
