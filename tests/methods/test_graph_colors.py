"""What the methods on Weisfeiler-Leman colours share, seen through the kernel."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
import torch

from graphrank.errors import ModelError
from graphrank.methods.wl import WL
from tests.methods.test_graph_contract import toy_graphs
from tests.methods.training_steps import fit_quietly


def fit(data, **settings):
    return fit_quietly(WL(**settings), data)


def kernel(data, **settings):
    embedding = fit(data, **settings).embedding_.double()
    return (embedding @ embedding.T).numpy()


def one_hot(labels):
    return torch.nn.functional.one_hot(labels).float()


def test_node_labels_come_before_features_and_degrees():
    toys = toy_graphs(labels=3)
    labelled = kernel(toys)
    noise = torch.randn(toys.num_nodes, 2, generator=torch.Generator().manual_seed(0))
    np.testing.assert_allclose(kernel(replace(toys, x=noise)), labelled, atol=1e-6)
    by_degree = kernel(toys, labels="degree")
    assert not np.allclose(by_degree, labelled)
    np.testing.assert_allclose(kernel(replace(toys, node_label=None)), by_degree, atol=1e-6)


@pytest.mark.parametrize("layout", ["dense", "sparse"])
def test_one_hot_features_are_labels(layout):
    """As PyG's loaders give them."""
    toys = toy_graphs(labels=12)
    x = one_hot(toys.node_label)
    given = replace(toys, node_label=None, x=x if layout == "dense" else x.to_sparse_csr())
    np.testing.assert_allclose(kernel(given), kernel(toys), atol=1e-6)


def test_other_features_are_no_labels():
    toys = toy_graphs(features=3)
    bare = replace(toys, x=None)
    np.testing.assert_allclose(kernel(toys), kernel(bare), atol=1e-6)


def test_constant_labels_know_no_degrees_before_the_first_round():
    graphs = [nx.path_graph(4), nx.cycle_graph(4), nx.star_graph(3)]
    assert np.allclose(kernel(graphs, labels="constant", iterations=0), 1)
    after_one = kernel(graphs, labels="constant", iterations=1)
    # One colour for all four nodes, and then the degrees of each.
    np.testing.assert_allclose(
        after_one[0, 1], (16 + 2 * 4) / np.sqrt((16 + 8) * (16 + 16)), rtol=1e-5
    )


def test_degrees_are_not_capped():
    """Features put high degrees into one column; colours keep them apart."""
    stars = [nx.star_graph(leaves) for leaves in (450, 460)]
    found = kernel(stars, iterations=0)
    np.testing.assert_allclose(found[0, 1], 450 * 460 / np.sqrt((450**2 + 1) * (460**2 + 1)))
    model = fit(stars[:1], iterations=0)
    row = model.transform(stars[1:])[0]
    assert float(row @ model.embedding_[0]) == pytest.approx(found[0, 1], rel=1e-5)


def test_a_new_set_needs_the_labels_that_the_model_was_trained_on():
    toys = toy_graphs(labels=3)
    x = one_hot(toys.node_label)
    model = fit(replace(toys, node_label=None, x=x))
    with pytest.raises(ModelError, match=r"trained on node labels.*give every node one label"):
        model.transform(replace(toys, node_label=None, x=0.5 * x))
    labelled = fit(toys)
    with pytest.raises(ModelError, match="trained on node labels and toys has none"):
        labelled.transform(replace(toys, node_label=None, x=x))
