"""GraphCL: a graph and an augmented copy of it are alike, other graphs' copies are not.

Reference: You, Chen, Sui, Chen, Wang & Shen, "Graph Contrastive Learning with Augmentations",
NeurIPS 2020. Nodes or edges are dropped, a connected part is cut out, or features are masked; the
embedding is to stay the same, which says what of a graph is noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import torch
from torch import Tensor

from graphrank.augment.graph_views import AUGMENTATIONS, AugmentationName, augment, whole_view
from graphrank.methods.graph_contrast import ContrastModule, GraphContrast
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.heads import infograph_encoder, projection_head

PoolName = Literal["random2", "random3", "random4", "nodes", "edges", "subgraph", "attributes"]
POOLS: dict[PoolName, tuple[AugmentationName, ...]] = {
    "random2": ("nodes", "subgraph"),
    "random3": ("nodes", "subgraph", "edges"),
    "random4": ("nodes", "subgraph", "edges", "attributes"),
    "nodes": ("nodes",),
    "edges": ("edges",),
    "subgraph": ("subgraph",),
    "attributes": ("attributes",),
}


@dataclass(kw_only=True, eq=False, repr=False)
class GraphCL(GraphContrast[ContrastModule]):
    """Embeddings of whole graphs that stay the same under augmentations chosen beforehand.

    Example:
        >>> import networkx as nx
        >>> graphs = [nx.cycle_graph(size) for size in range(3, 9)]
        >>> GraphCL(seed=0, epochs=1, channels=8).fit_transform(graphs).shape
        torch.Size([6, 24])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="graphcl",
        title="GraphCL",
        level="graph",
        family="contrastive",
        paper="You et al., Graph Contrastive Learning with Augmentations, NeurIPS 2020",
        time="O((N+E)d+GBd), G graphs in batches of B",
        memory="O((N+E)d+B²), N and E of a batch",
    )

    augmentation: Annotated[
        PoolName,
        Option(
            "one for all graphs, or drawn for each: random2 from nodes and subgraph, random3 from "
            "edges too, random4 from attributes too"
        ),
    ] = "random2"

    def build(self, num_features: int) -> ContrastModule:
        """One encoder and one projector for both views."""
        encoder = infograph_encoder(num_features, self.channels, self.num_layers)
        return ContrastModule(encoder, projection_head(self.channels * self.num_layers))

    def graph_loss(self, module: ContrastModule, batch: GraphBatch) -> Tensor:
        """Graphs as they are against an augmented view of them."""
        pool = torch.tensor([AUGMENTATIONS.index(name) for name in POOLS[self.augmentation]])
        drawn = pool[torch.randint(pool.numel(), (batch.num_graphs,))].to(batch.device)
        views = whole_view(batch), augment(batch, drawn, self.strength)
        anchor, other = (module.projector(module.embed(view)) for view in views)
        return self.compare(anchor, other)
