"""A label-free stop: training ends when its own loss stands still."""

from __future__ import annotations

from collections.abc import Sequence

_RELATIVE_GAIN = 1e-3


def on_plateau(loss: Sequence[float], patience: int) -> bool:
    """Whether the loss of the last ``patience`` epochs is no better than that before them.

    Both stretches are averaged, since the loss of random views is noisy; a gain counts when it is
    larger than a thousandth of the loss.
    """
    if len(loss) < 2 * patience:
        return False
    recent = sum(loss[-patience:]) / patience
    before = sum(loss[-2 * patience : -patience]) / patience
    return recent >= before - _RELATIVE_GAIN * abs(before)
