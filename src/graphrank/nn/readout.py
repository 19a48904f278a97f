"""What is handed to the user: node embeddings made of propagated projections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from graphrank.augment.views import View
from graphrank.nn.dropout import dropped_out

# Rows shorter than this are zero up to rounding, and are not stretched to length one.
_SHORTEST = 1e-12


@dataclass(frozen=True, eq=False)
class Part:
    """Some columns of an embedding, and how much they count in it.

    The weight says how much a part counts in distances and in a regularised probe: a smaller one
    keeps a node's own features within reach without letting them dominate.

    Args:
        rows: ``[nodes, columns]``.
        weight: length that every row is scaled to; none to leave them as they are.
    """

    rows: Tensor
    weight: float | None

    @property
    def columns(self) -> int:
        """How many columns it has."""
        return self.rows.size(1)

    def of(self, nodes: Tensor) -> Part:
        """The same of some nodes."""
        return Part(self.rows[nodes], self.weight)

    def put(self, place: Tensor) -> None:
        """Write the scaled rows where they belong, ``[nodes, columns]``."""
        if self.weight is None:
            place.copy_(self.rows)
            return
        length = torch.linalg.vector_norm(self.rows, dim=1, keepdim=True).clamp_min_(_SHORTEST)
        torch.div(self.rows, length, out=place).mul_(self.weight)


def walk(view: View, projected: Tensor, count: int) -> Iterator[Tensor]:
    """``H, A H, A² H, …`` up to ``A^count H``, one by one, each ``[nodes, channels]``."""
    yield projected
    for _ in range(count):
        projected = view.propagate(projected)
        yield projected


def hops(view: View, projected: Tensor, count: int) -> list[Tensor]:
    """``[H, A H, A² H, …]`` up to ``A^count H``, each ``[nodes, channels]``."""
    return list(walk(view, projected, count))


def propagated(view: View, hidden: Tensor, count: int) -> Tensor:
    """``A^count H``, ``[nodes, channels]``."""
    for _ in range(count):
        hidden = view.propagate(hidden)
    return hidden


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
        state = spread.propagate(state).lerp_(projected, teleport)
    return state


def side_by_side(parts: Iterable[Part], columns: int) -> Tensor:
    """All parts, scaled, in one ``[nodes, columns]`` matrix.

    Each is written to its place and let go before the next one is asked for: of an embedding with
    thousands of columns there is one copy in memory, and not two.

    Args:
        parts: from left to right.
        columns: how many all of them have.

    Raises:
        ValueError: If they have more or fewer.
    """
    joined: Tensor | None = None
    filled = 0
    for part in parts:
        if joined is None:
            joined = part.rows.new_empty(part.rows.size(0), columns)
        start, filled = filled, filled + part.columns
        if filled > columns:
            break
        part.put(joined[:, start:filled])
        del part
    if joined is None or filled != columns:
        raise ValueError(f"the parts do not have {columns} columns")
    return joined
