"""What every supervised method of whole graphs keeps to; a new one is found here by itself."""

import os
import signal
from dataclasses import replace
from typing import get_args

import networkx as nx
import numpy as np
import pytest
import torch
from sklearn.base import clone
from torch_geometric.data import Data

from graphrank.data import load
from graphrank.data.graph_splits import GraphSplit
from graphrank.errors import ConfigError, DataError, ModelError
from graphrank.methods.graph_supervised import SupervisedGraphMethod
from graphrank.methods.options import option_rows
from graphrank.methods.registry import METHODS, load_model, make_method
from graphrank.nn.scaling import FeatureScalingName
from graphrank.training.loop import Run
from tests.methods.test_graph_contract import toy_graphs

SUPERVISED = [name for name, kind in METHODS.items() if issubclass(kind, SupervisedGraphMethod)]
SMALL = {
    "gin": {"channels": 8, "num_layers": 3, "epochs": 3, "steps": 2, "batch_graphs": 5},
    "diffpool": {"channels": 8, "num_layers": 2, "epochs": 3, "batch_graphs": 5, "poolings": 2}
    | {"assign_ratio": 0.6},
}

every_method = pytest.mark.parametrize("name", SUPERVISED)


@pytest.fixture
def toys():
    return toy_graphs(18)


def split_of(graphs):
    """A third of the graphs each, with both classes in every part."""
    train, val, test = torch.arange(len(graphs)).split(len(graphs) // 3)
    return GraphSplit(train, val, test)


def make(name, **settings):
    return METHODS[name](**{**SMALL[name], **settings})


def fit(name, graphs, y=None, split=None, run=None, **settings):
    y = graphs.y if y is None else y
    return make(name, **settings).fit(graphs, y, split or split_of(graphs), run=run)


def same_bits(one, other, graphs):
    return (
        torch.equal(one.predict_proba(graphs), other.predict_proba(graphs))
        and torch.equal(one.prediction_, other.prediction_)
        and one.history_.loss == other.history_.loss
        and one.history_.validation_loss == other.history_.validation_loss
    )


def test_they_are_in_the_registry_and_say_what_they_are():
    assert set(SUPERVISED) == {"gin", "diffpool"}
    for name, kind in METHODS.items():
        of_graphs = kind.info.family == "supervised" and kind.info.level == "graph"
        assert of_graphs is (name in SUPERVISED)


@every_method
def test_fit_and_predict(name, toys):
    model = make(name)
    assert model.fit(toys, toys.y, split_of(toys)) is model
    assert model.prediction_.shape == (18,) and model.prediction_.dtype == torch.int64
    assert torch.equal(model.predict(toys), model.prediction_)
    chances = model.predict_proba(toys)
    assert chances.shape == (18, 2) and not chances.requires_grad
    torch.testing.assert_close(chances.sum(dim=1), torch.ones(18))
    assert torch.equal(model.classes_[chances.argmax(dim=1)], model.prediction_)
    assert model.history_.epochs == len(model.history_.validation_loss) == 3
    assert torch.equal(model.predict(list(toys)), model.prediction_)


@every_method
def test_it_learns(name):
    """Rings from trees, which their numbers of edges tell apart."""
    toys = toy_graphs(60)
    split = GraphSplit(*torch.arange(60).split(20))
    model = fit(name, toys, split=split, epochs=60, learning_rate=0.02)
    right = model.prediction_ == toys.y
    assert right[split.train].double().mean() > 0.9
    assert right[split.test].double().mean() > 0.8
    assert model.history_.loss[-1] < model.history_.loss[0]


@every_method
def test_same_seed_same_bits_and_no_trace_in_the_random_state(name, toys):
    torch.manual_seed(123)
    before = torch.get_rng_state()
    first = fit(name, toys)
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(321)
    assert same_bits(fit(name, toys), first, toys)
    assert not same_bits(fit(name, toys, seed=1), first, toys)


@every_method
def test_classes_of_test_graphs_change_no_bit(name, toys):
    """Whatever stands there: other classes, unknown ones, or none; within the set any at all."""
    split, clean = split_of(toys), fit(name, toys)
    for poison in (1 - toys.y[split.test], torch.full_like(split.test, 10**6), -1):
        y = toys.y.clone()
        y[split.test] = poison
        assert same_bits(fit(name, toys, y), clean, toys)
    assert same_bits(fit(name, replace(toys, y=None), toys.y), clean, toys)
    assert same_bits(fit(name, replace(toys, y=1 - toys.y), toys.y), clean, toys)


@every_method
def test_test_graphs_are_not_trained_on(name, toys):
    """Other edges there change what is said of them, and nothing else."""
    split = split_of(toys)
    graphs = list(toys)
    for place in split.test.tolist():
        size = graphs[place].num_nodes
        graphs[place] = Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=size)
    for graph in (graphs[0], *[graphs[place] for place in split.test.tolist()]):
        graph.y = torch.tensor([0])
    clean = fit(name, toys)
    other = make(name).fit(graphs, toys.y, split)
    assert other.history_.loss == clean.history_.loss
    assert other.history_.validation_loss == clean.history_.validation_loss
    seen = torch.cat([split.train, split.val])
    assert torch.equal(other.prediction_[seen], clean.prediction_[seen])


