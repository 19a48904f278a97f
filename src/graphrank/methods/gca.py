"""GCA: GRACE with views that spare what is central in the graph.

Reference: Zhu, Xu, Yu, Liu, Wu & Wang, "Graph Contrastive Learning with Adaptive Augmentation",
The Web Conference (WWW), 2021.

Edges into central nodes and feature columns of central nodes are dropped more rarely than others,
so that a view loses what matters least; encoder, projector and loss are GRACE's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from graphrank.augment.adaptive import CentralityName, adaptive_corruption
from graphrank.augment.views import Corruption
from graphrank.methods.grace import Grace
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.graph_input import GraphInput


@dataclass(kw_only=True, eq=False, repr=False)
class GCA(Grace):
    """GRACE whose rates are means: each edge and column has its own, by centrality.

    The authors give no settings for citation graphs; the defaults are GRACE's on Cora.

    Example:
        >>> from graphrank.methods.gca import GCA
        >>> GCA(seed=0, epochs=2, channels=8, centrality="pagerank").fit_transform("karate").shape
        torch.Size([34, 8])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="gca",
        title="GCA",
        level="node",
        family="contrastive",
        paper="Zhu et al., Graph Contrastive Learning with Adaptive Augmentation, 2021",
        time="O(N²d+Ed)",
        memory="O((N+E)d)",
    )

    centrality: Annotated[
        CentralityName, Option("of the nodes, by which edges and columns are spared")
    ] = "degree"

    def corruption(self, graph: GraphInput, number: int) -> Corruption:
        """How view 1 or 2 is corrupted: a chance for each edge and each column."""
        return adaptive_corruption(graph, self.centrality, *self._rates(number))
