"""GCC: the same neighbourhood walked twice, told from the neighbourhoods of other nodes.

Reference: Qiu, Chen, Dong, Zhang, Yang, Ding, Wang & Tang, "GCC: Graph Contrastive Coding for Graph
Neural Network Pre-Training", KDD 2020.

Two random walks around a node give two sub-graphs; an encoder that sees nothing but structure has
to find them alike among those of other nodes. It embeds whole graphs of any set, seen or unseen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

import torch
from torch import Tensor, nn

from graphrank.augment.egos import draw_egos, draw_starts
from graphrank.methods.corpus import read_corpus, structure
from graphrank.methods.graph_level import TrainedGraphMethod, as_batch
from graphrank.methods.info import MethodInfo
from graphrank.methods.inputs import graph_set
from graphrank.methods.options import Option
from graphrank.nn.bootstrap import follow
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.key_queue import KeyQueue, partner_loss
from graphrank.nn.structural_encoder import StructuralEncoder, most_connected
from graphrank.training.history import History
from graphrank.training.loop import Run

_WARMUP = 0.1


class GCCModule(nn.Module):
    """The encoder and, where keys are kept, the encoder of keys and their queue.

    Args:
        encoder: what is trained, and what embeds.
        key_encoder: one of the same shape that follows it, or none to train on both walks.
        queue: earlier keys, or none for those of the batch alone.
    """

    def __init__(
        self,
        encoder: StructuralEncoder,
        key_encoder: StructuralEncoder | None,
        queue: KeyQueue | None,
    ) -> None:
        super().__init__()
        self.encoder, self.key_encoder, self.queue = encoder, key_encoder, queue
        if key_encoder is not None:
            key_encoder.load_state_dict(encoder.state_dict())
            key_encoder.requires_grad_(False)


@dataclass(kw_only=True, eq=False, repr=False)
class GCC(TrainedGraphMethod[GCCModule]):
    """Embeddings of whole graphs by an encoder of structure, pre-trained on neighbourhoods.

    Features and node labels are not looked at, so that a model embeds graphs of any set, and may be
    pre-trained on others than it embeds (``corpus``).

    Example:
        >>> import networkx as nx
        >>> social = [nx.barabasi_albert_graph(20, 2, seed=seed) for seed in range(4)]
        >>> model = GCC(epochs=1, samples=16, channels=8, steps=8).fit(social)
        >>> model.transform([nx.cycle_graph(5), nx.star_graph(6)]).shape
        torch.Size([2, 8])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="gcc",
        title="GCC",
        level="graph",
        family="contrastive",
        paper="Qiu et al., GCC: Graph Contrastive Coding, KDD 2020",
        time="O(S(n³ + md + Kd)), S sub-graphs of n nodes and m edges, K keys",
        memory="O(B(n+m)d + Kd), B sub-graphs of a batch; n² for the largest graph up to 500 nodes",
        draws_epochs=True,
    )

    corpus: Annotated[
        str,
        Option("sets to pre-train on, names or paths joined by commas; empty: the set itself"),
    ] = ""
    channels: Annotated[int, Option("width of each layer and of the embedding", low=1)] = 64
    num_layers: Annotated[int, Option("layers of the encoder", low=1)] = 4
    positions: Annotated[int, Option("eigenvectors that place a node in its graph", low=1)] = 32
    degree_channels: Annotated[int, Option("width of a learnt vector for each degree", low=1)] = 16
    most_degree: Annotated[int, Option("degrees past this one share a vector", low=1)] = 512
    dropout: Annotated[float, Option("dropout of each layer's readout", low=0, below=1)] = 0.5

    steps: Annotated[int, Option("steps of a walk at least", low=1)] = 256
    restart: Annotated[float, Option("chance to go back after each step", low=0.01, high=1)] = 0.8
    samples: Annotated[int, Option("nodes of an epoch whose neighbourhoods are walked", low=1)] = (
        2000
    )
    temperature: Annotated[float, Option("what cosines are divided by", low=0.02)] = 0.07
    queue: Annotated[
        int, Option("earlier keys to tell from (MoCo); 0 for those of the batch alone", low=0)
    ] = 0
    key_decay: Annotated[
        float, Option("how much of itself the encoder of queued keys keeps", low=0, high=1)
    ] = 0.999
    clip: Annotated[float, Option("longest gradient; longer ones are cut to it", low=0)] = 1.0

    learning_rate: Annotated[float, Option("highest step size of Adam", low=0)] = 5e-3
    weight_decay: Annotated[float, Option("L2 penalty on the weights", low=0)] = 1e-5
    batch_graphs: Annotated[int, Option("neighbourhoods of a training batch", low=1)] = 32

    def build(self, num_features: int) -> GCCModule:
        """One encoder, or two and a queue; none of them knows the set's own features."""
        encoder = self._build_encoder()
        if self.queue == 0:
            return GCCModule(encoder, None, None)
        return GCCModule(encoder, self._build_encoder(), KeyQueue(self.queue, self.channels))

    def learn(self, module: GCCModule, graph: GraphInput, run: Run) -> History:
        """Train on the corpus, where there is one, in the place of the set that is embedded."""
        if not self.corpus:
            return super().learn(module, graph, run)
        whenever = run.on_epoch
        if whenever is not None:
            # Who looks on asks for embeddings of the set at hand, not of the corpus.
            run = replace(
                run, on_epoch=lambda epoch, _: whenever(epoch, lambda: self.embed(module, graph))
            )
        return super().learn(module, self._read_corpus(graph.device), run)

    def batches(self, graph: GraphInput) -> Iterator[GraphInput]:
        """Neighbourhoods of random nodes of all graphs: first walks, then second ones."""
        graphs = as_batch(graph)
        for starts in torch.split(draw_starts(graphs, self.samples), self.batch_graphs):
            yield draw_egos(graphs, starts.repeat(2), self.steps, self.restart)

    def graph_loss(self, module: GCCModule, batch: GraphBatch) -> Tensor:
        """Tell the second walk around each node from those around others.

        Args:
            module: the networks.
            batch: neighbourhoods as :meth:`batches` gives them, each with its start as first node.
        """
        each = torch.arange(batch.num_graphs, device=batch.device)
        queries, keys = (_started(batch.select(half)) for half in each.chunk(2))
        query = module.encoder(*queries)
        if module.queue is None or module.key_encoder is None:
            return partner_loss(module.encoder(*keys), query, self.temperature)
        with torch.no_grad():
            key = module.key_encoder.without_dropout(*keys)
        loss: Tensor = module.queue(query, key, self.temperature)
        module.queue.push(key)
        return loss

    def encode_graphs(self, module: GCCModule, batch: GraphBatch) -> Tensor:
        """Embed whole graphs, each seen from its nodes of the highest degree."""
        embedding: Tensor = module.encoder(batch, most_connected(batch))
        return embedding

    def optimizer(self, module: GCCModule) -> torch.optim.Optimizer:
        """Adam on gradients of bounded length."""
        optimizer = super().optimizer(module)
        if self.clip > 0:
            trained = [value for value in module.parameters() if value.requires_grad]
            optimizer.register_step_pre_hook(
                lambda *_: _nothing(nn.utils.clip_grad_norm_(trained, self.clip))
            )
        return optimizer

    def learning_rate_at(self, epoch: int) -> float:
        """A line up over a tenth of the epochs, then one down to zero, taken mid-epoch."""
        done = (epoch + 0.5) / self.epochs
        share = done / _WARMUP if done < _WARMUP else (1 - done) / (1 - _WARMUP)
        return self.learning_rate * share

    def after_step(self, module: GCCModule, epoch: int) -> None:
        """Let the encoder of queued keys follow."""
        if module.key_encoder is not None:
            follow(module.key_encoder, module.encoder, self.key_decay)

    def _prepare(self, data: Any) -> GraphInput:
        return super()._prepare(structure(graph_set(data)))

    def _known_input(self, data: Any) -> GraphInput:
        return super()._known_input(structure(graph_set(data)))

    def _read_corpus(self, device: torch.device) -> GraphBatch:
        """All graphs of the corpus; the one column of features is never looked at."""
        graphs = read_corpus(self.corpus)
        return GraphBatch.of(
            torch.zeros(graphs.num_nodes, 1), graphs.edge_index, graphs.ptr, device
        )

    def _build_encoder(self) -> StructuralEncoder:
        return StructuralEncoder(
            self.channels, self.num_layers, self.positions, self.degree_channels,
            self.most_degree, self.dropout,
        )  # fmt: skip


def _started(egos: GraphBatch) -> tuple[GraphBatch, Tensor]:
    """Neighbourhoods, and ``[nodes]`` marks of their starts."""
    marks = torch.zeros(egos.num_nodes, dtype=egos.features.dtype, device=egos.device)
    return egos, marks.index_fill(0, egos.ptr[:-1], 1.0)


def _nothing(_: Tensor) -> None:
    """What a hook has to return, if the arguments of the step are to stay."""
