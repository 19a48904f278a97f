"""Where classes lie in an embedding: how wide each is, how far apart, and which nodes stray.

Definitions of the GraphRank paper's appendix "Additional Remarks". All take rows as they are, or
of length one with ``normalize=True``: raw figures grow with the scale of an embedding, normalised
ones can be compared between methods. Nodes without a label (``y < 0``) take no part.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from graphrank.errors import DataError

_TIE = 1e-9


@dataclass(frozen=True)
class Outliers:
    """Nodes nearer to another class's mean than to their own: how many, and which share."""

    count: int
    share: float


def intra_class_variance(
    embedding: Tensor, y: Tensor, correction: int = 1, normalize: bool = False
) -> float:
    """Variance of the rows of each class, averaged over channels, then over classes.

    For a class of ``N_c`` nodes and each channel it is ``1 / max(0, N_c - correction)`` times the
    sum of ``(x_i - mean)^2``, which is ``torch.var(x, dim=0, correction=correction)``. The paper
    leaves open how the channels of a row become one number; here they are averaged, so that
    width does not count (times ``channels`` it is the mean squared distance to the class mean).
    A class of ``correction`` nodes or fewer has no variance and is left out of the average.

    Args:
        embedding: ``[nodes, channels]``.
        y: ``[nodes]`` class of each node, negative where it has none.
        correction: subtracted from the number of nodes; 1 for the unbiased estimate.
        normalize: bring rows to length one first.

    Raises:
        DataError: If no class has enough nodes.

    Example:
        >>> z = torch.tensor([[0.0], [2.0], [5.0], [5.0]])
        >>> intra_class_variance(z, torch.tensor([0, 0, 1, 1]))
        1.0
    """
    classes = _Classes.of(embedding, y, normalize)
    squares = (classes.rows - classes.means[classes.index]).square().mean(dim=1)
    sums = squares.new_zeros(classes.sizes.numel()).index_add_(0, classes.index, squares)
    enough = classes.sizes > correction
    if not bool(enough.any()):
        raise DataError(
            f"no class has more than {correction} labelled nodes, so none has a variance; "
            "label more nodes"
        )
    return float((sums[enough] / (classes.sizes[enough] - correction)).mean())


def inter_class_distance(embedding: Tensor, y: Tensor, normalize: bool = False) -> float:
    """Mean Euclidean distance between the means of two classes, over ordered pairs of them.

    Args:
        embedding: ``[nodes, channels]``.
        y: ``[nodes]`` class of each node, negative where it has none.
        normalize: bring rows to length one before their means are taken.

    Raises:
        DataError: If there are fewer than two classes.

    Example:
        >>> inter_class_distance(torch.tensor([[0.0], [2.0], [5.0]]), torch.tensor([0, 0, 1]))
        4.0
    """
    means = _Classes.of(embedding, y, normalize).at_least_two().means
    count = means.size(0)
    return float(_distances(means, means).sum() / (count * (count - 1)))


def outliers(embedding: Tensor, y: Tensor, normalize: bool = False) -> Outliers:
    """Count the nodes that lie nearer to the mean of another class than to that of their own.

    A tie is no outlier.

    Args:
        embedding: ``[nodes, channels]``.
        y: ``[nodes]`` class of each node, negative where it has none.
        normalize: bring rows to length one before their means are taken.

    Raises:
        DataError: If there are fewer than two classes.

    Example:
        >>> z = torch.tensor([[0.0], [0.0], [5.0], [6.0], [6.0]])
        >>> outliers(z, torch.tensor([0, 0, 0, 1, 1]))
        Outliers(count=1, share=0.2)
    """
    classes = _Classes.of(embedding, y, normalize).at_least_two()
    distance = _distances(classes.rows, classes.means)
    own = distance.gather(1, classes.index.unsqueeze(1)).squeeze(1)
    nearest = distance.min(dim=1).values
    slack = _TIE * float(classes.rows.abs().max())
    count = int((nearest + slack < own).sum())
    return Outliers(count, count / own.numel())


@dataclass(frozen=True)
class _Classes:
    """Labelled rows with their classes.

    Args:
        rows: ``[labelled, channels]``.
        index: ``[labelled]`` place of each row's class.
        sizes: ``[classes]`` number of rows of each.
        means: ``[classes, channels]``.
    """

    rows: Tensor
    index: Tensor
    sizes: Tensor
    means: Tensor

    @classmethod
    def of(cls, embedding: Tensor, y: Tensor, normalize: bool) -> _Classes:
        """The labelled rows by class; nodes without a label take no part."""
        labelled = y >= 0
        rows = embedding[labelled].double()
        rows = F.normalize(rows, dim=1) if normalize else rows
        found = y[labelled].unique(return_inverse=True, return_counts=True)  # type: ignore[no-untyped-call]
        names, index, sizes = found
        sums = rows.new_zeros(names.numel(), rows.size(1)).index_add_(0, index, rows)
        return cls(rows, index, sizes, sums / sizes.unsqueeze(1))

    def at_least_two(self) -> _Classes:
        """These classes, or one clear sentence where there is nothing to be apart from."""
        if self.sizes.numel() < 2:
            raise DataError(
                "distances between classes need labels of at least two classes; "
                "name the label column"
            )
        return self


def _distances(rows: Tensor, others: Tensor) -> Tensor:
    """Euclidean distances ``[rows, others]``, without the shortcut that cancels for near rows."""
    return torch.cdist(rows, others, compute_mode="donot_use_mm_for_euclid_dist")
