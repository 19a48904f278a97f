"""Likelihood of the nodes' attributes, from factors for the nodes and for the attributes.

Attributes that are there or not, such as words, have a balanced Bernoulli likelihood as links
have; numbers have a Gaussian one, the squared error.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from graphrank.nn.drawn_columns import DrawnColumns
from graphrank.nn.edge_reconstruction import bernoulli
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.reconstruction import (
    EntryCost,
    FormName,
    exact_cost,
    sampled_cost,
)

AttributeLossName = Literal["auto", "bce", "mse"]

# Above this share of non-zero entries, whether an attribute is there says little.
_MOSTLY_FILLED = 0.5


def gaussian(present: int, entries: int) -> EntryCost:
    """Squared errors, weighted as the authors of SeeGera do: ``1 / 2(entries - present)`` each.

    That is more than the mean over all entries once more than half of them are there; from then
    on it stays at the mean.
    """
    weight = 1 / max(2 * (entries - present), entries, 1)
    return EntryCost(
        lambda numbers: weight * numbers.square(),
        lambda numbers, values: weight * (numbers - values).square(),
    )


def attribute_loss_of(loss: AttributeLossName, features: FeatureMatrix) -> Literal["bce", "mse"]:
    """The loss that ``auto`` stands for: ``bce`` unless most entries of the features are filled."""
    if loss != "auto":
        return loss
    if features.is_sparse:
        return "bce"
    filled = int(features.to_dense().count_nonzero())
    return "bce" if filled <= _MOSTLY_FILLED * features.shape[0] * features.shape[1] else "mse"


def attribute_cost(
    features: FeatureMatrix,
    nodes: Tensor,
    attributes: Tensor,
    form: FormName,
    *,
    loss: Literal["bce", "mse"] = "bce",
    rectified: bool = False,
) -> Tensor:
    """Negative log-likelihood of the features, given ``nodes @ attributes.T``.

    Args:
        features: what is to be rebuilt. For ``bce`` an entry counts by being there alone.
        nodes: ``[nodes, width]``.
        attributes: ``[features, width]``.
        form: all entries, or a sample with the same expectation.
        loss: Bernoulli or Gaussian.
        rectified: set negative numbers of the product to zero first.

    Example:
        >>> eye = torch.eye(2)
        >>> attribute_cost(FeatureMatrix(eye), eye, eye, "dense", loss="mse")
        tensor(0.)
    """
    pattern, values = features.entries()
    entries = pattern.shape[0] * pattern.shape[1]
    cost = (bernoulli if loss == "bce" else gaussian)(pattern.num_entries, entries)
    if rectified:
        cost = cost.after(torch.relu)
    if form == "dense":
        return exact_cost(nodes, attributes, pattern, values, cost)
    return sampled_cost(nodes, attributes, pattern, values, cost, DrawnColumns.draw(pattern))
