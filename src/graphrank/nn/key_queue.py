"""Telling a row's partner from many others: those of the batch, or a queue of earlier ones.

Reference for the queue: He, Fan, Wu, Xie & Girshick, "Momentum Contrast for Unsupervised Visual
Representation Learning", CVPR 2020.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def partner_loss(rows: Tensor, partners: Tensor, temperature: float) -> Tensor:
    """Cross-entropy of picking each row's own partner among the partners of all rows.

    Args:
        rows: ``[rows, width]`` of length one.
        partners: ``[rows, width]`` of length one.
        temperature: what cosines are divided by.

    Example:
        >>> partner_loss(torch.ones(4, 1), torch.ones(4, 1), temperature=0.1).exp()
        tensor(4.)
    """
    own = torch.arange(rows.size(0), device=rows.device)
    return F.cross_entropy(rows @ partners.T / temperature, own)


class KeyQueue(nn.Module):
    """The last keys that were seen, as negatives of all queries; random ones at first.

    Args:
        size: number of keys.
        channels: their width.
    """

    keys: Tensor
    next_place: Tensor

    def __init__(self, size: int, channels: int) -> None:
        super().__init__()
        bound = (3 / channels) ** 0.5  # so that they are about as long as those to come
        self.register_buffer("keys", torch.empty(size, channels).uniform_(-bound, bound))
        self.register_buffer("next_place", torch.zeros((), dtype=torch.long))

    def forward(self, queries: Tensor, keys: Tensor, temperature: float) -> Tensor:
        """Cross-entropy of picking each query's key before all of the queue; no gradient to keys.

        Args:
            queries: ``[rows, channels]`` of length one.
            keys: ``[rows, channels]`` of length one.
            temperature: what cosines are divided by.
        """
        own = (queries * keys.detach()).sum(dim=1, keepdim=True)
        others = queries @ self.keys.T.clone()  # the gradient needs them as they are now
        logits = torch.cat([own, others], dim=1) / temperature
        return F.cross_entropy(logits, torch.zeros(len(logits), dtype=torch.long).to(own.device))

    @torch.no_grad()
    def push(self, keys: Tensor) -> None:
        """Put new keys in the place of the oldest; of more than there is room for, the last."""
        size = self.keys.size(0)
        keys = keys[-size:]
        places = (self.next_place + torch.arange(keys.size(0), device=keys.device)) % size
        self.keys.index_copy_(0, places, keys)
        self.next_place.copy_((self.next_place + keys.size(0)) % size)
