"""The rank loss: a node is nearer to its counterpart than to a random node, and no more."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def rank_loss(
    positive: Tensor,
    negative: Tensor,
    margin: float,
    *,
    softness: float = 0.0,
    hardest: bool = False,
) -> Tensor:
    """Mean of ``max(0, margin - (sim(v, v+) - sim(v, v-)))`` over nodes and their negatives.

    Reference: Hu et al., "Graph Ranking Contrastive Learning", equation 1.

    Args:
        positive: ``[nodes]`` similarity of each node to its positive.
        negative: ``[nodes, k]`` similarity of each node to its negatives.
        margin: how much more similar the positive has to be.
        softness: width of the bend at the margin, a softplus; 0 for the hinge.
        hardest: count only the most similar negative of each node.

    Returns:
        The loss, a scalar.

    Example:
        >>> rank_loss(torch.tensor([1.0, 0.2]), torch.tensor([[0.0], [0.2]]), margin=0.5)
        tensor(0.2500)
    """
    if hardest:
        negative = negative.amax(dim=1, keepdim=True)
    missing = margin - positive.unsqueeze(1) + negative
    if softness > 0:
        return softness * F.softplus(missing / softness).mean()
    return F.relu(missing).mean()


def random_negatives(num_nodes: int, count: int, device: torch.device | str = "cpu") -> Tensor:
    """``[num_nodes, count]`` random nodes, none of them the node itself where there are two."""
    return random_others(torch.arange(num_nodes, device=device), num_nodes, count)


def random_others(own: Tensor, total: int, count: int) -> Tensor:
    """``[rows, count]`` numbers below ``total``, none of them ``own`` ``[rows]`` where it can be.

    Drawn as a random step away from each, which is uniform over the others.
    """
    if total < 2:
        return own.unsqueeze(1).expand(-1, count).clone()
    step = torch.randint(1, total, (own.numel(), count), device=own.device)
    return (own.unsqueeze(1) + step) % total
