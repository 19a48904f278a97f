"""Geometry that needs no labels: alignment, uniformity, effective rank, mean similarity.

Each is a function of embeddings alone, in time linear in the nodes. A collapsed embedding shows
in all of them: uniformity and effective rank near zero, mean similarity near one.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

_EXACT_UP_TO = 4096
_PARTNERS = 16
_BLOCK = 512


def alignment(first: Tensor, second: Tensor, alpha: float = 2.0) -> float:
    """Mean of ``|u - v|^alpha`` over the unit rows of two embeddings of the same nodes.

    Zero where both say the same of every node, four (``alpha=2``) where they say the opposite.

    Reference: Wang & Isola, "Understanding Contrastive Representation Learning through Alignment
    and Uniformity on the Hypersphere", 2020.

    Args:
        first: ``[nodes, channels]``.
        second: ``[nodes, channels]``, the same nodes in the same order.
        alpha: power of the distance.

    Example:
        >>> alignment(torch.eye(2), -3 * torch.eye(2))
        4.0
    """
    u, v = _unit(first), _unit(second)
    return float(torch.linalg.vector_norm(u - v, dim=1).pow(alpha).mean())


def uniformity(
    embedding: Tensor, t: float = 2.0, *, seed: int = 0, exact_up_to: int = _EXACT_UP_TO
) -> float:
    """Logarithm of the mean of ``exp(-t |u - v|^2)`` over pairs of different unit rows.

    Zero for a collapsed embedding (and for a single node), lower the more evenly nodes spread.
    Exact for small graphs; above ``exact_up_to`` nodes an estimate from 16 random partners a node.

    Reference: Wang & Isola, 2020.

    Args:
        embedding: ``[nodes, channels]``.
        t: sharpness of the kernel.
        seed: of the partners drawn.
        exact_up_to: most nodes for which all pairs are counted.

    Example:
        >>> round(uniformity(torch.eye(3)), 6)  # all at squared distance 2
        -4.0
    """
    unit = _unit(embedding)
    if unit.size(0) < 2:
        return 0.0
    kernel = _all_pairs(unit, t) if unit.size(0) <= exact_up_to else _some_pairs(unit, t, seed)
    return float(kernel.log())


def effective_rank(embedding: Tensor) -> float:
    """Exponential of the entropy of the centred embedding's singular values (Roy & Vetterli).

    One means all nodes lie on a line; zero that they lie in one point.

    Args:
        embedding: ``[nodes, channels]``.
    """
    centred = embedding.double() - embedding.double().mean(dim=0)
    short = centred.size(0) < centred.size(1)
    gram = centred @ centred.T if short else centred.T @ centred
    values = torch.linalg.eigvalsh(gram).clamp_min(0).sqrt()
    total = values.sum()
    if total <= 1e-9 * max(1.0, float(embedding.abs().max())):
        return 0.0
    share = values[values > 1e-9 * total] / total
    return float(torch.exp(-(share * share.log()).sum()))


def mean_similarity(embedding: Tensor) -> float:
    """Mean cosine of all pairs of different nodes, in linear time.

    Args:
        embedding: ``[nodes, channels]``.
    """
    unit = _unit(embedding)
    n = unit.size(0)
    total = unit.sum(dim=0).square().sum() - unit.square().sum()
    return float(total / max(1, n * (n - 1)))


def _unit(embedding: Tensor) -> Tensor:
    """Rows of length one in double precision; a row of zeros stays one."""
    return F.normalize(embedding.double(), dim=1)


def _all_pairs(unit: Tensor, t: float) -> Tensor:
    """Mean of the kernel over ordered pairs, a block of rows at a time."""
    n, square = unit.size(0), unit.square().sum(dim=1)
    total = unit.new_zeros(())
    for start in range(0, n, _BLOCK):
        rows = slice(start, start + _BLOCK)
        distance = square[rows, None] + square - 2 * unit[rows] @ unit.T
        total += torch.exp(-t * distance.clamp_min(0)).sum()
    return (total - n) / (n * (n - 1))


def _some_pairs(unit: Tensor, t: float, seed: int) -> Tensor:
    """The same over random pairs, each node with as many partners."""
    n = unit.size(0)
    generator = torch.Generator().manual_seed(seed)
    nodes, total = torch.arange(n), unit.new_zeros(())
    for _ in range(_PARTNERS):
        step = torch.randint(1, n, (n,), generator=generator)
        partner = unit[((nodes + step) % n).to(unit.device)]
        total += torch.exp(-t * (unit - partner).square().sum(dim=1)).mean()
    return total / _PARTNERS
