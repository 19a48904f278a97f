"""Figures for two classes of which one may be rare, as frauds among payments are.

Where one node in twenty is a fraud, who calls everything honest is right in 95 % of cases. What
counts is whether frauds rank above the others.
"""

from __future__ import annotations

import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from torch import Tensor


def has_two_classes(y: Tensor) -> bool:
    """Whether labels, -1 left out, are of two classes exactly."""
    return int(torch.unique(y[y >= 0]).numel()) == 2


def rare_class(y: Tensor) -> int:
    """The class of fewer nodes among labels ``[nodes]``, -1 left out; of equal ones the last."""
    classes, counts = torch.unique(y[y >= 0], return_counts=True)
    return int(classes.flip(0)[counts.flip(0).argmin()])


def ranking_figures(ranking: Tensor, y: Tensor, rare: int) -> dict[str, float]:
    """Area under the ROC curve, and average precision of the rare class, in per cent.

    Args:
        ranking: ``[n]`` scores, the higher the likelier the class of the greater number.
        y: ``[n]`` classes, two of them.
        rare: the class whose nodes are to be found.

    Returns:
        Nothing where ``y`` has one class alone, and nothing can be ranked.
    """
    if not has_two_classes(y):
        return {}
    towards = ranking if rare == int(y.max()) else -ranking
    truth = (y == rare).numpy()
    return {
        "auc": 100 * float(roc_auc_score(truth, towards.numpy())),
        "ap": 100 * float(average_precision_score(truth, towards.numpy())),
    }
