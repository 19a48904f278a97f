"""Nodes against whole graphs: which graph of the batch does a node belong to?"""

from __future__ import annotations

import torch
from torch import Tensor

from graphrank.nn.mutual_information import discrimination_loss


def local_global_loss(nodes: Tensor, graphs: Tensor, graph_of_node: Tensor) -> Tensor:
    """Cross-entropy of telling pairs of a node and its own graph from those with other graphs.

    A pair's logit is the product of both. InfoGraph's loss is twice this one less ``2 log 2``: the
    Jensen-Shannon estimate of their mutual information, turned round. One graph alone has no other
    pairs and loses nothing. Time is ``O(nodes · graphs · width)``, memory ``O(nodes · graphs)``.

    Reference: Sun et al., "InfoGraph", 2020, equation 4.

    Args:
        nodes: ``[nodes, width]``.
        graphs: ``[graphs, width]``.
        graph_of_node: ``[nodes]`` whose the nodes are.

    Example:
        >>> local_global_loss(torch.zeros(3, 2), torch.ones(2, 2), torch.tensor([0, 0, 1]))
        tensor(0.6931)
    """
    logits = nodes @ graphs.T
    if graphs.size(0) < 2:
        return logits.sum() * 0
    own = graph_of_node.unsqueeze(1) == torch.arange(graphs.size(0), device=graphs.device)
    return discrimination_loss(logits[own], logits[~own])
