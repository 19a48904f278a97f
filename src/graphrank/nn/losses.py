"""The rank loss: a node is nearer to its counterpart than to a random node, and no more."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def rank_loss(positive: Tensor, negative: Tensor, margin: float) -> Tensor:
    """Mean of ``max(0, margin - (sim(v, v+) - sim(v, v-)))`` over nodes and their negatives.

    Reference: Hu et al., "Graph Ranking Contrastive Learning", equation 1.

    Args:
        positive: ``[nodes]`` similarity of each node to its positive.
        negative: ``[nodes, k]`` similarity of each node to its negatives.
        margin: how much more similar the positive has to be.

    Returns:
        The loss, a scalar.

    Example:
        >>> rank_loss(torch.tensor([1.0, 0.2]), torch.tensor([[0.0], [0.2]]), margin=0.5)
        tensor(0.2500)
    """
    return F.relu(margin - positive.unsqueeze(1) + negative).mean()


def random_negatives(num_nodes: int, count: int, device: torch.device | str = "cpu") -> Tensor:
    """``[num_nodes, count]`` random nodes, none of them the node itself where there are two.

    Drawn as a random step away from each node, which is uniform over the others.
    """
    if num_nodes < 2:
        return torch.zeros(num_nodes, count, dtype=torch.long, device=device)
    step = torch.randint(1, num_nodes, (num_nodes, count), device=device)
    return (torch.arange(num_nodes, device=device).unsqueeze(1) + step) % num_nodes
