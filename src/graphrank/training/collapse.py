"""Recognise embeddings that say nothing: all nodes in one place, or in one direction."""

from __future__ import annotations

import warnings

import torch
import torch.nn.functional as F
from torch import Tensor

_SAMPLE = 512


class CollapseWarning(UserWarning):
    """The embedding has collapsed: nodes can hardly be told apart."""


def effective_rank(embedding: Tensor) -> float:
    """Exponential of the entropy of the centred embedding's singular values (Roy & Vetterli).

    One means all nodes lie on a line; zero that they lie in one point.
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
    """Mean cosine of all pairs of different nodes, in linear time."""
    unit = F.normalize(embedding.double(), dim=1)
    n = unit.size(0)
    total = unit.sum(dim=0).square().sum() - unit.square().sum()
    return float(total / max(1, n * (n - 1)))


def collapse_of(embedding: Tensor) -> str | None:
    """Say in words how an embedding has collapsed, or none if it has not."""
    if embedding.size(0) < 3 or embedding.size(1) < 2:
        return None
    step = -(-embedding.size(0) // _SAMPLE)
    sample = embedding[::step]
    if effective_rank(sample) < 1.5:
        return "its effective rank is below 1.5"
    similarity = mean_similarity(sample)
    if similarity > 0.99:
        return f"the mean cosine of two nodes is {similarity:.3f}"
    return None


def warn_if_collapsed(embedding: Tensor, title: str) -> None:
    """Issue a :class:`CollapseWarning` where nodes can hardly be told apart."""
    reason = collapse_of(embedding)
    if reason is not None:
        warnings.warn(
            f"the embedding of {title} has collapsed ({reason}): try the default preset, a "
            "positive margin with similarity=cosine, or fewer epochs",
            CollapseWarning,
            stacklevel=3,
        )
