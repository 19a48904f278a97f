"""What every supervised method of nodes keeps to; a new one is found here by itself.

Those of whole graphs are in ``test_graph_supervised.py``.
"""

import os
import signal
from typing import get_args

import numpy as np
import pytest
import torch
from sklearn.base import clone
from torch.func import functional_call
from torch_geometric.data import Data

from graphrank.augment.views import clean_view
from graphrank.data import NodeSplit
from graphrank.errors import ConfigError, DataError, ModelError
from graphrank.methods.node_supervised import SupervisedNodeMethod
from graphrank.methods.options import option_rows
from graphrank.methods.registry import METHODS, load_model, make_method
from graphrank.nn.scaling import FeatureScalingName
from graphrank.training.loop import Run
from tests.conftest import toy_graph
from tests.nn.reference import make_graph

SUPERVISED = [name for name, kind in METHODS.items() if issubclass(kind, SupervisedNodeMethod)]
SMALL = {"channels": 16, "epochs": 6}

every_method = pytest.mark.parametrize("name", SUPERVISED)


@pytest.fixture
def data():
    return toy_graph(size=20, isolated=3)


def split_of(data, seed=0):
    """A third of the nodes each, at random."""
    order = torch.randperm(data.num_nodes, generator=torch.Generator().manual_seed(seed))
    third = data.num_nodes // 3
    return NodeSplit(order[:third], order[third : 2 * third], order[2 * third :])


def make(name, **settings):
    return METHODS[name](**{**SMALL, **settings})


def fit(name, data, y=None, split=None, run=None, **settings):
    split = split or split_of(data)
    return make(name, **settings).fit(data, data.y if y is None else y, split, run=run)


def same_bits(one, other, data):
    return (
        torch.equal(one.predict_proba(data), other.predict_proba(data))
        and torch.equal(one.prediction_, other.prediction_)
        and one.history_.loss == other.history_.loss
        and one.history_.validation_loss == other.history_.validation_loss
    )


def test_they_are_in_the_registry_and_say_what_they_are():
    assert set(SUPERVISED) == {"gcn", "gat", "appnp"}
    for name, kind in METHODS.items():
        of_nodes = kind.info.family == "supervised" and kind.info.level == "node"
        assert of_nodes is (name in SUPERVISED)


@every_method
def test_fit_and_predict(name, data):
    model = make(name)
    assert model.fit(data, data.y, split_of(data)) is model
    assert model.prediction_.shape == (data.num_nodes,) and model.prediction_.dtype == torch.int64
    assert torch.equal(model.predict(data), model.prediction_)
    chances = model.predict_proba(data)
    assert chances.shape == (data.num_nodes, 2) and not chances.requires_grad
    torch.testing.assert_close(chances.sum(dim=1), torch.ones(data.num_nodes))
    assert torch.equal(model.classes_[chances.argmax(dim=1)], model.prediction_)
    assert model.history_.epochs == len(model.history_.validation_loss) == 6
    assert model.history_.stopped == "epochs"


@every_method
def test_it_learns(name, data):
    split = split_of(data)
    model = fit(name, data, epochs=60, learning_rate=0.02)
    right = model.prediction_ == data.y
    assert right[split.train].double().mean() > 0.9
    assert right[split.test].double().mean() > 0.8
    assert model.history_.loss[-1] < model.history_.loss[0]


@every_method
def test_same_seed_same_bits_and_no_trace_in_the_random_state(name, data):
    torch.manual_seed(123)
    before = torch.get_rng_state()
    first = fit(name, data)
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(321)
    assert same_bits(fit(name, data), first, data)
    assert not same_bits(fit(name, data, seed=1), first, data)


@every_method
def test_labels_of_test_nodes_change_no_bit(name, data):
    """Whatever stands there: other classes, unknown ones, or none."""
    split, clean = split_of(data), fit(name, data)
    others = (
        1 - data.y[split.test],
        torch.full_like(split.test, 10**6),
        -torch.ones_like(split.test),
    )
    for poison in others:
        y = data.y.clone()
        y[split.test] = poison
        assert not torch.equal(y, data.y)
        assert same_bits(fit(name, data, y), clean, data)


@every_method
def test_labels_and_masks_within_the_graph_change_no_bit(name, data):
    clean, y = fit(name, data), data.y.clone()
    data.y = 1 - data.y
    for mask in ("train_mask", "val_mask", "test_mask"):
        data[mask] = torch.ones(data.num_nodes, dtype=torch.bool)
    assert same_bits(fit(name, data, y), clean, data)


