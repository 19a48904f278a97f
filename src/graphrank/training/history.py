"""What happened in training, epoch by epoch."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class History:
    """Loss and seconds of every epoch, and why training ended.

    Args:
        loss: mean loss of each epoch.
        seconds: wall-clock time of each epoch.
        stopped: ``epochs``, ``interrupted``, the stop that ended it, or empty where nothing was
            trained.
        validation_loss: loss of the validation nodes after each epoch of a supervised method.
        validation_accuracy: share of them predicted right.
    """

    loss: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    stopped: str = ""
    validation_loss: list[float] = field(default_factory=list)
    validation_accuracy: list[float] = field(default_factory=list)

    @property
    def epochs(self) -> int:
        """Number of epochs run."""
        return len(self.loss)

    def to_dict(self) -> dict[str, Any]:
        """The history as plain JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> History:
        """Read what :meth:`to_dict` wrote."""
        return cls(
            list(values["loss"]),
            list(values["seconds"]),
            str(values["stopped"]),
            list(values.get("validation_loss", [])),
            list(values.get("validation_accuracy", [])),
        )
