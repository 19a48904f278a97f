from dataclasses import dataclass
from typing import ClassVar

import networkx as nx
import pytest
import torch
from torch import nn
from torch_geometric.data import Data

from graphrank.methods.graph_level import TrainedGraphMethod, as_batch
from graphrank.methods.graphcl import GraphCL
from graphrank.methods.info import MethodInfo
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.pooling import sum_pool
from graphrank.training.collapse import CollapseWarning
from graphrank.training.loop import Run
from tests.methods.test_graph_contract import toy_graphs
from tests.nn.reference import make_graph


@dataclass(kw_only=True, eq=False, repr=False)
class Spy(TrainedGraphMethod[nn.Module]):
    """Keeps what it is shown."""

    info: ClassVar[MethodInfo] = MethodInfo("spy", "Spy", "graph", "x", "none", "O(1)", "O(1)")

    def build(self, num_features):
        self.trained, self.encoded = [], []
        return nn.Linear(num_features, 2)

    def graph_loss(self, module, batch):
        self.trained.append(batch)
        return module(batch.features.to_dense()).square().mean()

    def encode_graphs(self, module, batch):
        assert not module.training and not torch.is_grad_enabled()
        self.encoded.append(batch)
        return sum_pool(batch.features.to_dense(), batch)


@pytest.mark.filterwarnings("ignore::graphrank.training.collapse.CollapseWarning")
def test_batches_are_bounded_and_every_epoch_has_all_graphs():
    toys = toy_graphs(20)
    model = Spy(epochs=2, batch_graphs=4, batch_nodes=18).fit(toys)
    assert all(isinstance(batch, GraphBatch) for batch in model.trained)
    assert all(batch.num_graphs <= 4 for batch in model.trained)
    assert all(batch.num_nodes <= 18 or batch.num_graphs == 1 for batch in model.trained)
    assert sum(batch.num_graphs for batch in model.trained) == 2 * len(toys)
    assert sorted(s for b in model.trained for s in b.sizes.tolist()) == sorted(
        2 * toys.ptr.diff().tolist()
    )
    # Encoding is in order and bounded by nodes alone: it keeps no gradients.
    assert torch.equal(torch.cat([batch.sizes for batch in model.encoded]), toys.ptr.diff())
    assert max(batch.num_graphs for batch in model.encoded) <= 6
    assert all(batch.num_nodes <= 18 for batch in model.encoded)


@pytest.mark.filterwarnings("ignore::graphrank.training.collapse.CollapseWarning")
def test_epochs_are_shuffled_by_the_seed():
    toys = toy_graphs(20)
    orders = []
    for seed in (0, 0, 1):
        model = Spy(epochs=2, seed=seed).fit(toys)
        orders.append(torch.cat([batch.sizes for batch in model.trained]).tolist())
    assert orders[0] == orders[1] != orders[2]
    assert orders[0][:20] != orders[0][20:]


@pytest.mark.filterwarnings("ignore::graphrank.training.collapse.CollapseWarning")
def test_a_method_sees_no_field_for_classes():
    model = Spy(epochs=1).fit(toy_graphs())
    fields = set().union(*(vars(batch) for batch in [*model.trained, *model.encoded]))
    assert fields <= {"features", "adjacency", "ptr", "graph_of_node"}


@pytest.mark.filterwarnings("ignore::graphrank.training.collapse.CollapseWarning")
def test_a_look_at_an_epoch_sees_all_graphs():
    toys, seen = toy_graphs(), []
    Spy(epochs=2).fit(toys, run=Run(on_epoch=lambda _, embed: seen.append(embed())))
    assert [embedding.size(0) for embedding in seen] == [len(toys)] * 2


def test_equal_graphs_are_called_a_collapse_and_different_sizes_are_not():
    toys = toy_graphs(features=4)
    same = Data(x=toys[0].x, edge_index=toys[0].edge_index)
    with pytest.warns(CollapseWarning):
        Spy(epochs=0).fit([same] * 5)

    @dataclass(kw_only=True, eq=False, repr=False)
    class Growing(Spy):
        """Large numbers that point one way and still tell graphs apart."""

        def encode_graphs(self, module, batch):
            return 1000 + super().encode_graphs(module, batch)

    Growing(epochs=0).fit(toys)


def test_one_graph_is_no_pack():
    with pytest.raises(AssertionError, match="packs of graphs"):
        as_batch(make_graph()[3])


def test_the_loop_is_the_shared_one():
    assert Spy.learn is TrainedMethod.learn


@pytest.mark.filterwarnings("ignore::graphrank.training.collapse.CollapseWarning")
def test_nodes_without_features_may_all_have_the_same_one(tmp_path):
    """The first weights have one row; a model from a file embeds unseen graphs as before."""
    cycles = [nx.cycle_graph(size) for size in range(3, 9)]
    model = GraphCL(epochs=1, channels=4, missing_features="constant").fit(cycles)
    assert model.num_features_ == 1
    model.save(tmp_path / "model")
    stars = [nx.star_graph(size) for size in (2, 5)]
    found = GraphCL.load(tmp_path / "model").transform(stars)
    assert torch.equal(found, model.transform(stars))
