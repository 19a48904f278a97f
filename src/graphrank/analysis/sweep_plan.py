"""Which options a sweep sets, to which values: checked before any time is spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphrank.analysis.sweep_result import OptionValue
from graphrank.errors import ConfigError, unknown_name
from graphrank.methods.base import Method
from graphrank.methods.options import check_options, option_rows
from graphrank.methods.registry import make_method, method_class

_VIEWS = ("_1", "_2")
_NOT_SWEPT = {
    "seed": "every point is measured over seeds already; say how many with seeds",
    "device": "the device changes no figure; sweep another option",
}


@dataclass(frozen=True)
class SweepPlan:
    """A sweep whose every name and value was checked.

    Args:
        method: name of the method.
        parameter: what is swept; an option, or the common name of both views' options, such as
            ``feature_mask`` for ``feature_mask_1`` and ``feature_mask_2``.
        options: the options that it sets.
        values: their values.
        preset: preset of the method.
        settings: options on top of the preset.
        dataset: name of the dataset, for the preset ``authors``.
    """

    method: str
    parameter: str
    options: tuple[str, ...]
    values: tuple[OptionValue, ...]
    preset: str
    settings: Mapping[str, Any]
    dataset: str | None = None

    def method_at(self, value: OptionValue) -> Method[Any]:
        """A fresh method with the swept options at a value."""
        point = dict.fromkeys(self.options, value)
        settings = {**self.settings, **point}
        return make_method(self.method, self.preset, settings, dataset=self.dataset)


def plan_sweep(
    method_name: str,
    parameter: str,
    values: Sequence[OptionValue],
    preset: str = "default",
    settings: Mapping[str, Any] | None = None,
    dataset: str | None = None,
) -> SweepPlan:
    """Check a sweep before any time is spent on it.

    Raises:
        ConfigError: For an unknown method, preset or option, or a value that it does not take.
    """
    kind = method_class(method_name)
    options = swept_options(kind, parameter)
    for option in options:
        if option in (settings or {}):
            raise ConfigError(f"{option} is swept and set at once; leave out one of them")
    rows = option_rows(kind)
    typed = [_typed(rows[options[0]].kind, value) for value in values]
    if not typed:
        raise ConfigError(f"name at least one value of {parameter}")
    once = tuple(dict.fromkeys(typed))
    plan = SweepPlan(kind.info.name, parameter, options, once, preset, settings or {}, dataset)
    for value in plan.values:
        check_options(kind, dict.fromkeys(options, value))
    plan.method_at(plan.values[0])
    return plan


def swept_options(kind: type[Method[Any]], parameter: str) -> tuple[str, ...]:
    """The options that a parameter sets: itself, or those of both views.

    Example:
        >>> from graphrank import GraphRank
        >>> swept_options(GraphRank, "edge_drop")
        ('edge_drop_1', 'edge_drop_2')
    """
    if parameter in _NOT_SWEPT:
        raise ConfigError(f"{parameter} cannot be swept: {_NOT_SWEPT[parameter]}")
    known = [name for name in option_rows(kind) if name not in _NOT_SWEPT]
    both = [
        name.removesuffix("_1")
        for name in known
        if name.endswith("_1") and f"{name.removesuffix('_1')}_2" in known
    ]
    if parameter in both:
        return tuple(parameter + view for view in _VIEWS)
    if parameter not in known:
        raise ConfigError(unknown_name(f"option of {kind.__name__}", parameter, [*known, *both]))
    return (parameter,)


def _typed(kind: Any, value: OptionValue) -> OptionValue:
    """A whole number as the float that it stands for, so that 1 and 1.0 are one point."""
    return float(value) if kind is float and type(value) is int else value