@every_method
def test_training_labels_are_learnt_from_and_validation_labels_looked_at(name, data):
    split, clean = split_of(data), fit(name, data)
    y = data.y.clone()
    y[split.train[0]] = 1 - y[split.train[0]]
    assert fit(name, data, y).history_.loss != clean.history_.loss
    y = data.y.clone()
    y[split.val[0]] = 1 - y[split.val[0]]
    looked = fit(name, data, y)
    assert looked.history_.loss == clean.history_.loss
    assert looked.history_.validation_loss != clean.history_.validation_loss


@every_method
def test_nodes_without_a_label_take_no_part(name, data):
    split = split_of(data)
    y = data.y.clone()
    y[split.train[:3]] = -1
    y[split.val[:2]] = -1
    fewer = NodeSplit(split.train[3:], split.val[2:], split.test)
    assert same_bits(fit(name, data, y), fit(name, data, split=fewer), data)


@every_method
def test_labels_need_not_be_counted_from_zero(name, data):
    plain, named = fit(name, data), fit(name, data, 7 + 5 * data.y)
    assert named.classes_.tolist() == [7, 12]
    assert torch.equal(named.prediction_, 7 + 5 * plain.prediction_)
    assert torch.equal(fit(name, data, data.y.numpy()).prediction_, plain.prediction_)


@every_method
def test_losses_are_cross_entropies_of_the_clean_graph(name, data):
    """Without dropout the first loss is that of the start; validation is looked at after it."""
    split = split_of(data)
    still = {
        rate: 0.0 for rate in ("dropout", "attention_dropout") if rate in option_rows(METHODS[name])
    }
    start, after = (fit(name, data, epochs=epochs, **still) for epochs in (0, 1))
    for model, nodes, loss in (
        (start, split.train, after.history_.loss),
        (after, split.val, after.history_.validation_loss),
    ):
        chance = [float(model.predict_proba(data)[node, data.y[node]]) for node in nodes.tolist()]
        assert loss == [pytest.approx(-np.log(chance).mean(), rel=1e-5)]
    right = [int(after.prediction_[node] == data.y[node]) for node in split.val.tolist()]
    assert after.history_.validation_accuracy == [pytest.approx(np.mean(right))]


@every_method
def test_dropout_is_for_training_alone(name, data):
    """The loss of a step is drawn; what is predicted is not."""
    first, second = (fit(name, data, epochs=1, seed=seed) for seed in (0, 1))
    assert first.history_.loss != second.history_.loss
    assert torch.equal(first.predict_proba(data), first.predict_proba(data))


@every_method
def test_the_weights_of_the_best_validation_epoch_are_kept(name, data):
    model = fit(name, data, epochs=40, stop="none", learning_rate=0.05)
    history = model.history_
    assert history.epochs == 40 and history.stopped == "epochs"
    ranks = list(
        zip([-a for a in history.validation_accuracy], history.validation_loss, strict=True)
    )
    best = ranks.index(min(ranks)) + 1
    assert 0 < best < 40
    shorter = fit(name, data, epochs=best, stop="none", learning_rate=0.05)
    assert torch.equal(model.predict_proba(data), shorter.predict_proba(data))
    last = ranks[-1]
    assert ranks[best - 1] < last


@every_method
@pytest.mark.parametrize("patience", [1, 3, 8])
def test_training_stops_when_validation_stands_still(name, data, patience):
    """As a counter that a better loss, or a better accuracy, sets back to zero."""
    whole = fit(name, data, epochs=80, stop="none", learning_rate=0.05).history_
    least, highest, waited, stop = np.inf, -np.inf, 0, 0
    for loss, accuracy in zip(whole.validation_loss, whole.validation_accuracy, strict=True):
        if stop and waited >= patience:
            break
        waited = 0 if loss < least or accuracy > highest else waited + 1
        least, highest, stop = min(least, loss), max(highest, accuracy), stop + 1
    assert 0 < stop < 80
    stopped = fit(name, data, epochs=80, patience=patience, learning_rate=0.05).history_
    assert stopped.epochs == stop and stopped.stopped == "validation"
    assert stopped.validation_loss == whole.validation_loss[:stop]


@every_method
def test_no_edges_and_isolated_nodes(name, data):
    bare = Data(x=data.x, edge_index=torch.empty(2, 0, dtype=torch.long), y=data.y)
    model = fit(name, bare)
    assert torch.isfinite(model.predict_proba(bare)).all()
    assert torch.isfinite(fit(name, data).predict_proba(data)).all()


