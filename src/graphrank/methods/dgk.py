"""Deep graph kernel: sub-trees, or shortest paths, that occur together count as similar.

Reference: Yanardag & Vishwanathan, "Deep Graph Kernels", KDD 2015. The sub-tree kernel takes every
two colours of Weisfeiler-Lehman refinement for unlike, and the shortest-path kernel every two kinds
of path; here vectors of these are learnt by skip-gram from which of them co-occur, and graphs are
compared through the dot products of the vectors. What is said of colours holds for paths alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from graphrank.errors import ConfigError
from graphrank.methods.color_words import ColorWordsMethod, ColorWordsModule, chosen_graphs
from graphrank.methods.graph_level import as_batch
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.shortest_paths import path_counts
from graphrank.nn.similarity import pair_similarity
from graphrank.nn.skip_gram import draw_co_occurring, draw_noise, skip_gram_loss
from graphrank.nn.sparse import joined_ranges
from graphrank.nn.wl import ColorCounts


class DGKModule(ColorWordsModule):
    """Vectors of colours, and of colours as contexts of others, which training alone needs."""

    def __init__(self, channels: int) -> None:
        super().__init__(channels)
        self.contexts = nn.Parameter(torch.empty(0, channels))


@dataclass(kw_only=True, eq=False, repr=False)
class DGK(ColorWordsMethod[DGKModule]):
    """Sums of a graph's sub-trees' or paths' vectors, of length one: dot products are the kernel.

    Example:
        >>> import networkx as nx
        >>> graphs = [nx.cycle_graph(size) for size in range(3, 9)]
        >>> DGK(seed=0, epochs=1, channels=8).fit_transform(graphs).shape
        torch.Size([6, 8])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="dgk",
        title="DGK",
        level="graph",
        family="kernel",
        paper="Yanardag & Vishwanathan, Deep Graph Kernels, KDD 2015",
        time="O(hE + hNwkd), h rounds, w contexts, k negatives",
        memory="O(Vd + hN), V colours",
    )
    dot_product_is_kernel: ClassVar[bool] = True
    noise_power: ClassVar[float] = 1.0

    structures: Annotated[
        Literal["sub-trees", "shortest-paths"],
        Option(
            "what graphs are made of: colours of refinement, or pairs of first colours and how far "
            "apart they are, for which `iterations` means nothing"
        ),
    ] = "sub-trees"
    matrix: Annotated[
        Literal["full", "diagonal"],
        Option(
            "how alike colours are: by the dot products of their vectors, or (diagonal) each is "
            "like itself alone, by the length of its vector"
        ),
    ] = "full"
    iterations: Annotated[int, Option("rounds of Weisfeiler-Leman refinement", low=0)] = 2
    channels: Annotated[int, Option("width of the vectors", low=1)] = 50
    window: Annotated[int, Option("contexts drawn for each colour of a graph", low=1)] = 5
    epochs: Annotated[int, Option("passes over the set", low=0)] = 50
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 0.01

    def build(self, num_features: int) -> DGKModule:
        """Vectors of no colours yet: training finds out which there are."""
        return DGKModule(self.channels)

    def initialize(self, module: DGKModule, graph: GraphInput) -> None:
        """Small vectors of colours; as contexts all begin at zero."""
        pattern = as_batch(graph).adjacency.pattern
        if self.structures == "shortest-paths" and pattern.column.numel() == graph.num_nodes:
            raise ConfigError(
                "these graphs have no edges, and so no paths; take structures=sub-trees"
            )
        super().initialize(module, graph)
        module.remember("contexts", torch.zeros_like(module.words))

    def text_counts(self, module: DGKModule, graphs: GraphBatch) -> ColorCounts:
        """How often each colour occurs in each graph, or each path among those from each node."""
        if self.structures == "sub-trees":
            return super().text_counts(module, graphs)
        pattern = graphs.adjacency.pattern
        row_pointer, column = pattern.row_pointer.cpu().numpy(), pattern.column.cpu().numpy()
        labels = self._first(module, graphs)
        return path_counts(labels, row_pointer, column, graphs.ptr.cpu().numpy())

    def color_counts(self, module: DGKModule, graphs: GraphBatch) -> ColorCounts:
        """How often each colour occurs in each graph; each path, from both of its ends."""
        if self.structures == "sub-trees":
            return super().color_counts(module, graphs)
        nodes = self.text_counts(module, graphs)
        return nodes.merged(graphs.graph_of_node.cpu().numpy(), graphs.num_graphs)

    def graph_loss(self, module: DGKModule, batch: GraphBatch) -> Tensor:
        """Colours with others of the same graph, or paths with others from the node, against noise.

        Noise comes as often as the colour itself does, and the shift by its number is taken out:
        the loss is least where a word's dot product with a context is the logarithm of how much
        more often the two occur together than chance would have it.
        """
        texts = module.texts.select(self._chosen_texts(batch))
        column, count = texts.pattern.column, texts.count
        entry, other = draw_co_occurring(texts.pattern.row_pointer, count, self.window)
        context = column[other].view(-1, 1)
        noise = draw_noise(module.noise, (context.numel(), self.negatives))
        word = module.words.index_select(0, column[entry].repeat_interleave(self.window))
        score = pair_similarity(word, module.contexts, torch.cat([context, noise], dim=1))
        weight = count[entry].to(score.dtype).repeat_interleave(self.window)
        return skip_gram_loss(score - math.log(self.negatives), weight)

    def encode_graphs(self, module: DGKModule, batch: GraphBatch) -> Tensor:
        """Sums of known colours' vectors, or a column for each colour, scaled to length one."""
        texts, vectors = self.texts_of(module, batch), module.words.double()
        pattern, count = texts.pattern, texts.count.double()
        if self.matrix == "diagonal":
            weight = torch.linalg.vector_norm(vectors, dim=1).sqrt()
            sums = count.new_zeros(pattern.shape)
            sums[pattern.row, pattern.column] = count * weight[pattern.column]
        else:
            sums = pattern.multiply(count, vectors)
        return F.normalize(sums, dim=1).to(module.words.dtype)

    def _chosen_texts(self, batch: GraphBatch) -> Tensor:
        """The numbers of the texts that a training batch reads: its graphs, or all their nodes."""
        chosen = chosen_graphs(batch)
        if self.structures == "sub-trees":
            return chosen
        return joined_ranges(batch.ptr[chosen], batch.sizes[chosen])
