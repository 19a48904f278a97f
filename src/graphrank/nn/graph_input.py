"""What a method computes on: features and structure, and nothing that could leak."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch_geometric.data import Data

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.features import FeatureMatrix


@dataclass(frozen=True, eq=False)
class GraphInput:
    """A graph ready for products on one device.

    It has no field for labels, masks or held-out edges: a method that gets a ``GraphInput``
    cannot see them.
    """

    features: FeatureMatrix
    adjacency: Adjacency

    @classmethod
    def from_data(cls, data: Data, device: torch.device | str = "cpu") -> GraphInput:
        """Take ``x``, ``edge_index`` and ``edge_weight`` of ``data``; leave the rest behind."""
        weight = data.get("edge_weight")
        return cls(
            FeatureMatrix(data.x, device),
            Adjacency(data.edge_index, data.num_nodes, weight, device),
        )

    @property
    def num_nodes(self) -> int:
        """Number of nodes."""
        return self.adjacency.num_nodes

    @property
    def num_features(self) -> int:
        """Number of feature columns."""
        return self.features.shape[1]

    @property
    def device(self) -> torch.device:
        """Where the tensors are."""
        return self.features.device