@every_method
def test_one_node_without_edges(name, data):
    """It is predicted, and learnt from where it may be validated on as well."""
    single = Data(x=data.x[:1], edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=1)
    assert torch.isfinite(fit(name, data).predict_proba(single)).all()
    node, nobody = torch.zeros(1, dtype=torch.long), torch.empty(0, dtype=torch.long)
    with pytest.raises(DataError, match="no validation node has a label; label some or choose"):
        fit(name, single, torch.tensor([1]), NodeSplit(node, nobody, nobody))
    alone = fit(name, single, torch.tensor([1]), NodeSplit(node, node, node))
    assert alone.prediction_.tolist() == [1]
    assert alone.predict_proba(single).tolist() == [[1.0]]


@every_method
def test_constant_columns_and_nodes_without_features(name, data):
    data.x[:, :4], data.x[:, 4:8], data.x[:5] = 3.0, 0.0, 0.0
    assert torch.isfinite(fit(name, data).predict_proba(data)).all()


@every_method
@pytest.mark.parametrize("share", [0.05, 0.5])
@pytest.mark.parametrize("scale_features", get_args(FeatureScalingName))
def test_sparse_and_dense_features_give_the_same(name, data, share, scale_features):
    random = torch.Generator().manual_seed(0)
    drawn = torch.rand(data.num_nodes, 60, generator=random) < share
    data.x = drawn * torch.randint(1, 5, drawn.shape, generator=random).float()
    dense = fit(name, data, scale_features=scale_features).predict_proba(data)
    data.x = data.x.to_sparse_csr()
    sparse = fit(name, data, scale_features=scale_features).predict_proba(data)
    torch.testing.assert_close(sparse, dense, rtol=1e-3, atol=1e-3)


@every_method
def test_save_and_load_to_the_bit(name, data, tmp_path):
    model = fit(name, data, 4 + 3 * data.y)
    model.save(tmp_path / "model")
    for read in (load_model(tmp_path / "model"), METHODS[name].load(tmp_path / "model")):
        assert type(read) is METHODS[name] and read.get_params() == model.get_params()
        assert read.history_ == model.history_ and read.classes_.tolist() == [4, 7]
        assert torch.equal(read.predict_proba(data), model.predict_proba(data))
        assert torch.equal(read.predict(data), model.prediction_)


@every_method
@pytest.mark.parametrize("cut", [1, 4, 9])
def test_interrupted_and_resumed_to_the_bit(name, data, tmp_path, cut):
    """Both the best weights and those to go on from outlive the interruption."""

    def interrupt(epoch, _):
        if epoch == cut:
            os.kill(os.getpid(), signal.SIGINT)

    settings = {"epochs": 12, "learning_rate": 0.05, "stop": "none"}
    whole = fit(name, data, run=Run(directory=tmp_path / "whole"), **settings)
    with pytest.raises(KeyboardInterrupt):
        fit(name, data, run=Run(directory=tmp_path / "cut", on_epoch=interrupt), **settings)
    assert load_model(tmp_path / "cut").history_.epochs == cut
    again = Run(directory=tmp_path / "cut", resume=True)
    assert same_bits(fit(name, data, run=again, **settings), whole, data)
    assert torch.equal(load_model(tmp_path / "cut").predict_proba(data), whole.predict_proba(data))


def test_a_run_on_other_labels_is_not_resumed(data, tmp_path):
    fit("gcn", data, run=Run(directory=tmp_path / "run"))
    y = data.y.clone()
    y[split_of(data).train[0]] = 1 - y[split_of(data).train[0]]
    with pytest.raises(ConfigError, match="was on another graph"):
        fit("gcn", data, y, run=Run(directory=tmp_path / "run", resume=True))


@every_method
def test_unseen_nodes(name, data):
    other = toy_graph(seed=9, size=10)
    prediction = fit(name, data).predict(other)
    assert prediction.shape == (other.num_nodes,)


@every_method
def test_graphs_that_do_not_fit_the_model(name, data):
    model = fit(name, data)
    with pytest.raises(ModelError, match="trained on 16 features and this graph has 5"):
        model.predict(toy_graph(features=5))
    with pytest.raises(ModelError, match="not fitted yet"):
        make(name).predict(data)


def test_structural_features_of_another_graph_are_warned_of(caplog):
    y, split = torch.arange(34) % 2, NodeSplit(*torch.arange(34).split([10, 10, 14]))
    model = make("gcn").fit("karate", y, split)
    model.predict("karate")
    assert "structural" not in caplog.text
    model.predict("sbm:nodes=50,classes=2,features=0")
    assert "structural features of another graph" in caplog.text


