"""One variant: a method with its preset and settings, checked before it is run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from graphrank.ablation.figures import Graphs
from graphrank.data.identity import catalog_name
from graphrank.errors import ConfigError, GraphRankError
from graphrank.methods.base import Method
from graphrank.methods.experiment_file import typed_settings
from graphrank.methods.experiments import preset_in_force
from graphrank.methods.info import Level
from graphrank.methods.registry import method_class
from graphrank.methods.supervised import SupervisedMethod
from graphrank.yaml_files import from_mapping

_WHAT = {"node": "nodes", "graph": "whole graphs"}
_NOT_SET = {
    "seed": "a variant is measured over seeds already; say how many with seeds",
    "device": "the device changes no figure; leave it out",
}


@dataclass(frozen=True)
class Variant:
    """What one row of an ablation runs.

    Args:
        method: name of the method; of one read from a file the whole name, as
            ``graphrank-graph`` where the tasks are about whole graphs.
        preset: preset of the method.
        settings: options on top of the preset.
    """

    method: str = "graphrank"
    preset: str = "default"
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def kind(self) -> type[Method[Any]]:
        """The class of the method."""
        return method_class(self.method)

    def on(self, data: Graphs) -> tuple[str, Method[Any]]:
        """The method for a graph or a set, behind the name of the preset that it has there."""
        dataset = catalog_name(data)
        method = self.kind.from_preset(self.preset, self.settings, dataset=dataset)
        return preset_in_force(self.kind, self.preset, dataset), method


def parse_variant(name: object, content: object, level: Level = "node") -> Variant:
    """A variant from what a file says of it; what it leaves out has its default.

    Args:
        name: what the file calls it.
        content: what stands behind the name.
        level: what the method has to embed; ``graphrank`` is its form of that level.

    Raises:
        ConfigError: In one sentence, with the variant's name in it.
    """
    if not isinstance(name, str) or not name.strip():
        raise ConfigError(f"the variant {name!r} needs a word as its name; put it in quotes")
    try:
        given = from_mapping(Variant, {} if content is None else content, "a variant")
        return _checked(given, level)
    except GraphRankError as error:
        raise ConfigError(f"variant {name}: {error}") from None


def check_level(variant: Variant, level: Level) -> None:
    """Refuse a method whose embeddings are of something else than the tasks are about."""
    info = variant.kind.info
    if info.level != level:
        raise ConfigError(
            f"{info.name} embeds {_WHAT[info.level]} and the tasks are about {_WHAT[level]}; name "
            f"a method of level {level} (`graphrank list methods`)"
        )


def _checked(variant: Variant, level: Level) -> Variant:
    """The variant with typed settings, if there is such a method and it can be compared."""
    for part in ("method", "preset"):
        if not isinstance(getattr(variant, part), str):
            raise ConfigError(f"its {part} {getattr(variant, part)!r} is no word; name a {part}")
    kind = method_class(variant.method, level)
    variant = replace(variant, method=kind.info.name)
    check_level(variant, level)
    if issubclass(kind, SupervisedMethod):
        raise ConfigError(
            f"{kind.info.name} is supervised and has no embedding to compare; name a "
            "self-supervised method (`graphrank list methods`)"
        )
    settings = typed_settings(variant.settings, kind)
    for option, why in _NOT_SET.items():
        if option in settings:
            raise ConfigError(f"{option} cannot be set: {why}")
    kind.from_preset(variant.preset, settings)
    return replace(variant, settings=settings)