@every_method
def test_training_classes_are_learnt_from_and_validation_classes_looked_at(name, toys):
    split, clean = split_of(toys), fit(name, toys)
    y = toys.y.clone()
    y[split.train[0]] = 1 - y[split.train[0]]
    assert fit(name, toys, y).history_.loss != clean.history_.loss
    y = toys.y.clone()
    y[split.val[0]] = 1 - y[split.val[0]]
    looked = fit(name, toys, y)
    assert looked.history_.loss == clean.history_.loss
    assert looked.history_.validation_loss != clean.history_.validation_loss


@every_method
def test_graphs_without_a_class_take_no_part(name, toys):
    split = split_of(toys)
    y = toys.y.clone()
    y[split.train[:2]], y[split.val[:2]] = -1, -1
    fewer = GraphSplit(split.train[2:], split.val[2:], split.test)
    assert same_bits(fit(name, toys, y), fit(name, toys, split=fewer), toys)


@every_method
def test_classes_need_not_be_counted_from_zero(name, toys):
    plain, named = fit(name, toys), fit(name, toys, 7 + 5 * toys.y)
    assert named.classes_.tolist() == [7, 12]
    assert torch.equal(named.prediction_, 7 + 5 * plain.prediction_)
    assert torch.equal(fit(name, toys, toys.y.numpy()).prediction_, plain.prediction_)


@every_method
def test_the_validation_loss_is_the_cross_entropy_of_the_validation_graphs(name, toys):
    split, model = split_of(toys), fit(name, toys, epochs=1)
    chances = model.predict_proba(toys)
    chance = [float(chances[place, toys.y[place]]) for place in split.val.tolist()]
    assert model.history_.validation_loss == [pytest.approx(-np.log(chance).mean(), rel=1e-4)]
    right = [int(model.prediction_[place] == toys.y[place]) for place in split.val.tolist()]
    assert model.history_.validation_accuracy == [pytest.approx(np.mean(right))]


@every_method
def test_the_weights_of_the_best_validation_epoch_are_kept(name, toys):
    settings = {"stop": "none", "learning_rate": 0.03}
    model = fit(name, toys, epochs=12, **settings)
    history = model.history_
    assert history.epochs == 12 and history.stopped == "epochs"
    ranks = list(
        zip([-a for a in history.validation_accuracy], history.validation_loss, strict=True)
    )
    best = ranks.index(min(ranks)) + 1
    shorter = fit(name, toys, epochs=best, **settings)
    assert torch.equal(model.predict_proba(toys), shorter.predict_proba(toys))


