"""Commands whose options are the annotated fields of dataclasses."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from inspect import Parameter, Signature
from typing import Any, get_type_hints


def bundled(command: Callable[..., None]) -> Callable[..., None]:
    """Spread every parameter that is a dataclass into one option for each of its fields.

    Typer sees the options; the command gets them back as objects. So a group of options that
    several commands share is declared once, and a command stays a short function.

    Example:
        >>> @dataclass
        ... class Messages:
        ...     quiet: Annotated[bool, typer.Option(help="Errors only.")] = False
        >>> @bundled
        ... def fit(graph: str, messages: Messages) -> None:
        ...     print(graph, messages.quiet)
        >>> fit(graph="karate", quiet=True)
        karate True
    """
    kinds = get_type_hints(command, include_extras=True)
    kinds.pop("return", None)
    options = [option for name, kind in kinds.items() for option in _options(name, kind)]

    @functools.wraps(command)
    def run(**values: Any) -> None:
        command(**{name: _gathered(name, kind, values) for name, kind in kinds.items()})

    run.__annotations__ = {option.name: option.annotation for option in options}
    run.__signature__ = Signature(options)  # type: ignore[attr-defined]
    del run.__wrapped__  # typer must not look behind the new signature
    return run


def _options(name: str, kind: Any) -> list[Parameter]:
    if not is_dataclass(kind):
        return [Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind)]
    hints = get_type_hints(kind, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            annotation=hints[field.name],
            default=_default(field),
        )
        for field in fields(kind)
    ]


def _default(field: Field[Any]) -> Any:
    return Parameter.empty if field.default is MISSING else field.default


def _gathered(name: str, kind: Any, values: Mapping[str, Any]) -> Any:
    if not is_dataclass(kind) or not isinstance(kind, type):
        return values[name]
    return kind(**{field.name: values[field.name] for field in fields(kind)})
