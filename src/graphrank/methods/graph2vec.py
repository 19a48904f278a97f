"""graph2vec: a graph's vector says which sub-trees the graph has.

Reference: Narayanan, Chandramohan, Venkatesan, Chen, Liu & Jaiswal, "graph2vec: Learning
Distributed Representations of Graphs", MLG 2017. Graphs are read as texts whose words are the
colours of Weisfeiler-Lehman refinement, and embedded as doc2vec embeds texts: the vector of a
graph has to tell its colours from colours drawn at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import torch
from torch import Tensor, nn

from graphrank.methods.color_words import (
    ColorWordsMethod,
    ColorWordsModule,
    chosen_graphs,
    small_vectors,
)
from graphrank.methods.graph_level import as_batch
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.document_vectors import infer_documents
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.similarity import pair_similarity
from graphrank.nn.skip_gram import draw_noise, skip_gram_loss, spread_noise

# Words that stand for the noise when a graph is embedded.
_NOISE_WORDS = 1024


class Graph2VecModule(ColorWordsModule):
    """Vectors of colours, and of the training graphs while they are trained."""

    def __init__(self, channels: int) -> None:
        super().__init__(channels)
        self.graphs = nn.Parameter(torch.empty(0, channels))


@dataclass(kw_only=True, eq=False, repr=False)
class Graph2Vec(ColorWordsMethod[Graph2VecModule]):
    """Vectors of graphs that predict their sub-trees.

    Example:
        >>> import networkx as nx
        >>> graphs = [nx.cycle_graph(size) for size in range(3, 9)]
        >>> Graph2Vec(seed=0, epochs=1, channels=8).fit_transform(graphs).shape
        torch.Size([6, 8])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="graph2vec",
        title="graph2vec",
        level="graph",
        family="predictive",
        paper="Narayanan et al., graph2vec: Learning Distributed Representations of Graphs, 2017",
        time="O(hE + hNkd), h rounds, k negatives",
        memory="O((V+G)d + hN), V colours, G graphs",
    )

    iterations: Annotated[int, Option("rounds of Weisfeiler-Leman refinement", low=0)] = 3
    negatives: Annotated[int, Option("noise colours against each true one", low=1)] = 10
    penalty: Annotated[
        float, Option("pull of a graph's vector to zero when it is embedded", low=1e-3)
    ] = 0.1
    epochs: Annotated[int, Option("passes over the set", low=0)] = 100
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 0.01

    def build(self, num_features: int) -> Graph2VecModule:
        """Vectors of no colours yet: training finds out which there are."""
        return Graph2VecModule(self.channels)

    def initialize(self, module: Graph2VecModule, graph: GraphInput) -> None:
        """Vectors of all colours and graphs."""
        super().initialize(module, graph)
        module.remember("graphs", small_vectors(as_batch(graph).num_graphs, self.channels))

    def graph_loss(self, module: Graph2VecModule, batch: GraphBatch) -> Tensor:
        """The colours of each graph against noise, each as often as the graph has it."""
        chosen = chosen_graphs(batch)
        texts = module.texts.select(chosen)
        word, weight = texts.pattern.column, texts.count.to(module.words.dtype)
        noise = draw_noise(module.noise, (word.numel(), self.negatives))
        graph = module.graphs.index_select(0, chosen[texts.pattern.row])
        score = pair_similarity(graph, module.words, torch.cat([word.unsqueeze(1), noise], dim=1))
        return skip_gram_loss(score, weight)

    def encode_graphs(self, module: Graph2VecModule, batch: GraphBatch) -> Tensor:
        """The vectors that graphs' known colours are most likely by; those of colours are fixed."""
        texts = self.texts_of(module, batch)
        words = module.words.double()
        count = texts.count.double()
        share = count / texts.pattern.row_sums(count)[texts.pattern.row]
        noise = words[spread_noise(module.noise, _NOISE_WORDS)]
        vectors = infer_documents(texts.pattern, share, words, noise, self.negatives, self.penalty)
        return vectors.to(module.words.dtype)
