"""Vectors of words by negative sampling: what occurs together over what noise brings together."""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor


def skip_gram_loss(score: Tensor, weight: Tensor) -> Tensor:
    """Weighted mean of ``-log σ(s_0) - Σ_k log σ(-s_k)`` over pairs of a word and its context.

    Args:
        score: ``[pairs, 1 + k]`` dot products with the true context and with ``k`` noise words.
        weight: ``[pairs]`` how often each pair counts.

    Returns:
        The loss, a scalar; zero where there are no pairs.

    Example:
        >>> skip_gram_loss(torch.zeros(1, 3), torch.ones(1))
        tensor(2.0794)
    """
    each = F.softplus(-score[:, 0]) + F.softplus(score[:, 1:]).sum(dim=1)
    return (each * weight).sum() / weight.sum().clamp_min(1)


def noise_distribution(frequency: Tensor, power: float) -> Tensor:
    """``[words]`` cumulative chances of each word as noise, which grow with ``frequency^power``."""
    chance = frequency.double().pow(power)
    return (chance / chance.sum()).cumsum(0)


def draw_noise(distribution: Tensor, shape: Sequence[int]) -> Tensor:
    """Random words from :func:`noise_distribution`."""
    draws = torch.rand(*shape, dtype=torch.double, device=distribution.device)
    return _words_at(distribution, draws)


def spread_noise(distribution: Tensor, count: int) -> Tensor:
    """``[count]`` words that stand for the distribution, at even distances and without chance."""
    steps = torch.arange(count, dtype=torch.double, device=distribution.device)
    return _words_at(distribution, (steps + 0.5) / count)


def draw_co_occurring(row_pointer: Tensor, count: Tensor, draws: int) -> tuple[Tensor, Tensor]:
    """For each word of each document, random other words of the same document.

    A document is a bag: a word that it has three times is drawn by its other words three times as
    often as one that it has once, and by itself for the two other times.

    Args:
        row_pointer: ``[documents + 1]`` where the entries of each document begin.
        count: ``[entries]`` how often the document has the word, at least once.
        draws: how many for each entry.

    Returns:
        ``[kept]`` the entries that are not alone in their document, and ``[kept, draws]`` the
        entries drawn for them.
    """
    end = count.cumsum(0)
    bounds = F.pad(end, (1, 0))[row_pointer]
    start, size = (
        part.repeat_interleave(row_pointer.diff(), output_size=count.numel())
        for part in (bounds[:-1], bounds.diff())
    )
    kept = (size > 1).nonzero().flatten()
    start, size = start[kept].unsqueeze(1), size[kept].unsqueeze(1)
    first = (end - count)[kept].unsqueeze(1)
    chance = torch.rand(kept.numel(), draws, dtype=torch.double, device=count.device)
    step = 1 + (chance * (size - 1)).long().minimum(size - 2)
    token = start + (first - start + step) % size
    return kept, torch.searchsorted(end, token, right=True)


def _words_at(distribution: Tensor, chance: Tensor) -> Tensor:
    # The last sum may fall short of one by rounding.
    return torch.searchsorted(distribution, chance, right=True).clamp_max(distribution.numel() - 1)
