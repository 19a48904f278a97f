"""All items by name, from ``experiments/reproduce``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from graphrank.errors import ConfigError, GraphRankError, unknown_name
from graphrank.methods.experiments import FOLDER
from graphrank.reproduce.item import Item, parse_item

ALL = "all"


@cache
def all_items(folder: Path = FOLDER / "reproduce") -> dict[str, Item]:
    """All items by name, in their own order."""
    items = [read_item(path) for path in folder.glob("*.yaml")]
    return {item.name: item for item in sorted(items, key=lambda item: (item.order, item.name))}


def read_item(path: Path) -> Item:
    """One item from its file.

    Raises:
        ConfigError: In one sentence, with the file's name in it.
    """
    try:
        return parse_item(path.stem, yaml.safe_load(path.read_text()))
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        raise ConfigError(f"{path}: it is no YAML ({reason}); mend it") from None
    except GraphRankError as error:
        raise ConfigError(f"{path}: {error}") from None


def chosen_items(name: str) -> list[Item]:
    """The item of that name, or all of them.

    Raises:
        ConfigError: If there is none, with the nearest name.
    """
    items = all_items()
    if name == ALL:
        return list(items.values())
    if name not in items:
        raise ConfigError(unknown_name("item", name, [*items, ALL]))
    return [items[name]]
