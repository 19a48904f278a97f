"""What methods share that read graphs as texts, with colours for words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeVar

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn

from graphrank.errors import ConfigError
from graphrank.methods.graph_colors import ColorMethod, ColorModule
from graphrank.methods.graph_level import TrainedGraphMethod, as_batch
from graphrank.methods.options import Option
from graphrank.nn.graph_batch import GraphBatch, split_by_size
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.skip_gram import noise_distribution
from graphrank.nn.sparse import SparsePattern


@dataclass(frozen=True, eq=False)
class Texts:
    """How often each word occurs in each text.

    Args:
        pattern: ``[texts, words]``.
        count: ``[entries]`` whole numbers.
    """

    pattern: SparsePattern
    count: Tensor

    @classmethod
    def of(cls, counts: sp.csr_array, device: torch.device) -> Texts:
        """Take over a matrix of counts."""
        parts = (counts.indptr, counts.indices, counts.data)
        pointer, column, count = (
            torch.from_numpy(part.astype(np.int64)).to(device) for part in parts
        )
        return cls(SparsePattern(pointer, column, counts.shape), count)

    def select(self, texts: Tensor) -> Texts:
        """Some texts in their order."""
        pattern, places = self.pattern.select_rows(texts)
        return Texts(pattern, self.count[places])


@dataclass(frozen=True, eq=False)
class ChosenGraphs(GraphBatch):
    """A whole set, of which a training step reads some graphs alone.

    Args:
        chosen: ``[chosen]`` their numbers.
    """

    chosen: Tensor


class ColorWordsModule(ColorModule):
    """A vector for each known colour, and how often each is drawn as noise.

    ``texts``, which training reads, are made anew for every training and not stored.
    """

    noise: Tensor
    texts: Texts

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.words = nn.Parameter(torch.empty(0, channels))
        self.register_buffer("noise", torch.empty(0, dtype=torch.double))


WordsModuleT = TypeVar("WordsModuleT", bound=ColorWordsModule)


@dataclass(kw_only=True, eq=False, repr=False)
class ColorWordsMethod(ColorMethod[WordsModuleT], TrainedGraphMethod[WordsModuleT]):
    """A method that learns vectors of colours from the texts that graphs are."""

    # Below one, frequent colours are drawn as noise less often than they occur, as in word2vec.
    noise_power: ClassVar[float] = 0.75

    channels: Annotated[int, Option("width of the vectors", low=1)] = 128
    negatives: Annotated[int, Option("noise colours against each true one", low=1)] = 5
    min_count: Annotated[int, Option("rarer colours are left out", low=1)] = 1

    def initialize(self, module: WordsModuleT, graph: GraphInput) -> None:
        """Find out which colours there are, and draw a small vector for each."""
        graphs = as_batch(graph)
        counts = self.learn_colors(module, graphs, self.min_count)
        vocabulary = module.vocabulary.cpu().numpy()
        if vocabulary.size == 0:
            raise ConfigError(
                f"no colour occurs {self.min_count} times in these graphs; lower min_count"
            )
        texts = Texts.of(counts.matrix(vocabulary), graphs.device)
        module.texts = texts
        frequency = texts.count.new_zeros(vocabulary.size)
        frequency.index_add_(0, texts.pattern.column, texts.count)
        module.remember("noise", noise_distribution(frequency, self.noise_power))
        module.remember("words", small_vectors(vocabulary.size, self.channels))

    def batches(self, graph: GraphInput) -> Iterator[GraphInput]:
        """All graphs once, shuffled; a batch names its graphs, and nothing is copied."""
        graphs = as_batch(graph)
        order = torch.randperm(graphs.num_graphs).to(graphs.device)
        for part in split_by_size(order, graphs.sizes, self.batch_graphs, self.batch_nodes):
            yield ChosenGraphs(graphs.features, graphs.adjacency, graphs.ptr, part)

    def texts_of(self, module: WordsModuleT, batch: GraphBatch) -> Texts:
        """Graphs, seen or unseen, as texts of known colours, one for each graph."""
        counts = self.color_counts(module, batch)
        return Texts.of(counts.matrix(module.vocabulary.cpu().numpy()), batch.device)


def chosen_graphs(batch: GraphBatch) -> Tensor:
    """The numbers of the graphs of a training batch."""
    if not isinstance(batch, ChosenGraphs):
        raise AssertionError("training batches of these methods name their graphs")
    return batch.chosen


def small_vectors(rows: int, channels: int) -> Tensor:
    """Random vectors to begin with, as word2vec draws them."""
    return (torch.rand(rows, channels) - 0.5) / channels
