"""GCC's encoder: graphs of any set to unit vectors, by their structure alone."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from graphrank.augment.views import clean_view
from graphrank.nn.dropout import Dropout
from graphrank.nn.gin import GINEncoder
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.pooling import sum_pool
from graphrank.nn.spectral_positions import spectral_positions


class StructuralEncoder(nn.Module):
    """A GIN on positions, degrees and marks; every layer, the input too, is read out and added.

    Args:
        channels: width of each layer and of the embedding.
        num_layers: layers of the GIN.
        positions: eigenvectors that place a node in its graph.
        degree_channels: width of a learnt vector for each degree.
        most_degree: degrees past this one share a vector.
        dropout: dropout of each layer's readout in training.
    """

    def __init__(
        self,
        channels: int,
        num_layers: int,
        positions: int,
        degree_channels: int,
        most_degree: int,
        dropout: float,
    ) -> None:
        super().__init__()
        width = positions + degree_channels + 1
        self.positions, self.most_degree = positions, most_degree
        self.degrees = nn.Embedding(most_degree + 1, degree_channels)
        self.gin = GINEncoder(width, channels, num_layers)
        widths = [width, *[channels] * num_layers]
        self.readouts = nn.ModuleList(nn.Linear(width, channels) for width in widths)
        self.dropout = Dropout(dropout)

    def forward(self, batch: GraphBatch, marks: Tensor) -> Tensor:
        """``[graphs, channels]`` of length one.

        Args:
            batch: the graphs; their features are not looked at.
            marks: ``[nodes]`` which nodes the graphs are seen from.
        """
        inputs = self._inputs(batch, marks)
        layers = [inputs, *self.gin(clean_view(batch), inputs)]
        parts = [
            self.dropout(readout(sum_pool(hidden, batch)))
            for readout, hidden in zip(self.readouts, layers, strict=True)
        ]
        return F.normalize(torch.stack(parts).sum(dim=0), dim=1, eps=1e-5)

    def without_dropout(self, batch: GraphBatch, marks: Tensor) -> Tensor:
        """:meth:`forward` with nothing dropped, its norms as they are."""
        self.dropout.eval()
        embedding: Tensor = self(batch, marks)
        self.dropout.train(self.training)
        return embedding

    def _inputs(self, batch: GraphBatch, marks: Tensor) -> Tensor:
        """``[nodes, positions + degree_channels + 1]``."""
        place = spectral_positions(batch, self.positions)
        degree = _degree(batch).clamp_max(self.most_degree)
        # As in a product with one-hot rows, index_select adds up its gradient in a fixed order.
        known = self.degrees.weight.index_select(0, degree)
        return torch.cat([place, known, marks.unsqueeze(1)], dim=1)


def most_connected(batch: GraphBatch) -> Tensor:
    """``[nodes]`` the mark of each graph on its node of the highest degree, shared by equals."""
    degree, graph = _degree(batch), batch.graph_of_node
    highest = degree.new_zeros(batch.num_graphs).scatter_reduce(0, graph, degree, "amax")
    is_top = degree == highest.index_select(0, graph)
    equals = torch.bincount(graph[is_top], minlength=batch.num_graphs)
    return (is_top / equals.index_select(0, graph)).to(batch.features.dtype)


def _degree(batch: GraphBatch) -> Tensor:
    """``[nodes]`` number of neighbours."""
    return batch.adjacency.pattern.row_pointer.diff() - 1
