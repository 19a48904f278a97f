"""What is handed to the user: node embeddings made of propagated projections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from graphrank.augment.views import View
from graphrank.nn.dropout import dropped_out

# Rows shorter than this are zero up to rounding, and are not stretched to length one.
_SHORTEST = 1e-12


def hops(view: View, projected: Tensor, count: int) -> list[Tensor]:
    """``[H, A H, A² H, …]`` up to ``A^count H``, each ``[nodes, channels]``."""
    steps = [projected]
    for _ in range(count):
        steps.append(view.propagate(steps[-1]))
    return steps


def diffusion(
    view: View, projected: Tensor, teleport: float, count: int = 10, edge_dropout: float = 0.0
) -> Tensor:
    """Personalised-PageRank average of the hops (Gasteiger et al., 2019), ``[nodes, channels]``.

    Computed by ``count`` steps of ``Z <- (1 - teleport) A Z + teleport H``. With ``edge_dropout``
    each step drops entries of ``A`` anew and scales up the others.
    """
    state, spread = projected, view
    for _ in range(count):
        if edge_dropout > 0:
            value = dropped_out(view.edge_value, edge_dropout)
            spread = replace(view, edge_value=value, symmetric=False)
        state = torch.lerp(spread.propagate(state), projected, teleport)
    return state


def side_by_side(parts: Sequence[Tensor], weights: Sequence[float]) -> Tensor:
    """Rows of every part scaled to length one, weighted and concatenated.

    The weights say how much each part counts in distances and in a regularised probe: a smaller
    weight keeps a node's own features within reach without letting them dominate.
    """
    widths = [part.size(1) for part in parts]
    joined = parts[0].new_empty(parts[0].size(0), sum(widths))
    places = joined.split_with_sizes(widths, dim=1)
    # Each in its place at once: scaled copies beside their concatenation would be held twice.
    for place, part, weight in zip(places, parts, weights, strict=True):
        length = torch.linalg.vector_norm(part, dim=1, keepdim=True).clamp_min_(_SHORTEST)
        torch.div(part, length, out=place).mul_(weight)
    return joined
