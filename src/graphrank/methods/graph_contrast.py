"""What GraphCL and its descendants share: one encoder, augmented views, NT-Xent between graphs.

A method of this kind says which augmentations a batch is seen through; encoder, projection, loss
and embedding are here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, TypeVar

from torch import Tensor, nn

from graphrank.augment.graph_views import GraphView, Strength, whole_view
from graphrank.methods.graph_level import FeatureChoosingMethod, as_batch
from graphrank.methods.options import Option
from graphrank.nn.gin import GINEncoder
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.nt_xent import nt_xent
from graphrank.nn.pooling import PoolingName, pool_layers

# The share of all graphs that augmentations are judged on after an epoch.
_JUDGED = 0.2


class ContrastModule(nn.Module):
    """An encoder for all views, and a projector that only the loss sees.

    Args:
        encoder: from a view to the outputs of all layers.
        projector: from embeddings of graphs to what the loss compares.
        pooling: from the nodes of a graph to its embedding.
    """

    def __init__(
        self, encoder: GINEncoder, projector: nn.Module, pooling: PoolingName = "sum"
    ) -> None:
        super().__init__()
        self.encoder, self.projector, self.pooling = encoder, projector, pooling

    def embed(self, view: GraphView) -> Tensor:
        """The pooled layers of each graph of a view, side by side: ``[graphs, width]``."""
        return pool_layers(self.encoder(view), view.graph, self.pooling)


ContrastT = TypeVar("ContrastT", bound=ContrastModule)


@dataclass(kw_only=True, eq=False, repr=False)
class GraphContrast(FeatureChoosingMethod[ContrastT]):
    """Base of methods that compare graphs of a batch across augmented views."""

    channels: Annotated[int, Option("width of each layer", low=1)] = 32
    num_layers: Annotated[int, Option("layers, whose outputs are concatenated", low=1)] = 3
    temperature: Annotated[float, Option("what cosines are divided by", low=1e-3)] = 0.2

    node_drop: Annotated[float, Option("share of nodes left out", low=0, below=1)] = 0.1
    edge_drop: Annotated[float, Option("share of edges left out", low=0, below=1)] = 0.1
    edge_add: Annotated[float, Option("share of edges added at random", low=0)] = 0.0
    subgraph: Annotated[float, Option("share of nodes that a part keeps", low=0, high=1)] = 0.2
    attribute_mask: Annotated[
        float, Option("share of nodes with noise for features", low=0, below=1)
    ] = 0.1

    epochs: Annotated[int, Option("passes over the set", low=0)] = 20
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 1e-2
    batch_graphs: Annotated[int, Option("graphs of a training batch at most", low=1)] = 128

    def encode_graphs(self, module: ContrastT, batch: GraphBatch) -> Tensor:
        """The pooled layers of the clean graphs, without the projector."""
        return module.embed(whole_view(batch))

    @property
    def strength(self) -> Strength:
        """How much each augmentation changes."""
        return Strength(
            node_drop=self.node_drop,
            edge_drop=self.edge_drop,
            edge_add=self.edge_add,
            subgraph=self.subgraph,
            attribute_mask=self.attribute_mask,
        )

    def compare(self, anchor: Tensor, other: Tensor) -> Tensor:
        """The loss of projections ``[graphs, width]`` of two views."""
        return nt_xent(anchor, other, self.temperature)

    def judged(self, graphs: GraphBatch) -> Iterator[GraphBatch]:
        """Random batches, a fifth of all graphs, to judge augmentations on between epochs."""
        seen = 0
        for part in self.batches(graphs):
            batch = as_batch(part)
            yield batch
            seen += batch.num_graphs
            if seen > _JUDGED * graphs.num_graphs:
                return
