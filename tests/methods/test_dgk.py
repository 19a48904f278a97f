import json
import os
import signal

import networkx as nx
import numpy as np
import pytest
import torch
from torch_geometric.data import Data

import graphrank.methods.dgk as source
from graphrank.errors import ConfigError
from graphrank.methods.dgk import DGK
from graphrank.methods.graph_level import as_batch
from graphrank.methods.registry import make_method
from graphrank.results.older import completed
from graphrank.training.loop import Run
from tests.methods.older_models import saved_before
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.training_steps import fit_quietly, gradients_are_right

SMALL = {"channels": 6, "epochs": 3, "batch_graphs": 5, "negatives": 2, "window": 3}
PATHS = {**SMALL, "structures": "shortest-paths"}


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


def _texts_of(batch, structures):
    """The texts of a batch: its graphs, or all nodes of these."""
    if structures == "sub-trees":
        return batch.chosen
    nodes = [range(*batch.ptr[graph : graph + 2].tolist()) for graph in batch.chosen.tolist()]
    return torch.tensor([node for graph in nodes for node in graph])


both_structures = pytest.mark.parametrize("structures", ["sub-trees", "shortest-paths"])


@both_structures
def test_loss_equals_plain_loops(monkeypatch, structures):
    method, module, _, batch = prepared(toy_graphs(), structures=structures)
    drawn = [], []
    for name, kept in zip(("draw_co_occurring", "draw_noise"), drawn, strict=True):
        monkeypatch.setattr(source, name, _recorded(getattr(source, name), kept))
    loss = method.training_step(module, batch)
    texts = module.texts.select(_texts_of(batch, structures))
    ((entry, other),), (noise,) = drawn
    noise = noise.view(-1, 3, 2)
    words, contexts = module.words.detach(), module.contexts.detach()
    expected = total = 0.0
    for place, (one, others) in enumerate(zip(entry.tolist(), other.tolist(), strict=True)):
        vector, times = words[texts.pattern.column[one]], int(texts.count[one])
        for draw, context in enumerate(others):
            assert texts.pattern.row[context] == texts.pattern.row[one]  # of the same text
            true = vector @ contexts[texts.pattern.column[context]]
            false = [vector @ contexts[word] for word in noise[place, draw]]
            # Two noise words against one: the odds of chance are taken out.
            expected -= times * float(torch.log(torch.sigmoid(true - np.log(2))))
            expected -= times * sum(
                float(torch.log(1 - torch.sigmoid(s - np.log(2)))) for s in false
            )
            total += times
    assert len(entry) > 10 and float(loss) == pytest.approx(expected / total)


@both_structures
def test_gradcheck_of_the_loss(structures):
    settings = {"channels": 2, "iterations": 1, "structures": structures}
    method, module, _, batch = prepared(toy_graphs(6), **settings)
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


@both_structures
def test_dot_products_are_the_normalised_kernel_through_similar_colours(structures):
    toys = toy_graphs(labels=3)
    model = fit_quietly(DGK(**SMALL, structures=structures), toys)
    module = model.module_
    counts = model.color_counts(module, as_batch(model._known_input(toys)))
    bags = counts.matrix(module.vocabulary.numpy()).toarray()
    words = module.words.detach().double().numpy()
    kernel = bags @ (words @ words.T) @ bags.T
    expected = kernel / np.sqrt(np.outer(kernel.diagonal(), kernel.diagonal()))
    found = model.embedding_.double().numpy()
    np.testing.assert_allclose(found @ found.T, expected, atol=1e-6)
    assert DGK.dot_product_is_kernel


