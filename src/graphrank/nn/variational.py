"""Pieces of variational auto-encoders: samples, divergences from the prior, warm-up."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn


def reparametrised(mean: Tensor, log_std: Tensor) -> Tensor:
    """A sample of ``N(mean, std²)`` with gradients for both; draws from the global state.

    Args:
        mean: ``[..., width]``.
        log_std: logarithm of the standard deviations, of a shape that fits ``mean``.
    """
    return mean + log_std.exp() * torch.randn_like(mean)


def gaussian_kl(mean: Tensor, log_std: Tensor) -> Tensor:
    """Divergence of ``N(mean, std²)`` from ``N(0, 1)``, summed over the width: ``[...]``.

    Example:
        >>> gaussian_kl(torch.tensor([[0.0, 0.0], [1.0, 2.0]]), torch.zeros(2, 2))
        tensor([0.0000, 2.5000])
    """
    return 0.5 * (mean.square() + (2 * log_std).exp() - 1 - 2 * log_std).sum(dim=-1)


def log_prior(sample: Tensor) -> Tensor:
    """Log-density of ``N(0, 1)`` at a sample, without the constant: ``[...]``.

    The constant, ``-width/2 log 2π``, is left out of :func:`log_semi_implicit` as well.
    """
    return -0.5 * sample.square().sum(dim=-1)


def log_semi_implicit(sample: Tensor, own: Tensor, others: Tensor, log_std: Tensor) -> Tensor:
    """Estimated log-density of a semi-implicit distribution, without the constant.

    The distribution is ``N(mean, std²)`` with a random mean. Its density at a sample is estimated
    by a mixture over the mean that the sample was drawn with and over other means (Yin & Zhou,
    "Semi-Implicit Variational Inference", ICML 2018); the estimate is too high in expectation, and
    less so with more means. With ``log_prior`` it makes the divergence from the prior, whose
    estimate is too high likewise.

    Args:
        sample: ``[rows, samples, width]``.
        own: ``[rows, samples, width]`` the means they were drawn with.
        others: ``[rows, means, width]`` further means, at least one.
        log_std: ``[rows, width]``.

    Returns:
        ``[rows, samples]``.
    """
    scale = (-log_std).exp().unsqueeze(1)
    # Squared distances by products, from the middle of the means to lose few digits.
    middle = others.mean(dim=1, keepdim=True)
    sample_at, others_at = (sample - middle) * scale, (others - middle) * scale
    lengths = sample_at.square().sum(dim=2).unsqueeze(2)
    to_others = lengths - 2 * sample_at @ others_at.transpose(1, 2)
    to_others = to_others + others_at.square().sum(dim=2).unsqueeze(1)
    to_own = ((sample - own) * scale).square().sum(dim=2, keepdim=True)
    distances = torch.cat([to_others, to_own], dim=2)
    mixture = torch.logsumexp(-0.5 * distances, dim=2) - math.log(distances.size(2))
    return mixture - log_std.sum(dim=1, keepdim=True)


@dataclass(frozen=True, eq=False)
class SemiImplicit:
    """A semi-implicit posterior, known by some of its means, and samples of it.

    Args:
        means: ``[rows, samples + others, width]``, those of the samples first.
        log_std: ``[rows, width]``.
        sample: ``[rows, samples, width]``.
    """

    means: Tensor
    log_std: Tensor
    sample: Tensor

    @classmethod
    def draw(cls, means: Tensor, log_std: Tensor, samples: int = 1) -> SemiImplicit:
        """Draw a sample with each of the first means; the others only serve the density."""
        sample = reparametrised(means[:, :samples], log_std.unsqueeze(1))
        return cls(means, log_std, sample)

    def log_density(self) -> Tensor:
        """Estimated log-density of the samples, ``[rows, samples]``."""
        samples = self.sample.size(1)
        own, others = self.means[:, :samples], self.means[:, samples:]
        return log_semi_implicit(self.sample, own, others, self.log_std)


class WarmUp(nn.Module):
    """The weight of the divergence, which grows from nothing to one over the first epochs.

    It is a buffer, so that a checkpoint holds it.

    Args:
        epochs: how many epochs until it is one; none for one at once.
    """

    weight: Tensor

    def __init__(self, epochs: int) -> None:
        super().__init__()
        self.epochs = epochs
        self.register_buffer("weight", torch.zeros(()))
        self.start(0)

    def start(self, epoch: int) -> None:
        """Set the weight of an epoch, the first of which is number 0."""
        self.weight.fill_(min((epoch + 1) / max(self.epochs, 1), 1.0))
