"""Ctrl-C in a training: the epoch under way ends, its state is saved, then it stops."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self


class HoldInterrupt:
    """Hold back an interrupt until the training is in a state that can be saved.

    A second Ctrl-C interrupts at once. Outside the main thread, where Python allows no signal
    handlers, it does nothing.
    """

    def __init__(self) -> None:
        self.requested = False
        self._previous: Any = None
        self._active = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> Self:
        if self._active:
            self._previous = signal.signal(signal.SIGINT, self._hold)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._active:
            signal.signal(signal.SIGINT, self._previous)

    def _hold(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True

    def raise_if_requested(self) -> None:
        """Pass a held interrupt on."""
        if self.requested:
            raise KeyboardInterrupt
