"""What every self-supervised graph-level method keeps to; a new one is found here by itself.

The contract of the supervised ones is in ``test_graph_supervised.py``.
"""

import os
import signal
import warnings
from dataclasses import replace
from typing import get_args

import networkx as nx
import numpy as np
import pytest
import torch
from sklearn.base import clone
from torch_geometric.data import Data

from graphrank.data import GraphSet, load, pack
from graphrank.errors import ConfigError, DataError, ModelError
from graphrank.methods.graph_level import GraphLevelMethod, TrainedGraphMethod
from graphrank.methods.options import option_rows
from graphrank.methods.registry import GRAPH_CONTROLS, METHODS, load_model, make_method
from graphrank.methods.supervised import SupervisedMethod
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.scaling import FeatureScalingName
from graphrank.training.collapse import CollapseWarning
from graphrank.training.loop import Run

# Small settings for a quick fit; a method that is not named here runs with its defaults.
SMALL = {
    "graphrank-graph": {"channels": 8, "num_layers": 2, "epochs": 3, "batch_graphs": 5},
    "gcc": {"channels": 8, "num_layers": 2, "epochs": 3, "samples": 8, "steps": 8},
    "mvgrl-graph": {"channels": 8, "num_layers": 2, "epochs": 3, "batch_graphs": 5},
    "bgrl-graph": {"channels": 8, "num_layers": 2, "epochs": 3, "batch_graphs": 5},
    "graphmae-graph": {"channels": 8, "num_layers": 2, "epochs": 3, "batch_graphs": 5},
    "infograph": {"channels": 8, "num_layers": 2, "epochs": 3, "batch_graphs": 5},
    "graphcl": {"channels": 8, "num_layers": 2, "epochs": 3, "batch_graphs": 5},
    "joao": {"channels": 8, "num_layers": 2, "epochs": 3, "batch_graphs": 5},
    "infogcl": {"channels": 8, "num_layers": 2, "epochs": 3, "batch_graphs": 5},
    "dgk": {"channels": 8, "epochs": 3, "batch_graphs": 5},
    "graph2vec": {"channels": 8, "epochs": 3, "batch_graphs": 5},
    "untrained-gin": {"channels": 8, "num_layers": 2},
}
GRAPH_METHODS = [
    name
    for name, method in METHODS.items()
    if method.info.level == "graph" and not issubclass(method, SupervisedMethod)
]
# Those that run the shared training loop: a control may inherit it and leave it out.
TRAINED = [
    name
    for name in GRAPH_METHODS
    if issubclass(METHODS[name], TrainedMethod) and METHODS[name].learn is TrainedMethod.learn
]

# Those that look at structure alone: they take graphs with any features, or with none.
STRUCTURAL = ("gcc",)

every_method = pytest.mark.parametrize("name", GRAPH_METHODS)
every_trained = pytest.mark.parametrize("name", TRAINED)


def toy_graphs(count=12, seed=0, features=None, labels=None):
    """Rings and random trees in turn, of three to nine nodes."""
    random = np.random.default_rng(seed)
    graphs = []
    for place in range(count):
        size = int(random.integers(3, 10))
        parents = [(node, int(random.integers(0, node))) for node in range(1, size)]
        ring = [(node, (node + 1) % size) for node in range(size)]
        ends = torch.tensor(ring if place % 2 else parents).T
        graph = Data(edge_index=ends, y=torch.tensor([place % 2]), num_nodes=size)
        if features is not None:
            graph.x = torch.from_numpy(random.normal(size=(size, features)).astype(np.float32))
        if labels is not None:
            graph.node_label = torch.from_numpy(random.integers(0, labels, size))
        graphs.append(graph)
    if labels is not None:
        graphs[0].node_label[:] = labels - 1  # so that every set of these has as many columns
    return pack(graphs, "toys")


@pytest.fixture
def toys():
    return toy_graphs()


def make(name, **settings):
    return METHODS[name](**{**SMALL.get(name, {}), **settings})


