"""Deep graph kernel: sub-trees that occur in the same graphs count as similar.

Reference: Yanardag & Vishwanathan, "Deep Graph Kernels", KDD 2015. The sub-tree kernel takes every
two colours of Weisfeiler-Lehman refinement for unlike; here vectors of the colours are learnt by
skip-gram from which of them co-occur, and graphs are compared through the dot products of these.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from graphrank.methods.color_words import ColorWordsMethod, ColorWordsModule, chosen_graphs
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.similarity import pair_similarity
from graphrank.nn.skip_gram import draw_co_occurring, draw_noise, skip_gram_loss


class DGKModule(ColorWordsModule):
    """Vectors of colours, and of colours as contexts of others, which training alone needs."""

    def __init__(self, channels: int) -> None:
        super().__init__(channels)
        self.contexts = nn.Parameter(torch.empty(0, channels))


@dataclass(kw_only=True, eq=False, repr=False)
class DGK(ColorWordsMethod[DGKModule]):
    """Sums of the vectors of a graph's sub-trees, of length one: their dot products are the kernel.

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
        super().initialize(module, graph)
        module.remember("contexts", torch.zeros_like(module.words))

    def graph_loss(self, module: DGKModule, batch: GraphBatch) -> Tensor:
        """Colours with others of the same graph, against noise.

        Noise comes as often as the colour itself does, and the shift by its number is taken out:
        the loss is least where a word's dot product with a context is the logarithm of how much
        more often the two occur together than chance would have it.
        """
        texts = module.texts.select(chosen_graphs(batch))
        column, count = texts.pattern.column, texts.count
        entry, other = draw_co_occurring(texts.pattern.row_pointer, count, self.window)
        context = column[other].view(-1, 1)
        noise = draw_noise(module.noise, (context.numel(), self.negatives))
        word = module.words.index_select(0, column[entry].repeat_interleave(self.window))
        score = pair_similarity(word, module.contexts, torch.cat([context, noise], dim=1))
        weight = count[entry].to(score.dtype).repeat_interleave(self.window)
        return skip_gram_loss(score - math.log(self.negatives), weight)

    def encode_graphs(self, module: DGKModule, batch: GraphBatch) -> Tensor:
        """Sums of known colours' vectors, scaled to length one."""
        texts = self.texts_of(module, batch)
        sums = texts.pattern.multiply(texts.count.double(), module.words.double())
        return F.normalize(sums, dim=1).to(module.words.dtype)
