"""InfoGCL: contrast the two views that share least and still tell most of their graph.

Reference: Xu, Cheng, Luo, Chen & Zhang, "InfoGCL: Information-Aware Graph Contrastive Learning",
NeurIPS 2021. The information bottleneck chooses the augmentations. There is no code of the authors;
how the information is measured without classes is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import torch
from torch import Tensor, nn

from graphrank.augment.graph_views import AUGMENTATIONS, GraphView, augment, whole_view
from graphrank.methods.graph_contrast import ContrastModule, GraphContrast
from graphrank.methods.graph_level import as_batch
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.gin import GINEncoder
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.heads import infograph_encoder, projection_head, shortcut_head
from graphrank.nn.local_global import local_global_loss
from graphrank.nn.pooling import PoolingName, pool_layers
from graphrank.training.history import History

# What the views are chosen from: all that changes a graph.
_CANDIDATES = [place for place, name in enumerate(AUGMENTATIONS) if name != "none"]


class InfoGCLModule(ContrastModule):
    """The networks, and the pair of augmentations in use, which is not trained by gradients.

    Args:
        encoder: from a view to the outputs of all layers.
        projector: from embeddings of graphs to what the loss compares.
        node_head: the same for nodes, where they are compared.
        pooling: from the nodes of a graph to its embedding.
    """

    def __init__(
        self,
        encoder: GINEncoder,
        projector: nn.Module,
        node_head: nn.Module | None,
        pooling: PoolingName,
    ) -> None:
        super().__init__(encoder, projector, pooling)
        self.node_head = node_head
        self.pair: Tensor
        self.register_buffer("pair", torch.tensor(_CANDIDATES[:2]))


@dataclass(frozen=True, eq=False)
class SeenView:
    """What the loss sees of one view: its graphs, and its nodes where they are compared."""

    graphs: Tensor
    nodes: Tensor | None
    graph_of_node: Tensor


@dataclass(kw_only=True, eq=False, repr=False)
class InfoGCL(GraphContrast[InfoGCLModule]):
    """Embeddings of whole graphs that stay the same under the most telling pair of augmentations.

    Example:
        >>> import networkx as nx
        >>> graphs = [nx.cycle_graph(size) for size in range(3, 9)]
        >>> InfoGCL(seed=0, epochs=1, channels=8).fit_transform(graphs).shape
        torch.Size([6, 32])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="infogcl",
        title="InfoGCL",
        level="graph",
        family="contrastive",
        paper="Xu et al., InfoGCL, NeurIPS 2021",
        time="O((N+E)d+GBd), G graphs in batches of B; with nodes: O((NB+E)d)",
        memory="O((N+E)d+B²), N and E of a batch; with nodes: O((N+E)d+NB)",
    )

    num_layers: Annotated[int, Option("layers, whose outputs are concatenated", low=1)] = 4
    pooling: Annotated[PoolingName, Option("from the nodes of a graph to its embedding")] = "mean"
    mode: Annotated[
        Literal["global-global", "local-global", "hybrid"],
        Option("what is compared across views: graphs, nodes with graphs, or both"),
    ] = "global-global"
    retention: Annotated[
        float,
        Option("weight of what views keep of their graph against what they share", low=0),
    ] = 1.0

    def build(self, num_features: int) -> InfoGCLModule:
        """One encoder for both views and the heads of what is compared."""
        encoder = infograph_encoder(num_features, self.channels, self.num_layers)
        width = self.channels * self.num_layers
        node_head = None if self.mode == "global-global" else shortcut_head(width)
        return InfoGCLModule(encoder, projection_head(width), node_head, self.pooling)

    def initialize(self, module: InfoGCLModule, graph: GraphInput) -> None:
        """Choose the first pair by what the untrained encoder makes of the views."""
        module.pair.copy_(self._best_pair(module, as_batch(graph)))

    def after_epoch(self, module: InfoGCLModule, graph: GraphInput, history: History) -> None:
        """Choose the pair anew: what views tell depends on the encoder."""
        module.pair.copy_(self._best_pair(module, as_batch(graph)))

    def graph_loss(self, module: InfoGCLModule, batch: GraphBatch) -> Tensor:
        """Two views by the two augmentations of the pair, compared both ways."""
        one, other = (self._see(module, self._view(batch, place)) for place in module.pair.tolist())
        loss = one.graphs.new_zeros(())
        for here, there in ((one, other), (other, one)):
            if self.mode != "local-global":
                loss = loss + self.compare(here.graphs, there.graphs) / 2
            if here.nodes is not None:
                nodes = local_global_loss(here.nodes, there.graphs, here.graph_of_node)
                loss = loss + nodes / 2
        return loss

    def _view(self, batch: GraphBatch, augmentation: int) -> GraphView:
        choice = torch.full((batch.num_graphs,), augmentation, device=batch.device)
        return augment(batch, choice, self.strength)

    def _see(self, module: InfoGCLModule, view: GraphView) -> SeenView:
        layers = module.encoder(view)
        graphs = module.projector(pool_layers(layers, view.graph, self.pooling))
        nodes = None if module.node_head is None else module.node_head(torch.cat(layers, dim=1))
        return SeenView(graphs, nodes, view.graph.graph_of_node)

    @torch.no_grad()
    def _best_pair(self, module: InfoGCLModule, graphs: GraphBatch) -> Tensor:
        """``[2]`` the augmentations whose views share least and keep most of the graph.

        NT-Xent bounds the information between what it compares: of ``B`` graphs it is at least
        ``log(B - 1)`` less the loss. Least shared is thus most lost.
        """
        number = len(_CANDIDATES)
        with_other, with_graph = torch.zeros(number, number), torch.zeros(number)
        for batch in self.judged(graphs):
            clean = module.projector(module.embed(whole_view(batch)))
            first, second = (
                [module.projector(module.embed(self._view(batch, each))) for each in _CANDIDATES]
                for _ in range(2)
            )
            for i in range(number):
                with_graph[i] += batch.num_graphs * float(self.compare(clean, first[i]))
                for j in range(i, number):
                    lost = float(self.compare(first[i], second[j]))
                    with_other[i, j] += batch.num_graphs * lost
        score = with_other - self.retention * (with_graph.unsqueeze(0) + with_graph.unsqueeze(1))
        is_pair = torch.ones_like(score, dtype=torch.bool).triu()
        best = int(score.masked_fill(~is_pair, -torch.inf).argmax())
        return torch.tensor([_CANDIDATES[best // number], _CANDIDATES[best % number]])
