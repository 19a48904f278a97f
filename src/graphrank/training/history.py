"""What happened in training, epoch by epoch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class History:
    """Loss and seconds of every epoch, and why training ended.

    Args:
        loss: mean loss of each epoch.
        seconds: wall-clock time of each epoch.
        stopped: ``epochs``, ``plateau``, ``interrupted``, or empty where nothing was trained.
    """

    loss: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    stopped: str = ""

    @property
    def epochs(self) -> int:
        """Number of epochs run."""
        return len(self.loss)

    def to_dict(self) -> dict[str, Any]:
        """The history as plain JSON values."""
        return {"loss": self.loss, "seconds": self.seconds, "stopped": self.stopped}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> History:
        """Read what :meth:`to_dict` wrote."""
        return cls(list(values["loss"]), list(values["seconds"]), str(values["stopped"]))
