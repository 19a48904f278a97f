"""What is handed to the user: node embeddings made of propagated projections."""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from graphrank.augment.views import View


def hops(view: View, projected: Tensor, count: int) -> list[Tensor]:
    """``[H, A H, A² H, …]`` up to ``A^count H``, each ``[nodes, channels]``."""
    steps = [projected]
    for _ in range(count):
        steps.append(view.propagate(steps[-1]))
    return steps


def concatenate_hops(steps: Sequence[Tensor], weights: Sequence[float]) -> Tensor:
    """Rows of every hop scaled to length one, weighted and set side by side.

    The weights say how much each hop counts in distances and in a regularised probe: a small
    weight on hop 0 keeps a node's own features within reach without letting them dominate.
    """
    return torch.cat(
        [weight * F.normalize(step, dim=1) for step, weight in zip(steps, weights, strict=True)],
        dim=1,
    )
