"""One sentence to those who wait for a long training, before they have waited long."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphrank.durations import in_words
from graphrank.training.history import History

if TYPE_CHECKING:
    from graphrank.methods.trained import TrainedMethod

_log = logging.getLogger("graphrank")

_AFTER_SECONDS = 20.0  # of training: an epoch's pace is known by then
_LONG_SECONDS = 600.0  # what nobody should wait for without having been told
_RECENT = 10  # epochs that tell the pace


def tell_if_long(method: TrainedMethod[Any]) -> Callable[[History], None]:
    """Give a function to call after each epoch, which says once how long the rest will take.

    Nothing is said of a training that may stop early, for nobody knows when.

    Args:
        method: what is trained.
    """
    spent, is_told = 0.0, method.stop != "none"

    def look(now: History) -> None:
        nonlocal spent, is_told
        spent += now.seconds[-1]
        if is_told or spent < _AFTER_SECONDS:
            return
        is_told = True
        recent = now.seconds[-_RECENT:]
        left = (method.epochs - now.epochs) * sum(recent) / len(recent)
        if left > _LONG_SECONDS:
            _log.warning(
                "%s has %s of %s epochs to go, about %s; --set epochs=N trains for fewer",
                method.info.name, f"{method.epochs - now.epochs:,}", f"{method.epochs:,}",
                in_words(left),
            )  # fmt: skip

    return look
