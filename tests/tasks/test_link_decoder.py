"""The trained decoder: it learns, keeps its best epoch, and leaves no trace."""

import torch

from graphrank.data import ColumnNames, load
from graphrank.data.edge_splits import split_edges
from graphrank.data.negatives import sample_non_edges
from graphrank.tasks.link_decoder import DecoderOptions, LinkDecoder, train_decoder
from graphrank.tasks.link_metrics import auc
from graphrank.tasks.link_prediction import LinkPrediction

QUICK = DecoderOptions(channels=16, epochs=15, learning_rate=1e-2, batch_size=64)


def example():
    """Half of the dimensions tell friends, the other half are noise of the same size."""
    data = load("sbm:nodes=150,classes=3,features=8,degree=10,homophily=1.0")
    noise = torch.randn(150, 6, generator=torch.Generator().manual_seed(0))
    return torch.cat([torch.eye(3)[data.y], noise], dim=1), split_edges(data, 0)


def score(decoder, edges):
    return auc(decoder.score(edges.test), decoder.score(edges.test_negatives))


def test_it_learns_what_counts():
    z, edges = example()
    untrained = LinkDecoder(z, QUICK)
    trained = train_decoder(z, edges, 0, QUICK)
    assert score(trained, edges) > max(0.75, score(untrained, edges) + 0.05)


def test_same_seed_same_bits_and_no_trace_in_the_random_state():
    z, edges = example()
    torch.manual_seed(1)
    before = torch.get_rng_state()
    first = train_decoder(z, edges, 3, QUICK).score(edges.test)
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(2)
    assert torch.equal(train_decoder(z, edges, 3, QUICK).score(edges.test), first)
    assert not torch.equal(train_decoder(z, edges, 4, QUICK).score(edges.test), first)


def test_it_keeps_the_best_validation_epoch():
    z, edges = example()

    def validation(epochs):
        options = DecoderOptions(channels=16, epochs=epochs, learning_rate=1e-2, batch_size=64)
        decoder = train_decoder(z, edges, 0, options)
        return auc(decoder.score(edges.val), decoder.score(edges.val_negatives))

    reached = [validation(epochs) for epochs in (1, 3, 6, 9)]
    assert reached == sorted(reached)


def test_the_order_within_a_pair_does_not_count():
    z, edges = example()
    decoder = train_decoder(z, edges, 0, DecoderOptions(epochs=1))
    assert torch.equal(decoder.score(edges.test), decoder.score(edges.test.flip(0)))


def test_nearly_full_graphs_have_few_negatives():
    pairs = torch.triu_indices(12, 12, offset=1)
    keep = torch.ones(66).bool()
    keep[::8] = False
    edges = split_edges(
        type(load("karate"))(edge_index=pairs[:, keep], num_nodes=12), 0, val=0.05, test=0.1
    )
    decoder = train_decoder(torch.eye(12), edges, 0, DecoderOptions(epochs=2))
    assert torch.isfinite(decoder.score(edges.test)).all()


def test_negatives_are_accepted_ones(monkeypatch):
    """Where nodes are of two kinds, it learns from pairs of both alone."""
    weight = (torch.rand(12, 30, generator=torch.Generator().manual_seed(0)) < 0.3).double()
    data = load(weight, columns=ColumnNames(bipartite=True))
    task = LinkPrediction()
    split = task.split(data, task.protocol("edges-85-5-10-decoder", data), 0)
    drawn = []

    def record(*given):
        drawn.append(sample_non_edges(*given))
        return drawn[-1]

    monkeypatch.setattr("graphrank.tasks.link_decoder.sample_non_edges", record)
    task.evaluate(torch.randn(data.num_nodes, 4), data, split, seed=0)
    kinds = data.node_kind[torch.cat(drawn, dim=1)]
    assert kinds.size(1) and (kinds[0] != kinds[1]).all()