@every_method
def test_without_labels_or_a_split_it_is_refused(name, data):
    sentence = (
        rf"{name} is supervised and needs labels and a split.*evaluate GRAPH.*--method {name}"
    )
    for given in ((), (data.y,), (None, split_of(data))):
        with pytest.raises(ConfigError, match=sentence):
            make(name).fit(data, *given)
    with pytest.raises(ConfigError, match="needs labels and a split"):
        make(name).fit_transform(data, None)


@every_method
def test_it_does_not_pass_for_a_method_of_embeddings(name, data):
    model = fit(name, data)
    assert not hasattr(model, "embedding_")
    with pytest.raises(ModelError, match=f"{name} is supervised and predicts classes; use predict"):
        model.transform(data)


@every_method
def test_given_data_is_not_modified(name, data):
    before, split = data.clone(), split_of(data)
    fit(name, data, split=split).predict(data)
    assert set(data.keys()) == set(before.keys())
    assert all(torch.equal(data[key], before[key]) for key in ("x", "y", "edge_index"))
    assert torch.equal(split.train, split_of(data).train)


def test_labels_that_cannot_be_learnt_from(data):
    split = split_of(data)
    with pytest.raises(DataError, match="3 labels do not fit 43 nodes"):
        fit("gcn", data, data.y[:3])
    for part, name in ((split.train, "training"), (split.val, "validation")):
        y = data.y.clone()
        y[part] = -1
        with pytest.raises(DataError, match=f"no {name} node has a label"):
            fit("gcn", data, y)


@every_method
def test_scikit_learn_habits(name, data):
    model = make(name, seed=3)
    copy = clone(model)
    assert copy is not model and copy.get_params() == model.get_params()
    assert model.set_params(seed=7) is model and "seed=7" in repr(model)
    assert repr(METHODS[name]()) == f"{METHODS[name].__name__}()"
    assert not hasattr(clone(fit(name, data)), "prediction_")
    with pytest.raises(ConfigError, match="did you mean 'validation'"):
        make(name, stop="validaton")


@every_method
def test_options_presets_and_facts(name):
    for row in option_rows(METHODS[name]).values():
        assert row.option.help and row.kind_name
        row.check(row.default)
    assert make_method(name).scale_features == "rows"
    info = METHODS[name].info
    assert info.name == name and info.level == "node" and info.paper
    assert info.time.startswith("O(") and info.memory.startswith("O(")


# -- the networks alone ---------------------------------------------------------------------------


def network(name, graph, seed=0, **settings):
    """A network of three classes in double precision, in evaluation mode."""
    torch.manual_seed(seed)
    return make(name, channels=8, **settings).network(graph.num_features, 3).double().eval()


@every_method
@pytest.mark.parametrize("seed", range(3))
def test_scores_follow_a_permutation_of_the_nodes(name, seed):
    edges, weight, x, graph = make_graph(9, seed=seed)
    order = torch.randperm(9, generator=torch.Generator().manual_seed(seed))
    place = order.argsort()
    moved = type(graph)(
        type(graph.features)(x[order]), type(graph.adjacency)(place[edges], 9, weight)
    )
    scores = network(name, graph)(clean_view(graph))
    torch.testing.assert_close(network(name, graph)(clean_view(moved)), scores[order])


@every_method
def test_gradients(name):
    _, _, _, graph = make_graph(5, features=4, seed=3)
    model, view, y = network(name, graph), clean_view(graph), torch.tensor([0, 1, 2, 0, 1])
    names, values = zip(*model.named_parameters(), strict=True)

    def loss(*parameters):
        scores = functional_call(model, dict(zip(names, parameters, strict=True)), (view,))
        return torch.nn.functional.cross_entropy(scores, y)

    assert torch.autograd.gradcheck(loss, tuple(v.detach().requires_grad_() for v in values))


@every_method
def test_every_weight_is_trained_once_and_the_penalty_is_on_some(name, data):
    model = fit(name, data, epochs=0, weight_decay=0.25)
    groups = model.optimizer(model.module_).param_groups
    trained = [id(each) for group in groups for each in group["params"]]
    assert sorted(trained) == sorted(id(each) for each in model.module_.parameters())
    assert {group["weight_decay"] for group in groups} <= {0.25, 0.0}
    chosen = {id(each) for each in model.penalized(model.module_.network)}
    for group in groups:
        for each in group["params"]:
            assert group["weight_decay"] == (0.25 if id(each) in chosen else 0.0)
