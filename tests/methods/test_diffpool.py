import pytest
import torch
import torch.nn.functional as F

from graphrank.data.graph_splits import GraphSplit
from graphrank.methods.diffpool import DiffPool
from graphrank.methods.labelled_graphs import LabelledGraphs
from graphrank.methods.registry import load_model
from graphrank.methods.supervised import Classifier
from graphrank.nn.graph_batch import GraphBatch
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.training_steps import gradients_are_right

SPLIT = GraphSplit(*torch.arange(12).split([6, 3, 3]))
SMALL = {"channels": 3, "num_layers": 2, "assign_ratio": 0.5, "hidden_channels": 4}


def labelled(sizes=None):
    toys = toy_graphs(12, features=3)
    batch = GraphBatch.of(toys.x.double(), toys.edge_index, toys.ptr)
    return LabelledGraphs.seen_in(batch, toys.y, SPLIT)


def empty_graphs(sizes):
    """Graphs without edges, of given sizes, of two classes in turn."""
    ptr = torch.tensor([0, *sizes]).cumsum(0)
    batch = GraphBatch.of(torch.ones(int(ptr[-1]), 1), torch.empty(2, 0, dtype=torch.long), ptr)
    count = len(sizes)
    split = GraphSplit(torch.arange(count - 2), torch.arange(count - 2, count), torch.arange(0))
    return LabelledGraphs.seen_in(batch, torch.arange(count) % 2, split)


def built(method, graphs):
    """The method's module for a set, in double precision and evaluation mode."""
    method.look_at(graphs)
    torch.manual_seed(0)
    return Classifier(method.network(graphs.num_features, 2).double(), torch.arange(2)).eval()


@pytest.mark.parametrize(
    ("settings", "clusters"),
    [
        ({"assign_ratio": 0.1}, [4]),
        ({"assign_ratio": 0.25, "poolings": 2}, [10, 2]),
        ({"assign_ratio": 0.1, "poolings": 3}, [4, 1, 1]),
        ({"assign_ratio": 0.5, "max_clusters": 7}, [7]),
        ({"assign_ratio": 0.0}, [1]),
    ],
)
def test_clusters_are_a_share_of_the_largest_training_graph(settings, clusters):
    """The largest of all is a validation graph, and does not count."""
    method = DiffPool(**settings)
    method.look_at(empty_graphs([3, 40, 5, 7, 400, 2]))
    assert method.clusters_ == clusters


def test_a_very_large_graph_has_no_more_clusters_than_allowed():
    method = DiffPool()
    method.look_at(empty_graphs([3782, 10, 5, 5]))
    assert method.clusters_ == [100]


def test_the_loss_is_of_classes_edges_and_decisions():
    graphs = labelled()
    batch = graphs.training_batch(torch.tensor([4, 1, 2]))
    method = DiffPool(**SMALL, link_weight=0.5, entropy_weight=0.25)
    module = built(method, graphs)
    pooled = module.network(batch)
    wanted = F.cross_entropy(pooled.scores, graphs.train_class[[4, 1, 2]])
    wanted = wanted + 0.5 * pooled.link_loss + 0.25 * pooled.entropy
    torch.testing.assert_close(method.graph_loss(module, batch), wanted)
    method.set_params(link_weight=0.0, entropy_weight=0.0)
    assert method.graph_loss(module, batch) < wanted


@pytest.mark.parametrize("poolings", [1, 2])
def test_gradients(poolings):
    graphs = labelled()
    method = DiffPool(**SMALL, poolings=poolings)
    module = built(method, graphs)
    batch = graphs.training_batch(torch.tensor([0, 1, 3]))
    assert gradients_are_right(method, module, batch, fast=True)


def test_gradients_are_clipped(monkeypatch):
    graphs = labelled()
    method = DiffPool(**SMALL, clip=1e-3, link_weight=100.0)
    module = built(method, graphs)
    optimizer = method.optimizer(module)
    method.graph_loss(module, graphs.training_batch(torch.arange(4))).backward()
    optimizer.step()
    total = sum(float(each.grad.square().sum()) for each in module.parameters()) ** 0.5
    assert total == pytest.approx(1e-3, rel=1e-3)


def test_side_losses_do_what_they_say():
    """Weighted alone, each becomes smaller than where it has no weight."""
    graphs, y = toy_graphs(12), torch.arange(12) % 2
    settings = {**SMALL, "epochs": 15, "learning_rate": 0.01, "stop": "none"}

    def after(**weights):
        model = DiffPool(**settings, **weights).fit(graphs, y, SPLIT)
        module, batch = model.module_.eval(), model._known_input(graphs)
        pooled = module.network(batch)
        return float(pooled.link_loss.detach()), float(pooled.entropy.detach())

    link, undecided = after(link_weight=0.0, entropy_weight=0.0)
    assert after(link_weight=20.0, entropy_weight=0.0)[0] < link
    assert after(link_weight=0.0, entropy_weight=20.0)[1] < undecided


def test_the_clusters_are_read_back(tmp_path):
    graphs, y = toy_graphs(12), torch.arange(12) % 2
    model = DiffPool(**SMALL, poolings=2, epochs=1).fit(graphs, y, SPLIT)
    model.save(tmp_path / "model")
    assert load_model(tmp_path / "model").clusters_ == model.clusters_
