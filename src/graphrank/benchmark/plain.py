"""The same training as anybody would write it with PyG: the alternative that speed is told by."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv
from torch_geometric.utils import dropout_edge

from graphrank.methods.graphrank import GraphRank


class PlainGraphRank(nn.Module):
    """Two GCNConv layers on dense ``x`` and ``edge_index``, the paper's rank loss, Adam.

    Args:
        data: the graph.
        method: the configuration to follow: width, rates, margin, learning rate.
    """

    def __init__(self, data: Data, method: GraphRank) -> None:
        super().__init__()
        self.method = method
        self.x = data.x.to_dense() if data.x.layout != torch.strided else data.x
        self.edge_index = data.edge_index
        self.conv_1 = GCNConv(self.x.size(1), method.channels)
        self.conv_2 = GCNConv(method.channels, method.channels)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=method.learning_rate)

    def _embed(self, edge_drop: float, feature_mask: float) -> Tensor:
        kept = (torch.rand(self.x.size(1)) >= feature_mask).to(self.x.dtype)
        x = self.x * kept
        edge_index, _ = dropout_edge(self.edge_index, p=edge_drop)
        hidden = self.conv_1(x, edge_index).relu()
        embedding: Tensor = self.conv_2(hidden, edge_index)
        return embedding

    def epoch(self) -> float:
        """One step of training on the whole graph."""
        m = self.method
        z_1 = self._embed(m.edge_drop_1, m.feature_mask_1)
        z_2 = self._embed(m.edge_drop_2, m.feature_mask_2)
        negative = torch.randint(0, z_1.size(0), (z_1.size(0),))
        gain = (z_1 * z_2).sum(dim=1) - (z_1 * z_2[negative]).sum(dim=1)
        loss = torch.relu(m.margin - gain).mean()
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        return float(loss.detach())
