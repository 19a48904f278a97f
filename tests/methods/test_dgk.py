import numpy as np
import pytest
import torch

import graphrank.methods.dgk as source
from graphrank.errors import ConfigError
from graphrank.methods.dgk import DGK
from graphrank.methods.graph_level import as_batch
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.training_steps import fit_quietly, gradients_are_right

SMALL = {"channels": 6, "epochs": 3, "batch_graphs": 5, "negatives": 2, "window": 3}


def prepared(toys, seed=0, **settings):
    """A method, its module ready for training, the set, and one training batch."""
    torch.manual_seed(seed)
    method = DGK(**{**SMALL, **settings})
    graph = as_batch(method._prepare(toys))
    module = method.build(graph.num_features)
    method.initialize(module, graph)
    torch.nn.init.normal_(module.words, std=0.5)
    torch.nn.init.normal_(module.contexts, std=0.5)
    return method, module.double(), graph, next(iter(method.batches(graph)))


def _recorded(function, kept):
    """The function, with everything that it gives kept."""

    def recorded(*args):
        kept.append(function(*args))
        return kept[-1]

    return recorded


def test_loss_equals_plain_loops(monkeypatch):
    method, module, _, batch = prepared(toy_graphs())
    drawn = [], []
    for name, kept in zip(("draw_co_occurring", "draw_noise"), drawn, strict=True):
        monkeypatch.setattr(source, name, _recorded(getattr(source, name), kept))
    loss = method.training_step(module, batch)
    texts = module.texts.select(batch.chosen)
    ((entry, other),), (noise,) = drawn
    noise = noise.view(-1, 3, 2)
    words, contexts = module.words.detach(), module.contexts.detach()
    expected = total = 0.0
    for place, (one, others) in enumerate(zip(entry.tolist(), other.tolist(), strict=True)):
        vector, times = words[texts.pattern.column[one]], int(texts.count[one])
        for draw, context in enumerate(others):
            assert texts.pattern.row[context] == texts.pattern.row[one]  # of the same graph
            true = vector @ contexts[texts.pattern.column[context]]
            false = [vector @ contexts[word] for word in noise[place, draw]]
            # Two noise words against one: the odds of chance are taken out.
            expected -= times * float(torch.log(torch.sigmoid(true - np.log(2))))
            expected -= times * sum(
                float(torch.log(1 - torch.sigmoid(s - np.log(2)))) for s in false
            )
            total += times
    assert len(entry) > 10 and float(loss) == pytest.approx(expected / total)


def test_gradcheck_of_the_loss():
    method, module, _, batch = prepared(toy_graphs(6), channels=2, iterations=1)
    assert gradients_are_right(method, module, batch, fast=True)


def test_the_loss_is_least_at_how_much_more_often_than_by_chance():
    """With vectors wide enough for every pair, dot products become these logarithms."""
    graphs = toy_graphs(8)
    settings = {"iterations": 0, "channels": 8, "window": 40, "negatives": 5, "batch_graphs": 8}
    method, module, _, batch = prepared(graphs, **settings)
    optimizer = torch.optim.Adam(module.parameters(), lr=0.05)
    for _ in range(300):
        optimizer.zero_grad()
        method.training_step(module, batch).backward()
        optimizer.step()
    bags = torch.sparse_csr_tensor(
        module.texts.pattern.row_pointer,
        module.texts.pattern.column,
        module.texts.count.double(),
        module.texts.pattern.shape,
    ).to_dense()
    sizes, words = bags.sum(dim=1), bags.size(1)
    together = torch.zeros(words, words, dtype=torch.double)
    for bag, size in zip(bags, sizes, strict=True):
        together += bag[:, None] * (bag[None, :] - torch.eye(words)) / (size - 1)
    chance = bags.sum(dim=0) / bags.sum()
    ratio = together / bags.sum(dim=0)[:, None] / chance
    found = (module.words @ module.contexts.T).detach()
    often = together > 2
    assert int(often.sum()) >= 3
    torch.testing.assert_close(found[often], ratio.log()[often], atol=0.15, rtol=0)


def test_dot_products_are_the_normalised_kernel_through_similar_colours():
    toys = toy_graphs(labels=3)
    model = fit_quietly(DGK(**SMALL), toys)
    module = model.module_
    counts = model.color_counts(module, as_batch(model._known_input(toys)))
    bags = counts.matrix(module.vocabulary.numpy()).toarray()
    words = module.words.detach().double().numpy()
    kernel = bags @ (words @ words.T) @ bags.T
    expected = kernel / np.sqrt(np.outer(kernel.diagonal(), kernel.diagonal()))
    found = model.embedding_.double().numpy()
    np.testing.assert_allclose(found @ found.T, expected, atol=1e-6)
    assert DGK.dot_product_is_kernel


def test_colours_that_are_too_rare_are_left_out():
    toys = toy_graphs()
    every, some = (fit_quietly(DGK(**SMALL, min_count=least), toys) for least in (1, 4))
    assert 0 < some.module_.words.size(0) < every.module_.words.size(0)
    with pytest.raises(ConfigError, match=r"no colour occurs 1000 times.*lower min_count"):
        DGK(**SMALL, min_count=1000).fit(toys)
