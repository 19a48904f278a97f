"""The Weisfeiler-Lehman sub-tree kernel: graphs are alike that share many sub-trees.

Reference: Shervashidze, Schweitzer, van Leeuwen, Mehlhorn & Borgwardt, "Weisfeiler-Lehman Graph
Kernels", JMLR 2011. Nodes are coloured by what their neighbourhood looks like, round by round; the
kernel of two graphs is the dot product of how often they have each colour.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from graphrank.methods.graph_colors import ColorMethod, ColorModule
from graphrank.methods.graph_level import as_batch
from graphrank.methods.info import MethodInfo
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.kernel_pca import kernel_projection
from graphrank.nn.wl import ColorCounts
from graphrank.training.history import History
from graphrank.training.loop import Run


class WLModule(ColorModule):
    """The training graphs as vectors of length one, and the way from kernel to coordinates."""

    row_pointer: Tensor
    column: Tensor
    value: Tensor
    projection: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("row_pointer", torch.zeros(1, dtype=torch.long))
        self.register_buffer("column", torch.empty(0, dtype=torch.long))
        self.register_buffer("value", torch.empty(0, dtype=torch.double))
        self.register_buffer("projection", torch.empty(0, 0, dtype=torch.double))

    def remember_graphs(self, graphs: sp.csr_array) -> None:
        """Keep the vectors of the training graphs."""
        for name, part in (("row_pointer", graphs.indptr), ("column", graphs.indices)):
            self.remember(name, torch.from_numpy(part.astype(np.int64)))
        self.remember("value", torch.from_numpy(graphs.data))

    @property
    def graphs(self) -> sp.csr_array:
        """``[training graphs, vocabulary]``."""
        parts = (part.cpu().numpy() for part in (self.value, self.column, self.row_pointer))
        shape = (self.row_pointer.numel() - 1, self.vocabulary.numel())
        return sp.csr_array(tuple(parts), shape=shape)


@dataclass(kw_only=True, eq=False, repr=False)
class WL(ColorMethod[WLModule]):
    """Coordinates of graphs whose dot products are the normalised sub-tree kernel.

    Example:
        >>> import networkx as nx
        >>> embedding = WL().fit_transform([nx.path_graph(3), nx.path_graph(3), nx.cycle_graph(3)])
        >>> [round(float(embedding[0] @ other), 3) for other in embedding]
        [1.0, 1.0, 0.075]
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="wl",
        title="WL",
        level="graph",
        family="kernel",
        paper="Shervashidze et al., Weisfeiler-Lehman Graph Kernels, JMLR 2011",
        time="O(hE + G²c + G³), h rounds, G graphs, c colours of a graph",
        memory="O(G² + hN)",
    )
    dot_product_is_kernel: ClassVar[bool] = True

    def build(self, num_features: int) -> WLModule:
        """Nothing but places for what is learnt."""
        return WLModule()

    def learn(self, module: WLModule, graph: GraphInput, run: Run) -> History:
        """The kernel of all training graphs, and its coordinates."""
        counts = self.learn_colors(module, as_batch(graph))
        module.remember_graphs(_unit_rows(module, counts))
        gram = (module.graphs @ module.graphs.T).toarray()
        module.remember("projection", torch.from_numpy(kernel_projection(gram)))
        return History()

    def encode_graphs(self, module: WLModule, batch: GraphBatch) -> Tensor:
        """Coordinates by the kernel to the training graphs; unseen colours match none of them."""
        kernel = _unit_rows(module, self.color_counts(module, batch)) @ module.graphs.T
        coordinates = kernel.toarray() @ module.projection.cpu().numpy()
        return torch.from_numpy(coordinates).float()


def _unit_rows(module: WLModule, counts: ColorCounts) -> sp.csr_array:
    """``[graphs, vocabulary]``, each row divided by its length with unseen colours in it."""
    matrix = counts.matrix(module.vocabulary.cpu().numpy())
    matrix.data /= np.repeat(counts.lengths(), np.diff(matrix.indptr))
    return matrix
