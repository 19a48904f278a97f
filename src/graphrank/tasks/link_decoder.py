"""A small trained decoder: the Hadamard product of two embeddings through a perceptron."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from graphrank.data.edge_splits import EdgeSplit
from graphrank.data.negatives import Accept, PairSet, sample_non_edges
from graphrank.tasks.link_metrics import auc
from graphrank.training.randomness import seeded

_PAIRS_AT_ONCE = 16_384


@dataclass(frozen=True)
class DecoderOptions:
    """How the decoder is trained.

    Args:
        channels: width of the hidden layer.
        epochs: passes over the training edges; the best on validation is kept.
        edges_per_epoch: at most so many edges, drawn anew for each epoch.
        batch_size: edges in one step, beside as many negatives.
        learning_rate: of Adam.
        weight_decay: of Adam.
        dropout: of the product and of the hidden layer.
    """

    channels: int = 128
    epochs: int = 40
    edges_per_epoch: int = 16_384
    batch_size: int = 1_024
    learning_rate: float = 1e-3
    weight_decay: float = 1e-4
    dropout: float = 0.3


class LinkDecoder(nn.Module):
    """Scores pairs by a perceptron on the product of their unit rows.

    Args:
        embedding: ``[nodes, channels]``, frozen.
        options: width and dropout.
    """

    def __init__(self, embedding: Tensor, options: DecoderOptions) -> None:
        super().__init__()
        # Entries of a unit row are about 1 / sqrt(channels); this brings products to about one.
        self.rows = F.normalize(embedding, dim=1) * embedding.size(1) ** 0.5
        self.layers = nn.Sequential(
            nn.Dropout(options.dropout),
            nn.Linear(embedding.size(1), options.channels),
            nn.ReLU(),
            nn.Dropout(options.dropout),
            nn.Linear(options.channels, 1),
        )

    def forward(self, pairs: Tensor) -> Tensor:
        """Scores ``[P]`` of ``[2, P]`` pairs; their order within a pair does not matter."""
        scores: Tensor = self.layers(self.rows[pairs[0]] * self.rows[pairs[1]])
        return scores.squeeze(1)

    @torch.no_grad()
    def score(self, pairs: Tensor) -> Tensor:
        """The same without gradients or dropout, in blocks."""
        self.eval()
        return torch.cat([self(part) for part in torch.split(pairs, _PAIRS_AT_ONCE, dim=1)])


def train_decoder(
    embedding: Tensor,
    edges: EdgeSplit,
    seed: int,
    options: DecoderOptions | None = None,
    accept: Accept | None = None,
) -> LinkDecoder:
    """Train on the training edges, and keep the epoch with the best validation AUC.

    Negatives are drawn anew for each epoch and avoid the training edges only: what is held out
    is not known to the training in any form.

    Args:
        embedding: ``[nodes, channels]``, frozen.
        edges: the split; its test part is not looked at.
        seed: seed of weights, batches and negatives.
        options: width, epochs, steps.
        accept: tells for each of ``[2, P]`` pairs whether it may be a negative.
    """
    options = options or DecoderOptions()
    known = PairSet.of(edges.train, embedding.size(0))
    generator = torch.Generator().manual_seed(seed)
    with seeded(seed, torch.device("cpu")):
        decoder = LinkDecoder(embedding, options)
        optimizer = torch.optim.Adam(
            decoder.parameters(), lr=options.learning_rate, weight_decay=options.weight_decay
        )
        best, kept = -1.0, {}
        for _ in range(options.epochs):
            _train_epoch(decoder, optimizer, edges.train, known, generator, options, accept)
            score = auc(decoder.score(edges.val), decoder.score(edges.val_negatives))
            if score > best:
                best = score
                kept = {name: value.clone() for name, value in decoder.state_dict().items()}
    decoder.load_state_dict(kept)
    return decoder


def _train_epoch(
    decoder: LinkDecoder,
    optimizer: torch.optim.Optimizer,
    edges: Tensor,
    known: PairSet,
    generator: torch.Generator,
    options: DecoderOptions,
    accept: Accept | None,
) -> None:
    """One pass over the edges, or a sample of them, against as many fresh negatives."""
    decoder.train()
    order = torch.randperm(edges.size(1), generator=generator)
    count = min(order.numel(), options.edges_per_epoch, known.num_free)
    positives = edges[:, order[:count]]
    negatives = sample_non_edges(known, count, generator, accept)
    size = options.batch_size
    for some, others in zip(
        torch.split(positives, size, 1), torch.split(negatives, size, 1), strict=True
    ):
        scores = decoder(torch.cat([some, others], dim=1))
        truth = torch.cat([torch.ones(some.size(1)), torch.zeros(others.size(1))])
        loss = F.binary_cross_entropy_with_logits(scores, truth)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
