"""Options of a method: declared once as annotated dataclass fields, used everywhere.

A field such as ``margin: Annotated[float, Option("how much more similar", low=0)] = 1.0`` is the
constructor's argument, the command line's ``--set margin=1.0``, the YAML key and the row of the
help text alike.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal

import yaml

from graphrank.errors import ConfigError, unknown_name


@dataclass(frozen=True)
class Option:
    """What is said of an option beside its type and default.

    Args:
        help: one line for the help text.
        low: least value allowed.
        high: greatest value allowed.
        below: value that must not be reached.
        before: what the method did before it had the option, where that is not the default; such
            is the value in models and result lines of that time, which lack it.
    """

    help: str
    low: float | None = None
    high: float | None = None
    below: float | None = None
    before: float | None = None


@dataclass(frozen=True)
class OptionRow:
    """One option of a method, as help texts and checks see it."""

    name: str
    kind: Any
    option: Option
    default: Any

    @property
    def choices(self) -> tuple[str, ...]:
        """The names a choice allows; empty for numbers and flags."""
        return typing.get_args(self.kind) if typing.get_origin(self.kind) is Literal else ()

    @property
    def kind_name(self) -> str:
        """The type in words."""
        if self.choices:
            return " | ".join(map(str, self.choices))
        if typing.get_origin(self.kind) in (typing.Union, types.UnionType):
            return " | ".join("none" if a is type(None) else a.__name__ for a in self._members)
        return str(self.kind.__name__)

    @property
    def _members(self) -> tuple[type, ...]:
        return typing.get_args(self.kind) or (self.kind,)

    def check(self, value: Any) -> None:
        """Raise a :class:`ConfigError` unless ``value`` is of the right type and in range."""
        if self.choices:
            if value not in self.choices:
                raise ConfigError(unknown_name(f"value for {self.name}", str(value), self.choices))
            return
        if value is None and type(None) in self._members:
            return
        self._check_type(value)
        low, high, below = self.option.low, self.option.high, self.option.below
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            inside = (low is None or value >= low) and (high is None or value <= high)
            if not inside or (below is not None and value >= below):
                raise ConfigError(f"{self.name}={value} is out of range; {self.name} {self._range}")

    @property
    def _range(self) -> str:
        low, high, below = self.option.low, self.option.high, self.option.below
        parts = [f"is at least {low:g}"] if low is not None else []
        parts += [f"at most {high:g}"] if high is not None else []
        parts += [f"below {below:g}"] if below is not None else []
        return " and ".join(parts)

    def _check_type(self, value: Any) -> None:
        members = self._members
        fits = any(type(value) is m for m in members) or (float in members and type(value) is int)
        if not fits:
            raise ConfigError(
                f"{self.name} takes {self.kind_name}, not {value!r}; "
                f"its default is {self.default!r}"
            )


@cache
def option_rows(method: type) -> Mapping[str, OptionRow]:
    """All options of a method class, in the order they were declared.

    Kept, since reading the annotations takes milliseconds and every new method is checked by them.
    """
    hints = typing.get_type_hints(method, include_extras=True)
    rows = {}
    for field in fields(method):
        kind, *extras = typing.get_args(hints[field.name])
        option = next(extra for extra in extras if isinstance(extra, Option))
        rows[field.name] = OptionRow(field.name, kind, option, field.default)
    return types.MappingProxyType(rows)


def values_before(method: type) -> dict[str, Any]:
    """Options that were added since, with what the method did when it had none of them."""
    rows = option_rows(method)
    return {name: row.option.before for name, row in rows.items() if row.option.before is not None}


@cache
def values_not_said(method: type) -> Mapping[str, Any]:
    """What each option stands at where it is not named, in a line of before it was there."""
    defaults = {name: row.default for name, row in option_rows(method).items()}
    return types.MappingProxyType({**defaults, **values_before(method)})


def check_options(method: type, values: Mapping[str, Any]) -> None:
    """Raise a :class:`ConfigError` for the first unknown name or unfit value."""
    rows = option_rows(method)
    for name, value in values.items():
        if name not in rows:
            raise ConfigError(unknown_name(f"option of {method.__name__}", name, rows))
        rows[name].check(value)


def parse_settings(settings: Iterable[str]) -> dict[str, Any]:
    """Read ``["margin=0.5", "encoder=gcn"]`` as ``{"margin": 0.5, "encoder": "gcn"}``."""
    parsed: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise ConfigError(f"cannot read the setting {setting!r}; write it as name=value")
        parsed[name.strip().replace("-", "_")] = _parse_value(text.strip())
    return parsed


def _parse_value(text: str) -> Any:
    """A YAML scalar, with ``1e-3``, which YAML takes for a word, read as the number that it is."""
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        return text
    if isinstance(value, str) and value[:1] in "+-.0123456789":
        with suppress(ValueError):
            return float(value)
    return value
