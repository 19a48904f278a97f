"""The option ``scale_features`` of every method: measured on the training graph, kept for all."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Annotated

import torch
from torch import Tensor

from graphrank.methods.options import Option
from graphrank.nn.features import SPARSE_BELOW, density
from graphrank.nn.scaling import (
    ColumnScaling,
    FeatureScalingName,
    are_uneven_counts,
    rows_of_length_one,
    rows_to_one,
)

_log = logging.getLogger("graphrank")

FeatureScaling = Annotated[
    FeatureScalingName,
    Option(
        "standard: z-score the feature columns; auto: dense ones that leave the range of -1 to 1; "
        "rows: each row sums to one; l2: each row has length one; auto-l2: auto, and l2 where "
        "features are sparse, as bags of words are; tfidf: rare words count more, then l2; "
        "auto-words: auto, and tfidf for words whose number differs widely among nodes"
    ),
]


def measure_scaling(name: FeatureScalingName, x: Tensor) -> ColumnScaling | None:
    """What scaling needs to know of the training graph's features; none where it is nothing.

    Args:
        name: the option's value.
        x: ``[nodes, features]``, dense or CSR.
    """
    if name in ("none", "rows", "l2"):
        return None
    if name == "standard":
        return ColumnScaling.of(x.to_dense())
    return ColumnScaling.of_words(x) if name == "tfidf" else _automatic(name, x)


def scale(name: FeatureScalingName, scaling: ColumnScaling | None, x: Tensor) -> Tensor:
    """Features of this or another graph, scaled as those of the training graph were."""
    if scaling is not None:
        x = scaling.apply(x)
    if name == "rows":
        return rows_to_one(x)
    return rows_of_length_one(x) if name == "l2" else x


def weighs_words(name: FeatureScalingName, scaling: ColumnScaling | None) -> bool:
    """Whether features are words of which rare ones count more, by choice or by their nature."""
    if name == "tfidf":
        return True
    return name == "auto-words" and scaling is not None and scaling.unit_rows


def _automatic(name: FeatureScalingName, x: Tensor) -> ColumnScaling | None:
    """What is decided by what the features are, not by how they are stored."""
    if density(x) >= SPARSE_BELOW:
        return None if _within_one(x) else ColumnScaling.of(x.to_dense())
    if name == "auto-words" and are_uneven_counts(x):
        _log.info(
            "features are words, and nodes have very different numbers of them: rare words count "
            "more and rows have length one (scale_features=auto leaves them as they are)"
        )
        return ColumnScaling.of_words(x)
    measured = None if _within_one(x) else ColumnScaling.of_quantities(x)
    if name == "auto-l2":
        return replace(measured or ColumnScaling.unchanged(x), unit_rows=True)
    return measured


def _within_one(x: Tensor) -> bool:
    """Whether no feature exceeds one in size."""
    values = x if x.layout == torch.strided else x.values()
    return not bool((values.abs() > 1).any())
