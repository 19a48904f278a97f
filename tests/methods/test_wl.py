from collections import Counter

import networkx as nx
import numpy as np
import pytest
import torch

from graphrank.data import load
from graphrank.methods.graph_controls import DegreeHistogram
from graphrank.methods.wl import WL
from graphrank.tasks.graph_classification import GraphClassification
from graphrank.tasks.runner import Experiment, evaluate
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.training_steps import fit_quietly


def slow_kernel(graphs, iterations):
    """Dictionaries of nested tuples; first the nodes' labels, then whole sub-trees."""
    bags = []
    for graph in graphs:
        color = dict(enumerate(graph.node_label.tolist()))
        near = {node: [] for node in color}
        for source, target in graph.edge_index.T.tolist():
            near[target].append(source)
        bag = Counter((0, name) for name in color.values())
        for number in range(1, iterations + 1):
            color = {
                node: (color[node], tuple(sorted((color[other] for other in near[node]), key=repr)))
                for node in color
            }
            bag.update((number, name) for name in color.values())
        bags.append(bag)
    raw = np.array([[sum(a[c] * b[c] for c in a) for b in bags] for a in bags], dtype=float)
    return raw / np.sqrt(np.outer(raw.diagonal(), raw.diagonal()))


def dots(one, other):
    return (one.double() @ other.double().T).numpy()


@pytest.mark.parametrize("iterations", [0, 1, 3])
def test_dot_products_are_the_normalised_kernel(iterations):
    toys = toy_graphs(labels=3)
    embedding = fit_quietly(WL(iterations=iterations), toys).embedding_
    np.testing.assert_allclose(dots(embedding, embedding), slow_kernel(toys, iterations), atol=1e-6)


def test_unseen_graphs_have_their_kernel_to_the_training_graphs():
    """Their unseen colours match nothing and still make them longer."""
    toys, others = toy_graphs(labels=3), toy_graphs(6, seed=5, labels=3)
    model = fit_quietly(WL(iterations=2), toys)
    found = model.transform(others)
    expected = slow_kernel([*toys, *others], 2)[12:, :12]
    np.testing.assert_allclose(dots(found, model.embedding_), expected, atol=1e-6)
    lengths = found.norm(dim=1)
    assert (lengths <= 1 + 1e-6).all() and (lengths < 0.99).any()


def test_a_graph_of_unseen_colours_alone_is_at_zero():
    model = fit_quietly(WL(), [nx.cycle_graph(3), nx.cycle_graph(5)])
    assert not model.transform([nx.complete_graph(6)]).any()


def test_equal_graphs_have_one_place():
    graphs = [nx.path_graph(4), nx.cycle_graph(6), nx.path_graph(4)]
    embedding = fit_quietly(WL(), graphs).embedding_
    assert embedding.size(1) == 2  # a dimension for each kind of graph, none for the repetition
    torch.testing.assert_close(embedding[0], embedding[2], rtol=0, atol=1e-6)


@pytest.mark.parametrize(("method", "kernel"), [(WL, "linear"), (DegreeHistogram, "rbf")])
def test_its_own_kernel_suits_it(method, kernel):
    """And one that was asked for stays as it is."""
    assert GraphClassification().suited_to(method).kernel == kernel
    for asked in ("linear", "rbf"):
        assert GraphClassification(kernel=asked).suited_to(method).kernel == asked


def test_results_say_that_it_was_judged_by_its_own_kernel():
    toys = toy_graphs(20)
    experiment = Experiment(task="graph-classification", methods=("wl",), seeds=(0,))
    (result,) = evaluate(toys, experiment, progress=False)
    assert result.config["task"]["kernel"] == "linear"
    task = GraphClassification(kernel="linear")
    split = task.split(toys, task.protocol(None, toys), 0)
    expected = task.evaluate(fit_quietly(WL(), toys).embedding_, toys, split, 0)
    assert {name: values[0] for name, values in result.values.items()} == expected


def test_mutag(data_root):
    graphs = load("mutag", data_root=data_root)
    embedding = fit_quietly(WL(iterations=2), graphs).embedding_
    np.testing.assert_allclose(dots(embedding, embedding), slow_kernel(graphs, 2), atol=1e-6)