@both_structures
def test_a_diagonal_matrix_takes_each_colour_for_unlike_all_others(structures):
    toys = toy_graphs(labels=3)
    model = fit_quietly(DGK(**SMALL, structures=structures, matrix="diagonal"), toys)
    module = model.module_
    counts = model.color_counts(module, as_batch(model._known_input(toys)))
    bags = counts.matrix(module.vocabulary.numpy()).toarray()
    kernel = np.zeros((len(toys), len(toys)))
    for word, vector in enumerate(module.words.detach().double().numpy()):
        kernel += np.sqrt(vector @ vector) * np.outer(bags[:, word], bags[:, word])
    expected = kernel / np.sqrt(np.outer(kernel.diagonal(), kernel.diagonal()))
    found = model.embedding_.double().numpy()
    assert found.shape == bags.shape
    np.testing.assert_allclose(found @ found.T, expected, atol=1e-6)
    unseen = model.transform([toys[0], toys[1]])
    torch.testing.assert_close(unseen, model.embedding_[:2])


@both_structures
def test_colours_that_are_too_rare_are_left_out(structures):
    toys, settings = toy_graphs(), {**SMALL, "structures": structures}
    every, some = (fit_quietly(DGK(**settings, min_count=least), toys) for least in (1, 4))
    assert 0 < some.module_.words.size(0) < every.module_.words.size(0)
    with pytest.raises(ConfigError, match=r"no colour occurs 1000 times.*lower min_count"):
        DGK(**settings, min_count=1000).fit(toys)


# -- shortest paths ----------------------------------------------------------------------------


def test_a_text_is_the_paths_from_a_node_and_a_graph_is_all_of_its_nodes():
    model = DGK(**PATHS)
    graph = as_batch(model._prepare([nx.path_graph(3), nx.cycle_graph(4)]))
    module = model.build(graph.num_features)
    model.initialize(module, graph)
    words = module.vocabulary.tolist()
    # Without labels, degrees: 1 and 1 two steps apart, 1 and 2 one step, 2 and 2 as far as either.
    assert words == [1 << 42 | 1 << 21 | 2, 1 << 42 | 2 << 21 | 1] + [
        2 << 42 | 2 << 21 | length for length in (1, 2)
    ]
    assert module.texts.pattern.shape == (7, 4)  # a text for each node
    assert module.texts.count.tolist() == [1, 1, 2, 1, 1, *[2, 1] * 4]
    texts = model.texts_of(module, graph)
    assert texts.pattern.row.tolist() == [0, 0, 1, 1] and texts.count.tolist() == [2, 4, 8, 4]
    frequency = module.noise.diff(prepend=torch.zeros(1))
    torch.testing.assert_close(frequency, torch.tensor([2, 4, 8, 4]).double() / 18)


def _moved(toys):
    """The same graphs with their nodes, labels and all, in another order."""
    random = torch.Generator().manual_seed(0)
    for graph in toys:
        order = torch.randperm(graph.num_nodes, generator=random)
        label = torch.empty_like(graph.node_label)
        label[order] = graph.node_label
        ends = order[graph.edge_index]
        yield Data(edge_index=ends, node_label=label, num_nodes=graph.num_nodes)


def test_renumbering_the_nodes_of_labelled_graphs_changes_nothing():
    toys = toy_graphs(labels=3)
    model = fit_quietly(DGK(**PATHS), toys)
    found = model.transform(list(_moved(toys)))
    torch.testing.assert_close(found, model.embedding_, rtol=1e-4, atol=1e-5)
    for batch_nodes in (1, 15):
        model.set_params(batch_nodes=batch_nodes)
        torch.testing.assert_close(model.transform(toys), model.embedding_, rtol=1e-4, atol=1e-5)


def test_training_trains_the_vectors_of_paths():
    toys = toy_graphs()
    model, again = (fit_quietly(DGK(**PATHS), toys) for _ in range(2))
    assert torch.equal(model.embedding_, again.embedding_)
    assert not torch.allclose(model.embedding_, fit_quietly(DGK(**SMALL), toys).embedding_)
    untrained = fit_quietly(DGK(**{**PATHS, "epochs": 0}), toys)
    assert not torch.allclose(model.embedding_, untrained.embedding_)


