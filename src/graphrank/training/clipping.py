"""Bounded gradients, for methods whose authors clip them."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn.utils import clip_grad_norm_


def clipped(optimizer: torch.optim.Optimizer, longest: float) -> torch.optim.Optimizer:
    """The optimiser, made to shorten the gradient of all parameters together before each step.

    Args:
        optimizer: changed in place.
        longest: length that the gradient has at most.
    """

    def clip(acting: torch.optim.Optimizer, args: Any, kwargs: Any) -> None:
        parameters = [each for group in acting.param_groups for each in group["params"]]
        clip_grad_norm_(parameters, longest)

    optimizer.register_step_pre_hook(clip)
    return optimizer
