"""YAML files of the package and of its users: read safely, numbers as people write them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from graphrank.errors import ConfigError

_MERGE = "tag:yaml.org,2002:merge"


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
