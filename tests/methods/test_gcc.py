import json
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from torch_geometric.data import Data

from graphrank.augment.egos import draw_egos
from graphrank.methods.corpus import read_corpus
from graphrank.methods.gcc import GCC
from graphrank.nn.structural_encoder import most_connected
from graphrank.training.loop import Run
from tests.methods.graph_batches import double_batch
from tests.methods.older_models import saved_before
from tests.methods.test_corpus import PATHS, RINGS, write_lines
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.training_steps import fit_quietly, gradients_are_right
from tests.nn.test_key_queue import by_loops

SMALL = {"channels": 6, "num_layers": 2, "positions": 4, "degree_channels": 3, "most_degree": 5}
SHORT = {**SMALL, "epochs": 3, "samples": 8, "steps": 6, "batch_graphs": 4}


def build(**settings):
    torch.manual_seed(1)
    method = GCC(**{**SMALL, "dropout": 0.0, **settings})
    return method, method.build(1).double()


def pairs(count=4, seed=0):
    """Neighbourhoods of a few nodes, walked twice."""
    _, _, graphs = double_batch((9, 8))
    torch.manual_seed(seed)
    starts = torch.randperm(graphs.num_nodes)[:count]
    return draw_egos(graphs, starts.repeat(2), 4, 0.5)


def encoded(encoder, egos, half):
    """One half of the pairs, seen from the first node of each."""
    part = egos.select(torch.arange(egos.num_graphs).chunk(2)[half])
    marks = torch.zeros(part.num_nodes, dtype=torch.double)
    marks[part.ptr[:-1]] = 1
    return encoder(part, marks)


def test_in_batch_loss_equals_loops():
    method, net = build(temperature=0.3)
    egos = pairs()
    queries, keys = encoded(net.encoder, egos, 0), encoded(net.encoder, egos, 1)
    others = [[queries[j] for j in range(4) if j != i] for i in range(4)]
    expected = by_loops(keys, queries, others, 0.3)
    assert float(method.graph_loss(net, egos)) == pytest.approx(expected)


def test_queued_loss_equals_loops_and_keys_move_in():
    method, net = build(temperature=0.3, queue=6)
    egos, held = pairs(), net.queue.keys.clone()
    queries, keys = encoded(net.encoder, egos, 0), encoded(net.key_encoder, egos, 1)
    expected = by_loops(queries, keys, [list(held)] * 4, 0.3)
    assert float(method.graph_loss(net, egos)) == pytest.approx(expected)
    torch.testing.assert_close(net.queue.keys[:4], keys)
    assert torch.equal(net.queue.keys[4:], held[4:])


@pytest.mark.parametrize("queue", [0, 5])
def test_gradcheck(queue):
    method, net = build(queue=queue, channels=3, num_layers=1)
    if queue:
        net.queue.push = lambda keys: None  # so that every call sees the same queue
    assert gradients_are_right(method, net, pairs(), fast=True)


def test_the_key_encoder_starts_alike_is_not_trained_and_follows():
    method, net = build(queue=4, key_decay=0.75)
    pairwise = zip(net.encoder.parameters(), net.key_encoder.parameters(), strict=True)
    assert all(torch.equal(a, b) and not b.requires_grad for a, b in pairwise)
    before = net.key_encoder.gin.layers[0].weight.clone()
    with torch.no_grad():
        net.encoder.gin.layers[0].weight += 1
    method.after_step(net, 0)
    torch.testing.assert_close(net.key_encoder.gin.layers[0].weight, before + 0.25)


def test_keys_of_the_queue_are_encoded_without_dropout():
    method, net = build(queue=8, dropout=0.5)
    egos = pairs()
    method.graph_loss(net, egos)
    method.graph_loss(net, egos)
    torch.testing.assert_close(net.queue.keys[:4], net.queue.keys[4:])


def test_epochs_are_pairs_of_walks_around_drawn_nodes():
    _, _, graphs = double_batch((9, 8))
    torch.manual_seed(0)
    method = GCC(**{**SHORT, "samples": 10})
    batches = list(method.batches(graphs))
    assert [batch.num_graphs for batch in batches] == [8, 8, 4]
    for batch in batches:
        first, second = batch.features.to_dense()[batch.ptr[:-1]].chunk(2)
        assert torch.equal(first, second)  # the same start, known by its features
    assert any(not torch.equal(*batch.sizes.chunk(2)) for batch in batches)


def test_graphs_are_seen_from_their_most_connected_nodes_and_have_length_one():
    _, _, batch = double_batch()
    method, net = build()
    net.eval()
    found = method.encode_graphs(net, batch)
    assert torch.equal(found, net.encoder(batch, most_connected(batch)))
    torch.testing.assert_close(found.norm(dim=1), torch.ones(4, dtype=torch.double))


def test_a_model_of_one_set_embeds_any_other(tmp_path):
    """Whatever features either has: structure is all that is looked at."""
    fit_quietly(GCC(**SHORT), toy_graphs(features=4)).save(tmp_path / "model")
    model = GCC.load(tmp_path / "model")
    for kind in ({"features": 9}, {"labels": 3}, {}):
        others = toy_graphs(5, seed=7, **kind)
        bare = [Data(edge_index=graph.edge_index, num_nodes=graph.num_nodes) for graph in others]
        found = model.transform(others)
        assert found.shape == (5, 6) and torch.equal(found, model.transform(bare))


def test_features_and_labels_change_nothing():
    plain = toy_graphs(6)
    changed = [graph.clone() for graph in plain]
    for graph in changed:
        graph.x = torch.randn(graph.num_nodes, 5)
    first, second = (fit_quietly(GCC(**SHORT), graphs).embedding_ for graphs in (plain, changed))
    assert torch.equal(first, second)


