"""Errors that a user can mend: one clear sentence each, with the remedy in it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class GraphRankError(ValueError):
    """Something the user gave cannot be used; the message says what and how to mend it.

    The command line prints the message alone and exits with code 2; every other exception is a
    defect of this package and keeps its traceback.
    """


class DataError(GraphRankError):
    """A graph, a feature table or a dataset cannot be read as it is."""


class ConfigError(GraphRankError):
    """An option, a preset or a name is not known or out of range."""


class ModelError(GraphRankError):
    """A model directory is missing, damaged, of another version, or does not fit the graph."""


class TrainingError(GraphRankError):
    """Training cannot go on, for example because the loss is not a number."""


def unknown_name(kind: str, name: str, choices: Iterable[str]) -> str:
    """Say that ``name`` is no known ``kind``, and suggest the nearest one.

    Example:
        >>> unknown_name("method", "grahprank", ["graphrank", "smoothing"])
        "there is no method 'grahprank'; did you mean 'graphrank'?"
    """
    known = sorted(choices)
    by_folded = {choice.casefold(): choice for choice in known}
    folded = name.casefold()
    near = (
        _begun_alike(folded, by_folded)
        or _told_by_a_word(folded, by_folded)
        or get_close_matches(folded, by_folded, 1, cutoff=0.5)
    )
    if near:
        return f"there is no {kind} {name!r}; did you mean {by_folded[near[0]]!r}?"
    return f"there is no {kind} {name!r}; known are {', '.join(known)}"


def _begun_alike(name: str, choices: Iterable[str]) -> list[str]:
    """The one choice that begins with all of a name; nothing if not one."""
    begun = [choice for choice in choices if name and choice.startswith(name)]
    return begun if len(begun) == 1 else []


def _told_by_a_word(name: str, choices: Iterable[str]) -> list[str]:
    """The one choice that shares a word with the name which no other has; nothing if not one."""
    having: dict[str, list[str]] = {}
    for choice in choices:
        for word in choice.split("-"):
            having.setdefault(word, []).append(choice)
    alone = {had[0] for word in name.split("-") if len(had := having.get(word, [])) == 1}
    return list(alone) if len(alone) == 1 else []
