"""JOAO: GraphCL that draws those augmentations more often which it finds hard.

Reference: You, Chen, Shen & Wang, "Graph Contrastive Learning Automated", ICML 2021. The
distribution of augmentations is the other player of a game: after each epoch it moves towards what
the encoder loses most on, held back by its distance from the uniform one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import torch
from torch import Tensor, nn

from graphrank.augment.graph_views import AUGMENTATIONS, augment, whole_view
from graphrank.methods.graph_contrast import ContrastModule, GraphContrast
from graphrank.methods.graph_level import as_batch
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.gin import GINEncoder
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.heads import infograph_encoder, projection_head
from graphrank.nn.simplex import nearest_on_simplex
from graphrank.training.history import History

_NONE = AUGMENTATIONS.index("none")


class JOAOModule(ContrastModule):
    """GraphCL's networks and the distribution of augmentations, which is not trained by gradients.

    Args:
        encoder: from a view to the outputs of all layers.
        heads: projectors, one for all augmentations or one for each.
    """

    def __init__(self, encoder: GINEncoder, heads: list[nn.Module]) -> None:
        super().__init__(encoder, nn.ModuleList(heads))
        number = len(AUGMENTATIONS)
        self.chances: Tensor
        self.register_buffer("chances", torch.full((number,), 1 / number))

    def project(self, embedding: Tensor, choice: Tensor) -> Tensor:
        """Embeddings ``[graphs, width]`` through the heads of augmentations ``[graphs]``."""
        heads = list(self.projector.children())
        if len(heads) == 1:
            projected: Tensor = heads[0](embedding)
            return projected
        everyone = torch.stack([head(embedding) for head in heads])
        return everyone[choice, torch.arange(choice.numel(), device=choice.device)]


@dataclass(kw_only=True, eq=False, repr=False)
class JOAO(GraphContrast[JOAOModule]):
    """Embeddings of whole graphs that stay the same under augmentations found in training.

    Example:
        >>> import networkx as nx
        >>> graphs = [nx.cycle_graph(size) for size in range(3, 9)]
        >>> model = JOAO(seed=0, epochs=2, channels=8).fit(graphs)
        >>> model.module_.chances.numel()
        5
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="joao",
        title="JOAO",
        level="graph",
        family="contrastive",
        paper="You et al., Graph Contrastive Learning Automated, ICML 2021",
        time="O((N+E)d+GBd), G graphs in batches of B",
        memory="O((N+E)d+B²), N and E of a batch",
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "v2": {"own_heads": True, "learning_rate": 1e-3, "epochs": 40}
    }

    gamma: Annotated[float, Option("pull of the uniform distribution", low=0)] = 0.1
    own_heads: Annotated[bool, Option("a projector for each augmentation: JOAOv2")] = False
    node_drop: Annotated[float, Option("share of nodes left out", low=0, below=1)] = 0.2
    edge_drop: Annotated[float, Option("share of edges left out", low=0, below=1)] = 0.2
    subgraph: Annotated[float, Option("share of nodes that a part keeps", low=0, high=1)] = 0.8
    attribute_mask: Annotated[
        float, Option("share of nodes with noise for features", low=0, below=1)
    ] = 0.2

    def build(self, num_features: int) -> JOAOModule:
        """One encoder, one projector or one for each augmentation, and a uniform distribution."""
        encoder = infograph_encoder(num_features, self.channels, self.num_layers)
        number = len(AUGMENTATIONS) if self.own_heads else 1
        width = self.channels * self.num_layers
        return JOAOModule(encoder, [projection_head(width) for _ in range(number)])

    def graph_loss(self, module: JOAOModule, batch: GraphBatch) -> Tensor:
        """Graphs as they are against a view of each that the distribution draws."""
        drawn = torch.multinomial(module.chances, batch.num_graphs, replacement=True)
        return self._loss_under(module, batch, drawn)

    def after_epoch(self, module: JOAOModule, graph: GraphInput, history: History) -> None:
        """Move the distribution towards the augmentations that the encoder loses most on."""
        losses = self._judge(module, as_batch(graph))
        uniform = torch.full_like(module.chances, 1 / len(AUGMENTATIONS))
        moved = module.chances + losses - self.gamma * (module.chances - uniform)
        module.chances.copy_(nearest_on_simplex(moved))

    def _loss_under(self, module: JOAOModule, batch: GraphBatch, choice: Tensor) -> Tensor:
        clean = module.embed(whole_view(batch))
        changed = module.embed(augment(batch, choice, self.strength))
        anchor = module.project(clean, torch.full_like(choice, _NONE))
        return self.compare(anchor, module.project(changed, choice))

    @torch.no_grad()
    def _judge(self, module: JOAOModule, graphs: GraphBatch) -> Tensor:
        """``[augmentations]`` mean loss under each alone, on the same random graphs."""
        total, seen = torch.zeros_like(module.chances), 0
        for batch in self.judged(graphs):
            for number in range(len(AUGMENTATIONS)):
                choice = torch.full((batch.num_graphs,), number, device=batch.device)
                total[number] += batch.num_graphs * self._loss_under(module, batch, choice)
            seen += batch.num_graphs
        return total / seen