def test_gradients_are_cut_to_a_length():
    _, net = build()
    method = GCC(**SMALL, clip=0.5, learning_rate=1e-9)
    optimizer = method.optimizer(net)
    for value in net.parameters():
        value.grad = torch.ones_like(value)
    optimizer.step()
    length = torch.cat([value.grad.flatten() for value in net.parameters()]).norm()
    assert float(length) == pytest.approx(0.5, rel=1e-4)


def test_the_learning_rate_rises_over_a_tenth_and_falls_to_zero():
    method = GCC(epochs=20, learning_rate=0.9)
    rates = [method.learning_rate_at(epoch) for epoch in range(20)]
    assert rates[:3] == pytest.approx([0.225, 0.675, 0.875])
    assert rates[-1] == pytest.approx(0.025)
    assert GCC(epochs=1, learning_rate=0.9).learning_rate_at(0) == pytest.approx(0.5)


@pytest.mark.parametrize(("queue", "share"), [(0, 0.8), (32, 0.95)])
def test_it_learns_to_find_the_other_walk(queue, share):
    """Many of these small neighbourhoods are alike: no encoder could tell them all apart."""
    graphs = toy_graphs(20)
    settings = {**SHORT, "epochs": 15, "samples": 64, "batch_graphs": 16, "dropout": 0.0}
    losses = fit_quietly(GCC(**settings, queue=queue, key_decay=0.9), graphs).history_.loss
    assert losses[-1] < share * losses[0]


EFFECTS = {
    "steps": 30, "restart": 0.1, "temperature": 0.5, "queue": 4, "samples": 12, "dropout": 0.0,
    "most_degree": 1, "clip": 0.01,
}  # fmt: skip


@pytest.mark.parametrize("option", EFFECTS)
def test_every_option_has_an_effect(option):
    graphs = toy_graphs()
    base = fit_quietly(GCC(**SHORT), graphs).embedding_
    changed = fit_quietly(GCC(**{**SHORT, option: EFFECTS[option]}), graphs).embedding_
    assert not torch.allclose(base, changed)


def test_key_decay_has_an_effect():
    graphs = toy_graphs()
    models = (fit_quietly(GCC(**SHORT, queue=8, key_decay=decay), graphs) for decay in (0.0, 0.9))
    first, second = (F.normalize(model.embedding_) for model in models)
    assert not torch.allclose(first, second)


@pytest.fixture
def corpus(tmp_path):
    """Two files of graphs, as the option names them."""
    files = [write_lines(tmp_path / "a.jsonl", PATHS), write_lines(tmp_path / "b.jsonl", RINGS)]
    return ",".join(files)


def test_a_corpus_takes_the_place_of_the_set_in_training(corpus):
    """What is embedded changes no weight; the same corpus given as a set has the same weights."""
    models = [fit_quietly(GCC(**SHORT, corpus=corpus), toy_graphs(4, seed=n)) for n in (0, 1)]
    given = fit_quietly(GCC(**SHORT), list(read_corpus(corpus)))
    for model in models:
        assert model.embedding_.shape[0] == 4
        assert all(
            torch.equal(value, given.module_.state_dict()[name])
            for name, value in model.module_.state_dict().items()
        )
        assert model.history_.loss == given.history_.loss
    assert torch.equal(models[0].embedding_, given.transform(toy_graphs(4, seed=0)))
    itself = fit_quietly(GCC(**SHORT), toy_graphs(4))
    assert itself.history_.loss != given.history_.loss


def test_one_seed_gives_one_model_of_a_corpus(corpus):
    losses = [
        fit_quietly(GCC(**SHORT, corpus=corpus, seed=seed), toy_graphs(4)).history_.loss
        for seed in (0, 0, 1)
    ]
    assert losses[0] == losses[1] != losses[2]


def test_classes_of_a_corpus_change_nothing(tmp_path):
    path = tmp_path / "a.jsonl"
    found = []
    for classes in ([0, 1], [1, 0], None):
        rows = [
            {"edges": edges, **({} if classes is None else {"y": classes[place]})}
            for place, edges in enumerate(PATHS)
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        found.append(fit_quietly(GCC(**SHORT, corpus=str(path)), toy_graphs(4)).embedding_)
    assert torch.equal(found[0], found[1]) and torch.equal(found[0], found[2])


def test_who_looks_on_sees_the_set_at_hand(corpus):
    seen = []
    run = Run(progress=False, on_epoch=lambda epoch, embed: seen.append(embed()))
    model = GCC(**SHORT, corpus=corpus).fit(toy_graphs(4), run=run)
    assert [each.shape for each in seen] == [(4, 6)] * 3
    assert torch.equal(seen[-1], model.embedding_)


def test_a_model_loads_where_its_corpus_is_gone(corpus, tmp_path):
    model = fit_quietly(GCC(**SHORT, corpus=corpus), toy_graphs(4))
    model.save(tmp_path / "model")
    for name in corpus.split(","):
        Path(name).unlink()
    loaded = GCC.load(tmp_path / "model")
    assert loaded.corpus == corpus
    assert torch.equal(loaded.transform(toy_graphs(4)), model.embedding_)


def test_models_of_before_were_trained_on_the_set_itself(tmp_path):
    model = fit_quietly(GCC(**SHORT), toy_graphs(4))
    saved_before(model, tmp_path / "model", "corpus")
    assert GCC.load(tmp_path / "model").corpus == ""