def fit(name, data, **settings):
    """Fit on toys; collapse is no matter here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CollapseWarning)
        return make(name, **settings).fit(data)


def test_the_registry_names_the_controls():
    controls = [name for name in GRAPH_METHODS if METHODS[name].info.family == "control"]
    assert set(GRAPH_CONTROLS) == set(controls)


@every_method
def test_they_share_one_contract(name):
    assert issubclass(METHODS[name], GraphLevelMethod)
    assert issubclass(METHODS[name], TrainedGraphMethod) or name not in TRAINED


@every_method
def test_fit_transform(name, toys):
    model = fit(name, toys)
    embedding = model.embedding_
    assert embedding.dim() == 2 and embedding.size(0) == len(toys)
    assert embedding.dtype == torch.float32 and not embedding.requires_grad
    assert torch.isfinite(embedding).all()
    assert torch.equal(model.transform(toys), embedding)
    assert torch.equal(fit(name, toys).embedding_, embedding)


@every_method
def test_no_trace_in_the_random_state(name, toys):
    torch.manual_seed(123)
    np.random.seed(5)
    before, numpy_before = torch.get_rng_state(), np.random.get_state()[1].copy()
    first = fit(name, toys).embedding_
    assert torch.equal(torch.get_rng_state(), before)
    assert np.array_equal(np.random.get_state()[1], numpy_before)
    torch.manual_seed(321)
    assert torch.equal(fit(name, toys).embedding_, first)


@every_trained
def test_another_seed_another_embedding(name, toys):
    one, other = (fit(name, toys, seed=seed).embedding_ for seed in (0, 1))
    assert not torch.allclose(one, other)


@every_trained
def test_training_trains(name, toys):
    model = fit(name, toys)
    assert model.history_.epochs == model.epochs > 0
    assert np.isfinite(model.history_.loss).all()
    assert not torch.allclose(model.embedding_, fit(name, toys, epochs=0).embedding_)


@every_method
def test_rows_are_in_the_order_of_the_set(name, toys):
    """Whatever the batches: a graph's embedding is its own."""
    model = fit(name, toys)
    alone = torch.cat([model.transform([graph]) for graph in toys])
    torch.testing.assert_close(alone, model.embedding_, rtol=1e-4, atol=1e-5)
    for batch_nodes in (1, 15):
        model.set_params(batch_nodes=batch_nodes)
        torch.testing.assert_close(model.transform(toys), model.embedding_, rtol=1e-4, atol=1e-5)


@every_method
def test_renumbering_the_nodes_changes_nothing(name, toys):
    model = fit(name, toys)
    random = torch.Generator().manual_seed(0)
    moved = []
    for graph in toys:
        order = torch.randperm(graph.num_nodes, generator=random)
        moved.append(Data(edge_index=order[graph.edge_index], num_nodes=graph.num_nodes))
    torch.testing.assert_close(model.transform(moved), model.embedding_, rtol=1e-4, atol=1e-5)


@every_method
@pytest.mark.parametrize("kind", [{"features": 4}, {"labels": 3}, {}])
def test_save_and_load_to_the_bit(name, kind, tmp_path):
    """With what the features are made of: an unseen set gets the same columns."""
    toys, others = toy_graphs(**kind), toy_graphs(5, seed=7, **kind)
    model = fit(name, toys)
    model.save(tmp_path / "model")
    for read in (load_model(tmp_path / "model"), METHODS[name].load(tmp_path / "model")):
        assert type(read) is METHODS[name]
        assert read.get_params() == model.get_params() and read.history_ == model.history_
        assert torch.equal(read.transform(toys), model.embedding_)
        assert torch.equal(read.transform(others), model.transform(others))


@every_trained
@pytest.mark.parametrize("stop_at", [1, 3])
def test_interrupted_and_resumed_to_the_bit(name, toys, tmp_path, stop_at):
    def interrupt(epoch, _):
        if epoch == stop_at:
            os.kill(os.getpid(), signal.SIGINT)

    whole = make(name, epochs=4).fit(toys, run=Run(directory=tmp_path / "whole"))
    with pytest.raises(KeyboardInterrupt):
        make(name, epochs=4).fit(toys, run=Run(directory=tmp_path / "cut", on_epoch=interrupt))
    resumed = make(name, epochs=4).fit(toys, run=Run(directory=tmp_path / "cut", resume=True))
    assert torch.equal(resumed.embedding_, whole.embedding_)
    assert resumed.history_.loss == whole.history_.loss


@every_trained
def test_resuming_on_another_set_is_refused(name, toys, tmp_path):
    make(name).fit(toys, run=Run(directory=tmp_path / "run"))
    with pytest.raises(ConfigError, match="was on another graph"):
        make(name).fit(toy_graphs(seed=3), run=Run(directory=tmp_path / "run", resume=True))


@every_method
def test_isolated_nodes_one_node_one_graph(name):
    lone = Data(edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=1)
    apart = Data(edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=4)
    for graphs in ([lone], [lone, apart], [apart, nx.path_graph(3)]):
        embedding = fit(name, graphs).embedding_
        assert embedding.size(0) == len(graphs) and torch.isfinite(embedding).all()


