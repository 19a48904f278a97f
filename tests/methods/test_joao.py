"""JOAO: the game that the augmentations play, and what it changes of GraphCL."""

import pytest
import torch

from graphrank.augment.graph_views import AUGMENTATIONS, whole_view
from graphrank.methods import joao
from graphrank.methods.joao import JOAO
from graphrank.methods.registry import make_method
from graphrank.training.history import History
from tests.methods.recorded_views import record_augmented
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.test_infograph import built, double_batch
from tests.methods.training_steps import fit_quietly, gradients_are_right
from tests.nn.test_nt_xent import by_loops
from tests.nn.test_simplex import by_bisection

SMALL = {"channels": 4, "num_layers": 2, "epochs": 3, "batch_graphs": 5}
LOSSES = torch.tensor([0.3, 0.1, 0.9, 0.5, 0.0], dtype=torch.double)


@pytest.fixture
def drawn(monkeypatch):
    return record_augmented(monkeypatch, joao)


def after_epochs(method, number, monkeypatch):
    """The distribution after some epochs with the same losses."""
    net = built(method)
    monkeypatch.setattr(JOAO, "_judge", lambda *_: LOSSES)
    found = [net.chances.clone()]
    for _ in range(number):
        method.after_epoch(net, double_batch(), History())
        found.append(net.chances.clone())
    return found


@pytest.mark.parametrize("gamma", [0.0, 0.1, 1.0, 3.0])
def test_the_distribution_moves_as_the_paper_says(gamma, monkeypatch):
    start, *moved = after_epochs(JOAO(**SMALL, gamma=gamma), 3, monkeypatch)
    torch.testing.assert_close(start, torch.full((5,), 0.2, dtype=torch.double))
    expected = start
    for found in moved:
        expected = by_bisection(expected + LOSSES - gamma * (expected - 0.2))
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-9)


def test_without_pull_the_hardest_augmentation_takes_all(monkeypatch):
    *_, last = after_epochs(JOAO(**SMALL, gamma=0.0), 20, monkeypatch)
    torch.testing.assert_close(last, torch.tensor([0, 0, 1, 0, 0], dtype=torch.double))


def test_with_pull_it_comes_to_rest_where_both_are_even(monkeypatch):
    """There the loss less the pull is the same for all that are drawn, and less for all others."""
    *_, last = after_epochs(JOAO(**SMALL, gamma=1.5), 200, monkeypatch)
    drive = LOSSES - 1.5 * (last - 0.2)
    assert (last > 0).sum() > 1
    assert drive[last > 0].std() < 1e-6
    assert (drive[last == 0] <= drive[last > 0].mean() + 1e-6).all()


def test_judging_is_the_mean_loss_under_each_augmentation_alone(drawn):
    method, batch = JOAO(**SMALL, temperature=0.3), double_batch()
    net = built(method)
    before = {name: value.clone() for name, value in net.named_parameters()}
    losses = method._judge(net, batch)
    assert all(torch.equal(value, before[name]) for name, value in net.named_parameters())
    assert [choice.unique().tolist() for choice, _ in drawn] == [[n] for n in range(5)]
    for loss, (_, view) in zip(losses, drawn, strict=True):
        # The batch comes in a random order: the clean graphs are those of the last view.
        z, changed = (
            net.projector[0](net.embed(each)) for each in (whole_view(drawn[-1][1].graph), view)
        )
        torch.testing.assert_close(loss, by_loops(z, changed, 0.3).detach())


def test_a_fifth_of_the_graphs_is_judged():
    method, batch = JOAO(**SMALL), double_batch([2] * 52)
    assert [part.num_graphs for part in method.judged(batch)] == [5, 5, 5]


def test_graphs_draw_from_the_distribution(drawn):
    method, batch = JOAO(**SMALL), double_batch([2] * 2000)
    net = built(method)
    net.chances.copy_(torch.tensor([0.5, 0.0, 0.2, 0.3, 0.0]))
    method.graph_loss(net, batch)
    share = torch.bincount(drawn[0][0], minlength=5) / 2000
    assert (share - net.chances).abs().max() < 0.05
    assert share[1] == share[4] == 0


def test_heads_of_their_own(drawn):
    """A graph goes through the head of its augmentation, the clean one through that of none."""
    method, batch = JOAO(**SMALL, own_heads=True), double_batch()
    net = built(method)
    assert len(net.projector) == 5
    loss = method.graph_loss(net, batch)
    ((choice, view),) = drawn
    clean, changed = net.embed(whole_view(batch)), net.embed(view)
    z = torch.stack([net.projector[n](row) for n, row in zip(choice, changed, strict=True)])
    none = net.projector[AUGMENTATIONS.index("none")]
    torch.testing.assert_close(loss, by_loops(none(clean), z, method.temperature))


@pytest.mark.parametrize("own_heads", [False, True])
def test_gradients(own_heads):
    method = JOAO(**SMALL, own_heads=own_heads)
    assert gradients_are_right(method, built(method), double_batch(), fast=True)


def test_the_distribution_is_saved_with_the_model(tmp_path):
    model = fit_quietly(JOAO(**SMALL), toy_graphs(features=3))
    chances = model.module_.chances
    assert chances.sum().item() == pytest.approx(1) and not torch.allclose(chances, chances.mean())
    model.save(tmp_path / "model")
    assert torch.equal(JOAO.load(tmp_path / "model").module_.chances, chances)


def test_the_second_version_is_a_preset():
    model = make_method("joao", "v2", {"channels": 8})
    assert (model.own_heads, model.learning_rate, model.epochs) == (True, 1e-3, 40)


EFFECTS = {
    "gamma": 1.0,
    "own_heads": True,
    "node_drop": 0.5,
    "edge_drop": 0.5,
    "edge_add": 0.5,
    "subgraph": 0.3,
    "attribute_mask": 0.5,
}


@pytest.mark.parametrize("option", EFFECTS)
def test_every_option_has_an_effect(option):
    toys = toy_graphs(features=3)
    base, changed = (
        fit_quietly(JOAO(**{**SMALL, **more}), toys).embedding_
        for more in ({}, {option: EFFECTS[option]})
    )
    assert not torch.allclose(base, changed)
