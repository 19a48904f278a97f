"""The rank loss: a node is nearer to its counterpart than to a random node, and no more."""

from __future__ import annotations

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from graphrank.nn.gather import gather_rows

SimilarityName = Literal["dot", "cosine"]


def rank_loss(
    anchor: Tensor, other: Tensor, positive: Tensor | None, negative: Tensor, margin: float
) -> Tensor:
    """Mean over nodes v of ``max(0, margin - (sim(v, v+) - sim(v, v-)))``, sim the dot product.

    Give unit rows for the cosine. Time and memory are ``O(nodes * negatives * width)``.

    Reference: Hu et al., "Graph Ranking Contrastive Learning", equation 1.

    Args:
        anchor: ``[nodes, width]`` embeddings in one view.
        other: ``[nodes, width]`` embeddings in the other view.
        positive: ``[nodes]`` index of each node's positive in ``other``; none for the node itself.
        negative: ``[nodes, k]`` indices of each node's negatives in ``other``.
        margin: how much more similar the positive has to be.

    Returns:
        The loss, a scalar.

    Example:
        >>> z = torch.eye(2)
        >>> rank_loss(z, z, None, torch.tensor([[1], [0]]), margin=0.5)
        tensor(0.)
    """
    near = other if positive is None else gather_rows(other, positive)
    gain = (anchor * near).sum(dim=1)
    hinges = [
        F.relu(margin - gain + (anchor * gather_rows(other, column)).sum(dim=1)).mean()
        for column in negative.unbind(dim=1)
    ]
    return torch.stack(hinges).mean()


def random_negatives(num_nodes: int, count: int, device: torch.device | str = "cpu") -> Tensor:
    """``[num_nodes, count]`` random nodes, none of them the node itself where there are two.

    Drawn as a random step away from each node, which is uniform over the others.
    """
    if num_nodes < 2:
        return torch.zeros(num_nodes, count, dtype=torch.long, device=device)
    step = torch.randint(1, num_nodes, (num_nodes, count), device=device)
    return (torch.arange(num_nodes, device=device).unsqueeze(1) + step) % num_nodes
