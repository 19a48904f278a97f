"""Errors of the user become one sentence and exit code 2; a defect keeps its traceback."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from graphrank.cli.console import fail, plain_messages
from graphrank.errors import GraphRankError, unknown_name

USER_MISTAKE = 2
INTERRUPTED = 130

# The base of all usage errors: click's own class, or the copy of it that typer brings along.
_UsageProblem: type[Exception] = typer.BadParameter.__mro__[2]


class PlainErrorGroup(TyperGroup):
    """A group of commands that prints each error as one sentence.

    ``context.obj`` holds the words that were typed, for messages that say what to type next.
    """

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line and exit with its code."""
        extra.setdefault("obj", list(sys.argv[1:] if args is None else args))
        inner = functools.partial(
            super().main, args, prog_name, complete_var, False, windows_expand_args, **extra
        )
        with plain_messages():
            code = _exit_code(inner)
        if standalone_mode:
            sys.exit(code)
        return code


def _exit_code(command: Callable[[], Any]) -> int:
    """Run a command; print what went wrong, if it was the user's to mend."""
    try:
        return int(command() or 0)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except GraphRankError as error:
        fail(str(error))
    except OSError as error:
        fail(_file_sentence(error))
    except _UsageProblem as error:
        sentence = _usage_sentence(error)
        if sentence:
            fail(sentence)
    return USER_MISTAKE


def _file_sentence(error: OSError) -> str:
    """Say which file the system refused, and why."""
    reason = (error.strerror or str(error)).lower()
    return f"cannot use {error.filename}: {reason}" if error.filename else reason


def _usage_sentence(error: Any) -> str:
    """Say in one sentence what was typed wrongly; empty where the help was shown instead."""
    context = getattr(error, "ctx", None)
    if context is not None and hasattr(error, "possibilities"):
        options = [name for option in context.command.params for name in option.opts]
        known = [name for name in options if name.startswith("--")]
        return unknown_name("option", error.option_name, [*known, "--help"])
    text = re.sub(r"\s+", " ", error.format_message()).strip().rstrip(".")
    text = re.sub(r"\. (\w)", lambda found: f"; {found[1].lower()}", text)
    text = text[:1].lower() + text[1:]
    if context is None or not text or text.endswith("?"):
        return text
    return f"{text}; see '{context.command_path} --help'"
