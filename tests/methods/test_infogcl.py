"""InfoGCL: which views it chooses, what it compares across them."""

from itertools import combinations_with_replacement

import pytest
import torch

from graphrank.methods import infogcl
from graphrank.methods.infogcl import InfoGCL
from tests.methods.recorded_views import record_augmented
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.test_infograph import built, double_batch
from tests.methods.training_steps import fit_quietly, gradients_are_right
from tests.nn.test_local_global import estimate_by_loops
from tests.nn.test_nt_xent import by_loops

STRONG = {"node_drop": 0.4, "edge_drop": 0.4, "subgraph": 0.5, "attribute_mask": 0.5}
SMALL = {"channels": 4, "num_layers": 2, "epochs": 3, "batch_graphs": 5, **STRONG}
MODES = ["global-global", "local-global", "hybrid"]


@pytest.fixture
def drawn(monkeypatch):
    return record_augmented(monkeypatch, infogcl)


@pytest.mark.parametrize("mode", MODES)
def test_the_loss_of_each_mode(mode, drawn):
    method, batch = InfoGCL(**SMALL, mode=mode, temperature=0.3), double_batch()
    net = built(method)
    net.pair.copy_(torch.tensor([2, 1]))
    loss = method.graph_loss(net, batch)
    assert [choice.unique().tolist() for choice, _ in drawn] == [[2], [1]]
    views = [view for _, view in drawn]
    layers = [torch.cat(net.encoder(view), dim=1) for view in views]
    graphs = []
    for view, nodes in zip(views, layers, strict=True):
        own = view.graph.graph_of_node
        pooled = torch.stack([nodes[own == graph].mean(dim=0) for graph in range(4)])
        graphs.append(net.projector(pooled))
    expected = torch.zeros((), dtype=torch.double)
    if mode != "local-global":
        expected = (by_loops(*graphs, 0.3) + by_loops(*reversed(graphs), 0.3)) / 2
    if mode != "global-global":
        for view, nodes, other in zip(views, layers, reversed(graphs), strict=True):
            own = view.graph.graph_of_node
            estimate = estimate_by_loops(net.node_head(nodes), other, own)
            expected = expected + torch.tensor(2.0).double().log() / 2 - estimate / 4
    torch.testing.assert_close(loss, expected)
    assert (net.node_head is None) == (mode == "global-global")


@pytest.mark.parametrize("mode", MODES)
def test_gradients(mode):
    method = InfoGCL(**SMALL, mode=mode)
    assert gradients_are_right(method, built(method), double_batch(), fast=True)


class Told(InfoGCL):
    """Is told how much each comparison loses, by the augmentations of both sides."""

    def _view(self, batch, augmentation):
        self.seen.append(augmentation)
        return super()._view(batch, augmentation)

    def compare(self, anchor, other):
        return self.table[next(self.order)]


@pytest.mark.parametrize("retention", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("seed", range(5))
def test_the_pair_shares_least_and_keeps_most(retention, seed):
    random = torch.Generator().manual_seed(seed)
    method, batch = Told(**SMALL, retention=retention), double_batch()
    net = built(method)
    method.seen = []
    pairs = list(combinations_with_replacement(range(4), 2))
    method.table = {key: torch.rand((), generator=random) for key in [*range(4), *pairs]}
    method.order = iter(
        key for i in range(4) for key in (i, *(pair for pair in pairs if pair[0] == i))
    )
    found = tuple(method._best_pair(net, batch).tolist())
    table = {key: float(value) for key, value in method.table.items()}
    # Information is a constant less the loss.
    cost = {(i, j): -table[i, j] - retention * (-table[i] - table[j]) for i, j in pairs}
    assert found == min(cost, key=cost.get)
    assert method.seen == [0, 1, 2, 3] * 2  # views of two draws, none of them without a change


def test_the_pair_is_chosen_before_training_and_after_each_epoch(monkeypatch):
    chosen = iter([[0, 1], [1, 2], [2, 3], [3, 3]])
    used = []
    loss = InfoGCL.graph_loss

    def recorded(self, module, batch):
        used.append(module.pair.tolist())
        return loss(self, module, batch)

    monkeypatch.setattr(InfoGCL, "_best_pair", lambda *_: torch.tensor(next(chosen)))
    monkeypatch.setattr(InfoGCL, "graph_loss", recorded)
    model = fit_quietly(InfoGCL(**{**SMALL, "batch_graphs": 12}), toy_graphs(features=3))
    assert used == [[0, 1], [1, 2], [2, 3]] and model.module_.pair.tolist() == [3, 3]


EFFECTS = {"num_layers": 3, "pooling": "sum", "mode": "hybrid", "retention": 0.0}


@pytest.mark.parametrize("option", EFFECTS)
def test_every_option_has_an_effect(option):
    toys = toy_graphs(features=3)
    base, changed = (
        fit_quietly(InfoGCL(**{**SMALL, **more}), toys).embedding_
        for more in ({}, {option: EFFECTS[option]})
    )
    assert base.shape != changed.shape or not torch.allclose(base, changed)