def test_iterations_mean_nothing_to_paths():
    toys = toy_graphs(labels=3)
    one, other = (fit_quietly(DGK(**PATHS, iterations=rounds), toys) for rounds in (0, 4))
    assert torch.equal(one.embedding_, other.embedding_)


def test_graphs_without_paths_are_nowhere():
    lone, apart = (
        Data(edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=size) for size in (1, 4)
    )
    embedding = fit_quietly(DGK(**PATHS), [lone, nx.path_graph(4), apart]).embedding_
    assert torch.isfinite(embedding).all() and embedding.norm(dim=1).tolist()[::2] == [0, 0]
    assert float(embedding[1].norm()) == pytest.approx(1)
    with pytest.raises(ConfigError, match=r"no edges.*take structures=sub-trees"):
        DGK(**PATHS).fit([lone, apart])


def test_two_nodes_have_no_contexts_and_train_all_the_same():
    model = fit_quietly(DGK(**PATHS), [nx.path_graph(2)] * 3)
    assert model.history_.loss == [0.0] * 3 and torch.isfinite(model.embedding_).all()


def test_paths_that_training_has_not_seen_count_for_nothing():
    model = fit_quietly(DGK(**PATHS, labels="constant"), [nx.path_graph(4), nx.cycle_graph(5)])
    longest, words = 3, model.module_.words.detach()
    found = model.transform([nx.path_graph(7), nx.star_graph(9)])
    lengths = [nx.shortest_path_length(nx.path_graph(7), 0, sink) for sink in range(1, 7)]
    assert max(lengths) > longest and words.size(0) == longest
    known = sum((7 - length) * words[length - 1] for length in range(1, longest + 1))
    torch.testing.assert_close(found[0], known / known.norm())


@pytest.mark.parametrize("kind", [{"features": 4}, {"labels": 3}, {}])
def test_paths_saved_and_loaded_to_the_bit(kind, tmp_path):
    toys, others = toy_graphs(**kind), toy_graphs(5, seed=7, **kind)
    model = fit_quietly(DGK(**PATHS), toys)
    model.save(tmp_path / "model")
    read = DGK.load(tmp_path / "model")
    assert read.get_params() == model.get_params()
    assert torch.equal(read.transform(toys), model.embedding_)
    assert torch.equal(read.transform(others), model.transform(others))


def test_paths_interrupted_and_resumed_to_the_bit(tmp_path):
    def interrupt(epoch, _):
        if epoch == 1:
            os.kill(os.getpid(), signal.SIGINT)

    toys = toy_graphs()
    whole = fit_quietly(DGK(**PATHS), toys)
    with pytest.raises(KeyboardInterrupt):
        DGK(**PATHS).fit(toys, run=Run(directory=tmp_path / "cut", on_epoch=interrupt))
    resumed = DGK(**PATHS).fit(toys, run=Run(directory=tmp_path / "cut", resume=True))
    assert torch.equal(resumed.embedding_, whole.embedding_)


def test_models_and_lines_of_before_are_of_sub_trees(tmp_path):
    toys = toy_graphs()
    model = fit_quietly(DGK(**SMALL), toys)
    read = saved_before(model, tmp_path / "model", "structures")
    assert read.structures == "sub-trees"
    assert torch.equal(read.transform(toys), model.embedding_)
    stored = json.loads((tmp_path / "model" / "model.json").read_text())
    assert "structures" not in stored["params"]
    line = completed({"method": {"iterations": 2}, "task": {}}, "dgk")
    assert line["method"]["structures"] == "sub-trees"


def test_the_authors_figure_on_mutag_is_of_paths_and_others_are_not():
    kinds = {name: make_method("dgk", "authors", dataset=name) for name in ("mutag", "proteins")}
    assert kinds["mutag"].structures == "shortest-paths"
    assert kinds["proteins"].structures == "sub-trees"