@every_method
def test_the_scores_of_a_graph_are_its_own(name, toys):
    """Whatever else is in its batch, and however its nodes are numbered."""
    model = fit(name, toys)
    chances = model.predict_proba(toys)
    alone = torch.cat([model.predict_proba([graph]) for graph in toys])
    torch.testing.assert_close(alone, chances, rtol=1e-4, atol=1e-5)
    random = torch.Generator().manual_seed(0)
    moved = []
    for graph in toys:
        order = torch.randperm(graph.num_nodes, generator=random)
        moved.append(Data(edge_index=order[graph.edge_index], num_nodes=graph.num_nodes))
    torch.testing.assert_close(model.predict_proba(moved), chances, rtol=1e-4, atol=1e-5)
    model.set_params(batch_nodes=4)
    torch.testing.assert_close(model.predict_proba(toys), chances, rtol=1e-4, atol=1e-5)


@every_method
@pytest.mark.parametrize("kind", [{"features": 4}, {"labels": 3}, {}])
def test_save_and_load_to_the_bit(name, kind, tmp_path):
    toys, others = toy_graphs(18, **kind), toy_graphs(5, seed=7, **kind)
    model = fit(name, toys, 4 + 3 * toys.y)
    model.save(tmp_path / "model")
    for read in (load_model(tmp_path / "model"), METHODS[name].load(tmp_path / "model")):
        assert type(read) is METHODS[name] and read.get_params() == model.get_params()
        assert read.history_ == model.history_ and read.classes_.tolist() == [4, 7]
        assert torch.equal(read.predict_proba(toys), model.predict_proba(toys))
        assert torch.equal(read.predict(others), model.predict(others))


@every_method
@pytest.mark.parametrize("cut", [1, 4])
def test_interrupted_and_resumed_to_the_bit(name, toys, tmp_path, cut):
    def interrupt(epoch, _):
        if epoch == cut:
            os.kill(os.getpid(), signal.SIGINT)

    settings = {"epochs": 6, "learning_rate": 0.03, "stop": "none"}
    whole = fit(name, toys, run=Run(directory=tmp_path / "whole"), **settings)
    with pytest.raises(KeyboardInterrupt):
        fit(name, toys, run=Run(directory=tmp_path / "cut", on_epoch=interrupt), **settings)
    assert load_model(tmp_path / "cut").history_.epochs == cut
    again = Run(directory=tmp_path / "cut", resume=True)
    assert same_bits(fit(name, toys, run=again, **settings), whole, toys)
    assert torch.equal(load_model(tmp_path / "cut").predict(toys), whole.prediction_)


def test_a_run_on_other_classes_is_not_resumed(toys, tmp_path):
    fit("gin", toys, run=Run(directory=tmp_path / "run"))
    y = toys.y.clone()
    y[0] = 1 - y[0]
    with pytest.raises(ConfigError, match="was on another graph"):
        fit("gin", toys, y, run=Run(directory=tmp_path / "run", resume=True))


@every_method
def test_isolated_nodes_and_graphs_of_one_node(name):
    no_edges = torch.empty(2, 0, dtype=torch.long)
    graphs = [Data(edge_index=no_edges, num_nodes=1 + place % 3) for place in range(9)]
    y = torch.arange(9) % 2
    for batch_graphs in (1, 5):
        model = make(name, batch_graphs=batch_graphs).fit(
            graphs, y, GraphSplit(*torch.arange(9).split(3))
        )
        assert torch.isfinite(model.predict_proba(graphs)).all()


@every_method
def test_nodes_without_features(name):
    toys = toy_graphs(18, features=4)
    toys.x[::2] = 0.0
    model = fit(name, toys)
    assert torch.isfinite(model.predict_proba(toys)).all()
    assert np.isfinite(model.history_.loss).all()


@every_method
@pytest.mark.parametrize("scale_features", get_args(FeatureScalingName))
def test_sparse_and_dense_features_give_the_same(name, scale_features):
    toys = toy_graphs(18, features=60)
    random = torch.Generator().manual_seed(0)
    x = toys.x * (torch.rand(toys.x.shape, generator=random) < 0.05)
    sets = [replace(toys, x=each) for each in (x, x.to_sparse_csr())]
    dense, sparse = (
        fit(name, graphs, scale_features=scale_features).predict_proba(graphs) for graphs in sets
    )
    torch.testing.assert_close(sparse, dense, rtol=1e-3, atol=1e-3)


