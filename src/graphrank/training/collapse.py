"""Recognise embeddings that say nothing: all nodes in one place, or in one direction."""

from __future__ import annotations

import warnings

from torch import Tensor

from graphrank.analysis.label_free import effective_rank, mean_similarity

_SAMPLE = 512


class CollapseWarning(UserWarning):
    """The embedding has collapsed: nodes can hardly be told apart."""


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
