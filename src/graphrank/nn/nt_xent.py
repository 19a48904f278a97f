"""NT-Xent between two views of graphs: a graph's other view against those of other graphs."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def nt_xent(anchor: Tensor, other: Tensor, temperature: float) -> Tensor:
    """GraphCL's loss: the own partner against the partners of all other graphs of the batch.

    With cosines ``c`` it is the mean of ``-log exp(c_ii / t) / sum_{j≠i} exp(c_ij / t)``: the
    positive pair is not in the denominator. One graph alone has nothing to be told from and loses
    nothing. Time and memory are ``O(graphs² + graphs · width)``.

    Reference: You et al., "Graph Contrastive Learning with Augmentations", 2020, equation 3.

    Args:
        anchor: ``[graphs, width]`` projections of one view.
        other: ``[graphs, width]`` those of the same graphs in another view.
        temperature: what cosines are divided by.

    Example:
        >>> nt_xent(torch.eye(3), torch.eye(3), temperature=1.0)  # log 2 - 1
        tensor(-0.3069)
    """
    cosine = F.normalize(anchor, dim=1) @ F.normalize(other, dim=1).T
    if cosine.size(0) < 2:
        return cosine.sum() * 0
    scaled = cosine / temperature
    itself = torch.eye(scaled.size(0), dtype=torch.bool, device=scaled.device)
    against = scaled.masked_fill(itself, -torch.inf).logsumexp(dim=1)
    return (against - scaled.diagonal()).mean()