@every_method
def test_unseen_graphs(name, toys):
    others = [nx.path_graph(3), nx.cycle_graph(40), nx.star_graph(30)]
    assert fit(name, toys).predict(others).shape == (3,)


@every_method
def test_graphs_that_do_not_fit_the_model(name, toys):
    model = fit(name, toy_graphs(18, features=4))
    with pytest.raises(ModelError, match="trained on 4 features and toys has 5"):
        model.predict(toy_graphs(features=5))
    with pytest.raises(ModelError, match="not fitted yet"):
        make(name).predict(toys)


@every_method
def test_without_classes_or_a_split_it_is_refused(name, toys):
    sentence = (
        rf"{name} is supervised and needs classes and a split of the graphs; measure it with "
        rf"`graphrank evaluate GRAPHS --task graph-classification --method {name}`"
    )
    for given in ((), (toys.y,), (None, split_of(toys))):
        with pytest.raises(ConfigError, match=sentence):
            make(name).fit(toys, *given)


@every_method
def test_it_does_not_pass_for_a_method_of_embeddings(name, toys):
    model = fit(name, toys)
    assert not hasattr(model, "embedding_")
    with pytest.raises(ModelError, match=f"{name} is supervised and predicts classes; use predict"):
        model.transform(toys)


@every_method
def test_classes_that_cannot_be_learnt_from(name, toys):
    split = split_of(toys)
    with pytest.raises(DataError, match="3 labels do not fit 18 graphs; give one for each graph"):
        fit(name, toys, toys.y[:3])
    for part, which in ((split.train, "training"), (split.val, "validation")):
        y = toys.y.clone()
        y[part] = -1
        with pytest.raises(DataError, match=f"no {which} graph has a label"):
            fit(name, toys, y)
    y = toys.y.clone()
    y[split.val[0]] = 5
    with pytest.raises(DataError, match="class 5 has validation graphs and no training graph"):
        fit(name, toys, y)
    with pytest.raises(DataError, match="all training graphs have the class 3; there is nothing"):
        fit(name, toys, torch.full_like(toys.y, 3))


@every_method
def test_given_data_is_not_modified(name):
    toys = toy_graphs(18, features=3)
    before = {key: getattr(toys, key).clone() for key in ("x", "edge_index", "ptr", "y")}
    fit(name, toys).predict(toys)
    for key, value in before.items():
        assert torch.equal(getattr(toys, key), value)


@every_method
def test_every_weight_is_trained_once(name, toys):
    model = fit(name, toys, epochs=0, weight_decay=0.25)
    groups = model.optimizer(model.module_).param_groups
    trained = [id(each) for group in groups for each in group["params"]]
    assert sorted(trained) == sorted(id(each) for each in model.module_.parameters())
    moved = fit(name, toys, epochs=3, stop="none").module_.state_dict()
    still = [
        key
        for key, value in model.module_.named_parameters()
        if torch.equal(moved[key], value.detach())
    ]
    assert still == []


@every_method
def test_scikit_learn_habits_options_and_facts(name, toys):
    model = make(name, seed=3)
    assert clone(model).get_params() == model.get_params()
    assert repr(METHODS[name]()) == f"{METHODS[name].__name__}()"
    assert not hasattr(clone(fit(name, toys)), "prediction_")
    with pytest.raises(ConfigError, match="did you mean 'validation'"):
        make(name, stop="validaton")
    for row in option_rows(METHODS[name]).values():
        assert row.option.help and row.kind_name
        row.check(row.default)
    info = METHODS[name].info
    assert info.name == name and info.level == "graph" and info.paper
    assert info.time.startswith("O(") and info.memory.startswith("O(")


@every_method
def test_on_published_graphs_with_the_authors_settings(name, data_root):
    graphs = load("mutag", data_root=data_root)
    model = make_method(name, "authors", {"epochs": 1}, dataset="mutag")
    split = GraphSplit(*torch.randperm(188, generator=torch.Generator().manual_seed(0)).split(63))
    assert model.fit(graphs, graphs.y, split).prediction_.shape == (188,)
