"""When training ends: its own loss, or the figures of validation nodes, stand still."""

from __future__ import annotations

import math
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


def is_best(loss: Sequence[float]) -> bool:
    """Whether the last epoch has a smaller loss than all before it."""
    return loss[-1] < min(loss[:-1], default=math.inf)


def no_better(loss: Sequence[float], patience: int) -> bool:
    """Whether the least loss is ``patience`` epochs old; of equal ones the first counts."""
    return len(loss) > patience and min(loss[-patience:]) >= min(loss[:-patience])


def is_best_validation(loss: Sequence[float], accuracy: Sequence[float]) -> bool:
    """Whether the last epoch has the highest accuracy, and a lower loss than others that have it.

    Args:
        loss: loss of the validation nodes after each epoch.
        accuracy: share of them predicted right after each epoch.
    """
    if accuracy[-1] < max(accuracy):
        return False
    rivals = (
        of for of, share in zip(loss[:-1], accuracy[:-1], strict=True) if share == accuracy[-1]
    )
    return loss[-1] < min(rivals, default=math.inf)
