"""Local against global: does a node belong to the graph that a summary was made of?

A critic scores pairs of a node and a summary, and is trained to tell real pairs from made-up
ones. Its cross-entropy bounds their Jensen-Shannon divergence, and with it their mutual
information, from one side: the better they can be told apart, the more one says of the other.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class BilinearCritic(nn.Module):
    """``hᵀ W s + b``: how well a node ``h`` goes with a summary ``s``; above zero for yes.

    Args:
        channels: width of nodes and summaries.
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(channels, channels))
        self.bias = nn.Parameter(torch.zeros(1))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weights anew, near zero: a critic that has not made up its mind."""
        # Glorot's bound for the form that maps all products h_i s_j to one score: DGI's start,
        # and about sqrt(channels) times smaller than that of an ordinary square matrix.
        channels = self.weight.size(0)
        bound = (6 / (channels * channels + channels)) ** 0.5
        nn.init.uniform_(self.weight, -bound, bound)
        nn.init.zeros_(self.bias)

    def forward(self, nodes: Tensor, summary: Tensor) -> Tensor:
        """Score ``[…, nodes, channels]`` against ``[…, channels]``: ``[…, nodes]`` logits."""
        wanted = summary @ self.weight.T
        return (nodes @ wanted.unsqueeze(-1)).squeeze(-1) + self.bias


def summarize(nodes: Tensor) -> Tensor:
    """One vector for a graph: the sigmoid of the mean of its nodes, ``[…, channels]``."""
    return nodes.mean(dim=-2).sigmoid()


def discrimination_loss(real: Tensor, fake: Tensor) -> Tensor:
    """Cross-entropy of logits that should be high for real pairs and low for fake ones.

    Both kinds count half, however many there are. Undecided, it is log 2; at its least over all
    critics, log 2 minus the Jensen-Shannon divergence of real and fake pairs.

    Example:
        >>> discrimination_loss(torch.zeros(3), torch.zeros(3))
        tensor(0.6931)
    """
    return (F.softplus(-real).mean() + F.softplus(fake).mean()) / 2
