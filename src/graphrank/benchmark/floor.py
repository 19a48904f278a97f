"""The floor: only the matrix products that a two-layer GCN on two views cannot do without."""

from __future__ import annotations

import torch
from torch_geometric.data import Data

from graphrank.augment.views import clean_view
from graphrank.methods.graphrank import GraphRank
from graphrank.nn.graph_input import GraphInput


class Floor:
    """Products of one epoch, forward and backward, in the same shapes and with nothing between.

    Args:
        data: the graph.
        method: the configuration to take the width from.
    """

    def __init__(self, data: Data, method: GraphRank) -> None:
        self.view = clean_view(GraphInput.from_data(data))
        width, nodes = method.channels, data.num_nodes
        self.weight_1 = torch.randn(data.num_features, width)
        self.weight_2 = torch.randn(width, width)
        self.hidden = torch.randn(nodes, width)

    @torch.no_grad()
    def epoch(self) -> float:
        """Twice (for two views) the products of forward and backward."""
        view, hidden, features = self.view, self.hidden, self.view.graph.features
        for _ in range(2):
            features.project(self.weight_1)  # X W1
            view.propagate(hidden)  # A (X W1)
            hidden @ self.weight_2  # H W2
            view.propagate(hidden)  # A (H W2)
            view.propagate(hidden)  # A.T G
            hidden.T @ hidden  # gradient of W2
            hidden @ self.weight_2.T  # gradient of H
            view.propagate(hidden)  # A.T G
            features.project_transposed(hidden)  # gradient of W1
        return 0.0