@every_method
def test_a_graph_larger_than_a_batch(name, toys):
    embedding = fit(name, toys, batch_nodes=4).embedding_
    assert embedding.size(0) == len(toys) and torch.isfinite(embedding).all()


@every_method
@pytest.mark.parametrize("scale_features", get_args(FeatureScalingName))
def test_sparse_and_dense_features_give_the_same(name, scale_features):
    toys = toy_graphs(features=60)
    random = torch.Generator().manual_seed(0)
    x = toys.x * (torch.rand(toys.x.shape, generator=random) < 0.05)
    dense = fit(name, replace(toys, x=x), scale_features=scale_features).embedding_
    sparse = fit(name, replace(toys, x=x.to_sparse_csr()), scale_features=scale_features)
    torch.testing.assert_close(sparse.embedding_, dense, rtol=1e-3, atol=1e-3)


@every_method
def test_classes_never_reach_the_method(name, toys):
    clean = fit(name, replace(toys, y=None)).embedding_
    for y in (toys.y.flip(0), torch.full_like(toys.y, 10**6), torch.zeros_like(toys.y)):
        assert torch.equal(fit(name, replace(toys, y=y)).embedding_, clean)


@every_method
def test_given_data_is_not_modified(name):
    toys = toy_graphs(features=3)
    before = {key: getattr(toys, key).clone() for key in ("x", "edge_index", "ptr", "y")}
    fit(name, toys).transform(toys)
    for key, value in before.items():
        assert torch.equal(getattr(toys, key), value)


@every_method
def test_lists_paths_and_names(name, toys, tmp_path):
    listed = fit(name, list(toys))
    assert torch.equal(listed.embedding_, fit(name, toys).embedding_)
    assert fit(name, [nx.path_graph(3), nx.cycle_graph(4)]).embedding_.size(0) == 2
    file = tmp_path / "mine.jsonl"
    file.write_text('{"edges": [[0, 1]]}\n{"edges": [[0, 1], [1, 2]]}\n')
    for source in (file, str(file)):
        assert fit(name, source).embedding_.size(0) == 2


@every_method
def test_one_graph_is_refused(name):
    for source in ("karate", nx.path_graph(4)):
        with pytest.raises(DataError, match="is one graph and this method embeds whole graphs"):
            make(name).fit(source)


@every_method
def test_an_empty_graph_is_refused(name, toys):
    ptr = torch.cat([toys.ptr, toys.ptr[-1:]])
    with pytest.raises(DataError, match="graph 12 of toys is empty"):
        make(name).fit(GraphSet("toys", toys.edge_index, ptr))
    nothing = Data(edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=0)
    with pytest.raises(DataError, match="graph 1 of graphs is an empty graph"):
        make(name).fit([toys[0], nothing])


@pytest.mark.parametrize("name", [name for name in GRAPH_METHODS if name not in STRUCTURAL])
def test_features_that_do_not_fit_are_refused(name):
    model = fit(name, toy_graphs(features=4))
    with pytest.raises(ModelError, match="trained on 4 features and toys has 5"):
        model.transform(toy_graphs(features=5))
    with pytest.raises(ModelError, match="trained on 4 node features and toys has none"):
        model.transform(toy_graphs())
    labelled = fit(name, toy_graphs(labels=3))
    with pytest.raises(ModelError, match="node label '4', which the model has not seen"):
        labelled.transform(toy_graphs(labels=5))


@every_method
def test_scikit_learn_habits(name, toys):
    model = make(name, seed=3)
    assert clone(model).get_params() == model.get_params()
    assert not hasattr(clone(fit(name, toys)), "embedding_")
    assert repr(METHODS[name]()) == f"{METHODS[name].__name__}()"
    with pytest.raises(ModelError, match="not fitted yet"):
        make(name).transform(toys)


@every_method
def test_facts_and_options(name):
    info = METHODS[name].info
    assert info.name == name == name.lower()
    assert info.title and info.family and info.paper
    assert info.time.startswith("O(") and info.memory.startswith("O(")
    for row in option_rows(METHODS[name]).values():
        assert row.option.help and row.kind_name
        row.check(row.default)
    for preset, options in METHODS[name].presets.items():
        model = make_method(name, preset)
        assert {key: getattr(model, key) for key in options} == dict(options)


@pytest.mark.parametrize("name", GRAPH_METHODS)
def test_on_published_graphs(name, data_root):
    graphs = load("mutag", data_root=data_root)
    assert fit(name, graphs, **({"epochs": 1} if name in TRAINED else {})).embedding_.size(0) == 188
