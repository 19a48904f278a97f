"""What every self-supervised node-level method keeps to; a new one is found here by itself.

The contract of the supervised ones is in ``test_supervised.py``.
"""

import os
import signal
import warnings
from dataclasses import dataclass
from typing import ClassVar, get_args

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
import torch
from sklearn.base import clone
from torch import nn
from torch_geometric.data import Data

from graphrank import load
from graphrank.errors import ConfigError, DataError, GraphRankError, ModelError
from graphrank.methods.base import Method
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import option_rows
from graphrank.methods.registry import METHODS, load_model, make_method
from graphrank.methods.supervised import SupervisedMethod
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.scaling import FeatureScalingName
from graphrank.training.collapse import CollapseWarning
from graphrank.training.loop import Run
from tests.conftest import toy_graph

# Small settings for a quick fit; a method that is not named here runs with its defaults.
SMALL = {
    "graphrank": {"channels": 16, "epochs": 3},
    "grace": {"channels": 16, "projector": 8, "epochs": 3},
    "gca": {"channels": 16, "projector": 8, "epochs": 3},
    "dgi": {"channels": 16, "epochs": 3},
    # Sub-graphs smaller than the toys, and the sparse diffusion on the larger ones.
    "mvgrl": {"channels": 16, "epochs": 3, "sample": 20, "dense_limit": 25, "top_k": 5},
    "bgrl": {"channels": 16, "hidden_channels": 16, "predictor_channels": 16, "epochs": 3},
    "cca-ssg": {"channels": 16, "hidden_channels": 16, "epochs": 3},
    "graphmae": {"channels": 16, "epochs": 3},
    "can": {"hidden_channels": 16, "channels": 8, "epochs": 3},
    "sig-vae": {"channels": 8, "draws": 2, "mixture": 2, "epochs": 3},
    "seegera": {"hidden_channels": 16, "channels": 8, "epochs": 3},
    "untrained": {"channels": 16},
    "smoothing": {"rank": 8},
}
NODE_METHODS = [
    name
    for name, method in METHODS.items()
    if method.info.level == "node" and not issubclass(method, SupervisedMethod)
]
# Those that run the shared training loop: a control may inherit it and leave it out.
TRAINED = [
    name
    for name in NODE_METHODS
    if issubclass(METHODS[name], TrainedMethod) and METHODS[name].learn is TrainedMethod.learn
]

every_method = pytest.mark.parametrize("name", NODE_METHODS)
every_trained = pytest.mark.parametrize("name", TRAINED)


def make(name, **settings):
    return METHODS[name](**{**SMALL.get(name, {}), **settings})


