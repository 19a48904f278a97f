import networkx as nx
import pytest
import torch

from graphrank.data import pack
from graphrank.data.graph_splits import GraphSplit
from graphrank.methods.gin import GIN
from graphrank.methods.labelled_graphs import LabelledGraphs
from graphrank.methods.supervised import Classifier
from graphrank.nn.graph_batch import GraphBatch
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.training_steps import gradients_are_right

SPLIT = GraphSplit(*torch.arange(12).split([6, 3, 3]))


def double_batch(count=5, features=3):
    toys = toy_graphs(count, features=features)
    return toys, GraphBatch.of(toys.x.double(), toys.edge_index, toys.ptr)


def labelled(count=12):
    toys = toy_graphs(count, features=3)
    batch = GraphBatch.of(toys.x.double(), toys.edge_index, toys.ptr)
    return LabelledGraphs.seen_in(batch, toys.y, SPLIT)


def normalized(rows, norm):
    """Batch normalisation by running statistics, as at prediction."""
    scaled = (rows - norm.running_mean) / (norm.running_var + norm.eps).sqrt()
    return scaled * norm.weight + norm.bias


@pytest.mark.parametrize("pooling", ["sum", "mean"])
def test_scores_as_the_paper_writes_them(pooling):
    """Graph by graph and node by node: every level is pooled and classified, the sum counts."""
    toys, batch = double_batch()
    torch.manual_seed(1)
    network = GIN(channels=4, num_layers=3, pooling=pooling).network(3, 2).double()
    for _ in range(3):
        network(batch)  # moves the running statistics off zero and one
    network.eval()
    expected = []
    for graph in toys:
        hidden = graph.x.double()
        levels = [hidden]
        for layer in network.encoder.layers:
            summed = hidden.clone()
            for source, target in graph.edge_index.T.tolist():
                summed[target] += hidden[source]
            inner, _, outer, norm, _ = layer.rest
            mapped = torch.relu(normalized(summed @ layer.weight, inner))
            hidden = torch.relu(normalized(outer(mapped), norm))
            levels.append(hidden)
        score = torch.zeros(2, dtype=torch.double)
        heads = [network.of_features, *network.of_layers]
        for rows, head in zip(levels, heads, strict=True):
            pooled = rows.sum(dim=0) if pooling == "sum" else rows.mean(dim=0)
            score = score + head.weight @ pooled + head.bias
        expected.append(score)
    torch.testing.assert_close(network(batch), torch.stack(expected))


def test_the_loss_is_the_cross_entropy_of_the_batch():
    graphs = labelled()
    batch = graphs.training_batch(torch.tensor([4, 1, 2]))
    method = GIN(channels=4, num_layers=3, dropout=0.0)
    module = Classifier(method.network(3, 2).double(), torch.arange(2)).eval()
    chances = module.network(batch).softmax(dim=1)
    places = enumerate((4, 1, 2))
    wanted = [-chances[row, int(graphs.train_class[place])].log() for row, place in places]
    torch.testing.assert_close(method.graph_loss(module, batch), torch.stack(wanted).mean())


def test_dropout_is_on_scores_and_for_training_alone():
    _, batch = double_batch()
    network = GIN(channels=4, num_layers=3, dropout=0.9).network(3, 2).double()
    network.eval()
    assert torch.equal(network(batch), network(batch))
    network.dropout.train()
    torch.manual_seed(0)
    assert (network(batch) == 0).any()  # all three levels of a score dropped


def test_gradients():
    graphs = labelled()
    method = GIN(channels=3, num_layers=3, dropout=0.0)
    torch.manual_seed(0)
    module = Classifier(method.network(3, 2).double(), torch.arange(2)).eval()
    for name, parameter in module.named_parameters():
        if name.endswith("bias"):
            torch.nn.init.normal_(parameter)  # at zero a silenced layer sits on a rectifier's kink
    batch = graphs.training_batch(torch.tensor([0, 1, 3]))
    assert gradients_are_right(method, module, batch, fast=True)


def test_an_epoch_has_as_many_random_batches_as_asked_for():
    graphs = labelled()
    torch.manual_seed(0)
    batches = list(GIN(steps=40, batch_graphs=4).batches(graphs))
    assert [batch.num_graphs for batch in batches] == [4] * 40
    drawn = {batch.num_nodes for batch in batches}
    assert len(drawn) > 1
    few = list(GIN(steps=3, batch_graphs=100).batches(graphs))
    sizes = graphs.sizes[graphs.train]
    assert [batch.num_nodes for batch in few] == [int(sizes.sum())] * 3


def test_without_steps_an_epoch_is_one_pass():
    graphs = labelled()
    torch.manual_seed(0)
    batches = list(GIN(steps=0, batch_graphs=4).batches(graphs))
    assert [batch.num_graphs for batch in batches] == [4, 2]
    sizes = sorted(size for batch in batches for size in batch.sizes.tolist())
    assert sizes == sorted(graphs.sizes[graphs.train].tolist())


def test_batches_carry_their_own_classes():
    toys = toy_graphs(12, features=3)
    x = toys.y.float()[toys.batch].unsqueeze(1)
    graphs = LabelledGraphs.seen_in(GraphBatch.of(x, toys.edge_index, toys.ptr), toys.y, SPLIT)
    for batch in GIN(steps=5, batch_graphs=3).batches(graphs):
        first = batch.features.to_dense()[batch.ptr[:-1], 0]
        assert torch.equal(first.long(), batch.graph_class)


def test_the_learning_rate_halves():
    method = GIN(learning_rate=0.01, halve_every=50)
    rates = [method.learning_rate_at(epoch) for epoch in (0, 49, 50, 99, 100, 349)]
    assert rates == pytest.approx([0.01, 0.01, 0.005, 0.005, 0.0025, 0.01 / 64])


def test_sums_tell_apart_what_means_cannot():
    """Rings of three and of six look alike to a mean; their scores differ under sums."""
    rings = pack([nx.cycle_graph(3), nx.cycle_graph(6)], "rings")
    batch = GraphBatch.of(torch.ones(9, 1), rings.edge_index, rings.ptr)
    for pooling, differ in (("sum", True), ("mean", False)):
        torch.manual_seed(0)
        first, second = GIN(channels=4, pooling=pooling).network(1, 2).eval()(batch)
        assert torch.allclose(first, second, atol=1e-6) is not differ