def fit(name, data, **settings):
    """Fit on a toy; collapse is no matter here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CollapseWarning)
        return make(name, **settings).fit(data)


def without_edges(data):
    return Data(x=data.x, edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=data.num_nodes)


@every_method
def test_fit_transform(name, toy):
    model = fit(name, toy)
    embedding = model.embedding_
    assert embedding.dim() == 2 and embedding.size(0) == toy.num_nodes
    assert embedding.dtype == torch.float32 and not embedding.requires_grad
    assert torch.isfinite(embedding).all()
    assert torch.equal(model.transform(toy), embedding)
    assert torch.equal(make(name).fit_transform(toy), embedding)
    assert model.fit(toy) is model


@every_method
def test_same_seed_same_bits_and_no_trace_in_the_random_state(name, toy):
    torch.manual_seed(123)
    np.random.seed(5)
    before, numpy_before = torch.get_rng_state(), np.random.get_state()[1].copy()
    first = fit(name, toy).embedding_
    assert torch.equal(torch.get_rng_state(), before)
    assert np.array_equal(np.random.get_state()[1], numpy_before)
    torch.manual_seed(321)
    assert torch.equal(fit(name, toy).embedding_, first)


@every_trained
def test_another_seed_another_embedding(name, toy):
    assert not torch.allclose(fit(name, toy, seed=0).embedding_, fit(name, toy, seed=1).embedding_)


@every_trained
def test_training_trains(name, toy):
    model = fit(name, toy)
    assert model.history_.epochs == len(model.history_.seconds) == model.epochs > 0
    assert model.history_.stopped == "epochs"
    assert np.isfinite(model.history_.loss).all()
    assert not torch.allclose(model.embedding_, fit(name, toy, epochs=0).embedding_)


@every_method
def test_save_and_load_to_the_bit(name, toy, tmp_path):
    model = fit(name, toy)
    model.save(tmp_path / "model")
    for read in (load_model(tmp_path / "model"), METHODS[name].load(tmp_path / "model")):
        assert type(read) is METHODS[name]
        assert read.get_params() == model.get_params()
        assert read.history_ == model.history_
        assert torch.equal(read.transform(toy), model.embedding_)
    with pytest.raises(GraphRankError, match="exists already"):
        model.save(tmp_path / "model")
    model.save(tmp_path / "model", overwrite=True)
    assert torch.equal(load_model(tmp_path / "model").transform(toy), model.embedding_)


@every_method
def test_run_with_a_directory_leaves_a_model_there(name, toy, tmp_path):
    model = make(name).fit(toy, run=Run(directory=tmp_path / "run"))
    assert torch.equal(load_model(tmp_path / "run").transform(toy), model.embedding_)
    assert {file.suffix for file in (tmp_path / "run").iterdir()} == {".json", ".safetensors"}


@every_trained
@pytest.mark.parametrize("stop_at", [1, 2, 3])
def test_interrupted_and_resumed_to_the_bit(name, toy, tmp_path, stop_at):
    def interrupt(epoch, _):
        if epoch == stop_at:
            os.kill(os.getpid(), signal.SIGINT)

    whole = make(name, epochs=4).fit(toy, run=Run(directory=tmp_path / "whole"))
    with pytest.raises(KeyboardInterrupt):
        make(name, epochs=4).fit(toy, run=Run(directory=tmp_path / "cut", on_epoch=interrupt))
    assert load_model(tmp_path / "cut").history_.epochs == stop_at
    resumed = make(name, epochs=4).fit(toy, run=Run(directory=tmp_path / "cut", resume=True))
    assert torch.equal(resumed.embedding_, whole.embedding_)
    assert resumed.history_.loss == whole.history_.loss
    stored, expected = load_model(tmp_path / "cut"), load_model(tmp_path / "whole")
    for key, value in expected.module_.state_dict().items():
        assert torch.equal(stored.module_.state_dict()[key], value)


@every_method
def test_isolated_nodes_one_node_no_edges(name, toy):
    isolated = fit(name, without_edges(toy)).embedding_
    assert isolated.shape[0] == toy.num_nodes and torch.isfinite(isolated).all()
    single = Data(x=toy.x[:1], edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=1)
    alone = fit(name, single).embedding_
    assert alone.shape[0] == 1 and torch.isfinite(alone).all()


@every_method
def test_constant_columns_and_nodes_without_features(name, toy):
    toy.x[:, :4] = 3.0
    toy.x[:, 4:8] = 0.0
    toy.x[:5] = 0.0
    assert torch.isfinite(fit(name, toy).embedding_).all()


# Scaling is shared by all methods: one that hands features on as they are shows each of its values.
@pytest.mark.parametrize(
    ("name", "settings"),
    [(name, {}) for name in NODE_METHODS]
    + [("raw-features", {"scale_features": value}) for value in get_args(FeatureScalingName)],
)
@pytest.mark.parametrize("share", [0.05, 0.5])
def test_sparse_and_dense_features_give_the_same(name, toy, share, settings):
    """Counts of words: larger than one, stored either way."""
    random = torch.Generator().manual_seed(0)
    drawn = torch.rand(toy.num_nodes, 60, generator=random) < share
    toy.x = drawn * torch.randint(1, 5, drawn.shape, generator=random).float()
    dense = fit(name, toy, **settings).embedding_
    toy.x = toy.x.to_sparse_csr()
    sparse = fit(name, toy, **settings).embedding_
    torch.testing.assert_close(sparse, dense, rtol=1e-3, atol=1e-3)


# SIG-VAE draws noise for each row while it encodes: a node with another number gets another draw.
@pytest.mark.parametrize("name", [name for name in NODE_METHODS if name != "sig-vae"])
def test_renumbering_the_nodes_renumbers_the_embedding(name, toy):
    """The same graph with its nodes in another order, after a fit to the first one."""
    model = fit(name, toy)
    order = torch.randperm(toy.num_nodes, generator=torch.Generator().manual_seed(0))
    moved = Data(x=toy.x[order], edge_index=order.argsort()[toy.edge_index])
    expected = model.embedding_[order]
    assert not torch.allclose(model.embedding_, expected, atol=1e-2)
    torch.testing.assert_close(model.transform(moved), expected, rtol=1e-4, atol=1e-5)


@every_method
def test_labels_never_reach_the_method(name, toy):
    """Neither the labels nor the masks change a bit of the embedding."""
    clean = fit(name, Data(x=toy.x, edge_index=toy.edge_index, num_nodes=toy.num_nodes)).embedding_
    order = torch.randperm(toy.num_nodes, generator=torch.Generator().manual_seed(0))
    for y in (toy.y[order], torch.full_like(toy.y, 10**6), torch.zeros_like(toy.y)):
        poisoned = toy.clone()
        poisoned.y = y
        for mask in ("train_mask", "val_mask", "test_mask"):
            poisoned[mask] = torch.rand(toy.num_nodes) < 0.5
        assert torch.equal(fit(name, poisoned).embedding_, clean)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CollapseWarning)
            assert torch.equal(make(name).fit_transform(toy, y), clean)


@every_method
def test_given_data_is_not_modified(name, toy):
    before = toy.clone()
    fit(name, toy).transform(toy)
    assert set(toy.keys()) == set(before.keys())
    for key, value in before.items():
        assert torch.equal(toy[key], value) if isinstance(value, torch.Tensor) else True
    assert toy.num_nodes == before.num_nodes


@every_method
def test_unseen_nodes(name, toy):
    if not METHODS[name].info.inductive:
        pytest.skip("it embeds the nodes of its training alone")
    model = fit(name, toy)
    other = toy_graph(seed=9, size=20)
    embedding = model.transform(other)
    assert embedding.shape == (other.num_nodes, model.embedding_.size(1))
    assert torch.isfinite(embedding).all()
    assert torch.equal(model.transform(other), embedding)


@every_method
def test_another_number_of_features_is_refused(name, toy):
    model = fit(name, toy)
    with pytest.raises(ModelError, match="trained on 16 features and this graph has 5"):
        model.transform(toy_graph(features=5))


@every_method
def test_feature_columns_are_known_by_their_names(name, toy):
    """In another order they are the same features; of other names they are others."""
    toy.feature_names = [f"f{i}" for i in range(16)]
    model = fit(name, toy)
    order = torch.randperm(16, generator=torch.Generator().manual_seed(0)).tolist()
    turned = toy.clone()
    turned.x = toy.x[:, order]
    turned.feature_names = [f"f{i}" for i in order]
    assert torch.equal(model.transform(turned), model.embedding_)
    other = toy.clone()
    other.feature_names = ["g0", *toy.feature_names[1:]]
    with pytest.raises(ModelError, match=r"lacks 1 of the model's 16 feature columns \(f0\)"):
        model.transform(other)
    del other.feature_names
    assert torch.equal(model.transform(other), model.embedding_)


@every_method
def test_networkx_scipy_path_and_name(name, toy, tmp_path):
    graph = nx.Graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("e", "a")])
    assert fit(name, graph).embedding_.shape[0] == 5
    ends = toy.edge_index.numpy()
    matrix = sp.coo_array((np.ones(ends.shape[1]), ends), shape=(toy.num_nodes,) * 2)
    from_matrix = fit(name, load(matrix, features=toy.x.numpy()))
    torch.testing.assert_close(from_matrix.embedding_, fit(name, toy).embedding_)
    file = tmp_path / "edges.csv"
    file.write_text("source,target\n" + "".join(f"{a},{b}\n" for a, b in graph.edges))
    torch.testing.assert_close(fit(name, file).embedding_, fit(name, str(file)).embedding_)
    assert fit(name, "karate").embedding_.shape[0] == 34


@every_method
def test_a_set_of_graphs_is_refused(name, toy):
    with pytest.raises(DataError, match="set of 2 graphs"):
        make(name).fit([toy, toy])


@every_method
def test_scikit_learn_habits(name, toy):
    model = make(name, seed=3)
    copy = clone(model)
    assert copy is not model and type(copy) is type(model)
    assert copy.get_params() == model.get_params()
    assert model.set_params(seed=7) is model and model.get_params()["seed"] == 7
    assert type(model).__name__ in repr(model) and "seed=7" in repr(model)
    rebuilt = type(model)(**model.get_params())
    assert rebuilt.get_params() == model.get_params()
    fitted = fit(name, toy)
    assert not hasattr(clone(fitted), "embedding_")


@every_method
def test_repr_shows_only_what_was_changed(name):
    assert repr(METHODS[name]()) == f"{METHODS[name].__name__}()"


@every_method
def test_options_are_checked(name):
    model = make(name)
    before = model.get_params()
    with pytest.raises(ConfigError, match="did you mean 'seed'"):
        model.set_params(seeed=1)
    with pytest.raises(ConfigError, match="seed=-1 is out of range; seed is at least 0"):
        model.set_params(device="cpu", seed=-1)
    with pytest.raises(ConfigError, match="out of range"):
        METHODS[name](seed=-1)
    with pytest.raises(ConfigError, match="seed takes int, not 'one'"):
        METHODS[name](seed="one")
    with pytest.raises(ConfigError, match="preset"):
        METHODS[name].from_preset("papper")
    assert model.get_params() == before


@every_method
def test_every_option_is_described_and_its_default_fits(name):
    for row in option_rows(METHODS[name]).values():
        assert row.option.help
        assert row.kind_name
        row.check(row.default)


@every_method
def test_every_preset_is_valid(name):
    for preset, options in METHODS[name].presets.items():
        model = make_method(name, preset, {"seed": 5})
        assert {key: getattr(model, key) for key in options} == dict(options)
        assert model.seed == 5


@every_method
def test_not_fitted_yet(name, toy, tmp_path):
    with pytest.raises(ModelError, match="not fitted yet"):
        make(name).transform(toy)
    with pytest.raises(ModelError, match="not fitted yet"):
        make(name).save(tmp_path / "model")
    assert not (tmp_path / "model").exists()


@every_method
def test_facts_for_the_list_are_there(name):
    info = METHODS[name].info
    assert info.name == name == name.lower()
    assert info.title and info.family and info.paper
    assert info.time.startswith("O(") and info.memory.startswith("O(")


def test_a_method_sees_nothing_but_features_and_structure(toy):
    """Whatever a method could hold on to, labels are not among it."""
    seen = []

    @dataclass(kw_only=True, eq=False, repr=False)
    class Spy(Method[nn.Module]):
        info: ClassVar[MethodInfo] = MethodInfo("spy", "Spy", "node", "x", "none", "O(1)", "O(1)")

        def build(self, num_features):
            return nn.Module()

        def encode(self, module, graph):
            seen.append(graph)
            return graph.features.to_dense()

    toy.train_mask = torch.ones(toy.num_nodes, dtype=torch.bool)
    Spy().fit(toy)
    assert set(vars(seen[0])) == {"features", "adjacency"}


def test_a_method_that_draws_while_it_encodes_repeats_and_leaves_no_trace(toy):
    @dataclass(kw_only=True, eq=False, repr=False)
    class Noisy(Method[nn.Module]):
        info: ClassVar[MethodInfo] = MethodInfo("n", "Noisy", "node", "x", "none", "O(1)", "O(1)")

        def build(self, num_features):
            return nn.Module()

        def encode(self, module, graph):
            assert not module.training and not torch.is_grad_enabled()
            return graph.features.to_dense() + torch.rand(graph.num_nodes, graph.num_features)

    model = Noisy().fit(toy)
    before = torch.get_rng_state()
    assert torch.equal(model.transform(toy), model.embedding_)
    assert torch.equal(torch.get_rng_state(), before)
    assert not torch.equal(Noisy(seed=1).fit(toy).embedding_, model.embedding_)


def test_structural_features_of_another_graph_are_warned_of(caplog):
    model = fit("smoothing", nx.path_graph(40))
    model.transform(nx.path_graph(40))
    assert "structural" not in caplog.text
    model.transform(nx.cycle_graph(40))
    assert "structural features of another graph" in caplog.text


def test_load_refuses_a_model_of_another_method(toy, tmp_path):
    fit("smoothing", toy).save(tmp_path / "model")
    with pytest.raises(ModelError, match="holds a model of 'smoothing', not of 'raw-features'"):
        METHODS["raw-features"].load(tmp_path / "model")


@every_method
def test_directions_reach_the_method(name, toy):
    """A method that looks at edges embeds a directed graph as what it is."""
    half = toy.edge_index[:, toy.edge_index[0] < toy.edge_index[1]]
    given = Data(x=toy.x, edge_index=half, num_nodes=toy.num_nodes)
    directed = load(given, directed=True)
    model = fit(name, directed)
    assert torch.isfinite(model.embedding_).all()
    assert torch.equal(model.transform(directed), model.embedding_)
    if name == "raw-features":
        return
    assert not torch.allclose(model.embedding_, fit(name, load(given)).embedding_)
