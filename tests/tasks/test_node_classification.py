import pytest
import torch
from torch_geometric.data import Data

from graphrank.errors import ConfigError, DataError
from graphrank.tasks import node_classification as module
from graphrank.tasks.node_classification import NodeClassification
from graphrank.tasks.probes import ProbeResult
from tests.conftest import toy_graph


def with_masks(data):
    for place, name in enumerate(("train_mask", "val_mask", "test_mask")):
        data[name] = torch.arange(data.num_nodes) % 3 == place
    return data


def split_of(data, protocol=None, seed=0):
    task = NodeClassification()
    return task.split(data, task.protocol(protocol, data), seed)


def test_the_public_split_is_the_default_where_there_is_one():
    task = NodeClassification()
    assert task.protocol(None, toy_graph()).name == "random-10-10-80"
    assert task.protocol(None, with_masks(toy_graph())).name == "public"
    with pytest.raises(ConfigError, match="did you mean 'public'"):
        task.protocol("pubilc", toy_graph())


def test_public_is_the_masks_whatever_the_seed():
    data = with_masks(toy_graph())
    for seed in (0, 7):
        split = split_of(data, "public", seed)
        assert split.train.tolist() == list(range(0, data.num_nodes, 3))
        assert split.val.tolist() == list(range(1, data.num_nodes, 3))
        assert split.test.tolist() == list(range(2, data.num_nodes, 3))
    with pytest.raises(DataError, match="no public split"):
        split_of(toy_graph(), "public")


def test_random_is_redrawn_for_each_seed():
    data = toy_graph(size=50, isolated=0)
    first, again, other = (split_of(data, seed=seed) for seed in (0, 0, 1))
    assert [len(part) for part in (first.train, first.val, first.test)] == [10, 10, 80]
    assert sorted(torch.cat([first.train, first.val, first.test]).tolist()) == list(range(100))
    assert torch.equal(first.train, again.train) and not torch.equal(first.train, other.train)


@pytest.mark.parametrize("protocol", ["public", "random-10-10-80"])
def test_nodes_without_a_label_take_no_part(protocol):
    data = with_masks(toy_graph(size=50, isolated=0))
    data.y[::7] = -1
    split = split_of(data, protocol)
    everyone = torch.cat([split.train, split.val, split.test])
    assert int(data.y[everyone].min()) >= 0
    assert everyone.numel() == int((data.y >= 0).sum())
    embedding = torch.nn.functional.one_hot(data.y.clamp_min(0), 2).float()
    for probe in ("logistic", "adam"):
        scores = NodeClassification(probe).evaluate(embedding, data, split, 0)
        assert scores["accuracy"] == 100.0


def test_graphs_that_cannot_be_classified():
    with pytest.raises(DataError, match="needs a label for each node"):
        split_of(Data(num_nodes=30))
    with pytest.raises(DataError, match="all 30 labelled nodes have the same label"):
        split_of(Data(num_nodes=30, y=torch.zeros(30, dtype=torch.long)))
    with pytest.raises(DataError, match="no node has a label"):
        split_of(Data(num_nodes=30, y=torch.full((30,), -1)))
    for own in (torch.arange(30), torch.arange(30).clamp_max(15)):
        with pytest.raises(DataError, match="different labels, which are no classes; name"):
            split_of(Data(num_nodes=30, y=own))
    with pytest.raises(DataError, match="needs 10 labelled nodes at least and the graph has 4"):
        split_of(Data(num_nodes=4, y=torch.tensor([0, 1, 0, 1])))
    rare = torch.zeros(30, dtype=torch.long)
    rare[split_of(toy_graph(size=15, isolated=0)).test[0]] = 1
    with pytest.raises(DataError, match="the 3 training nodes of seed 0 all have one label"):
        split_of(Data(num_nodes=30, y=rare))


def test_an_unknown_probe():
    with pytest.raises(ConfigError, match="did you mean 'logistic'"):
        NodeClassification("logistik")


def test_figures_are_those_of_the_test_nodes(monkeypatch):
    """Accuracy and macro-F1 counted by hand, for predictions that are wrong here and there."""
    data = toy_graph(groups=3, size=20, isolated=0)
    split = split_of(data)
    random = torch.Generator().manual_seed(0)
    predicted = torch.where(
        torch.rand(60, generator=random) < 0.3, torch.randint(3, (60,), generator=random), data.y
    )
    monkeypatch.setitem(module.PROBES, "fixed", lambda *_: ProbeResult(predicted, 0.25, {}))
    task = NodeClassification("fixed")
    scores = task.evaluate(torch.zeros(60, 2), data, split, 0)
    expected, found = data.y[split.test].tolist(), predicted[split.test].tolist()
    right = [e == f for e, f in zip(expected, found, strict=True)]
    assert scores["accuracy"] == pytest.approx(100 * sum(right) / len(right))
    f1 = []
    for label in range(3):
        both = sum(e == f == label for e, f in zip(expected, found, strict=True))
        f1.append(2 * both / (expected.count(label) + found.count(label)))
    assert scores["macro_f1"] == pytest.approx(100 * sum(f1) / 3)
    assert set(scores) == set(NodeClassification.metrics)
    assert task.validate(torch.zeros(60, 2), data, split, 0) == 25.0


def test_methods_see_no_labels():
    data = with_masks(toy_graph())
    visible = NodeClassification().visible(data, split_of(data))
    assert not {"y", "train_mask", "val_mask", "test_mask"} & set(visible.keys())
    assert visible.x is data.x and "y" in data


def test_predictions_are_scored_as_those_of_a_probe():
    """A supervised method's predictions and a probe's go through the same count."""
    data = toy_graph(size=30, isolated=0)
    split = split_of(data)
    prediction = data.y.clone()
    prediction[split.test[:3]] = 1 - prediction[split.test[:3]]
    prediction[split.train] = 1 - prediction[split.train]  # does not count
    scores = NodeClassification().score(prediction, data, split)
    assert scores["accuracy"] == pytest.approx(100 * (1 - 3 / split.test.numel()))
    assert set(scores) == set(NodeClassification.metrics)


def test_supervised_methods_see_labels_of_training_and_validation_nodes():
    data = with_masks(toy_graph())
    split = split_of(data)
    before = data.y.clone()
    labels = NodeClassification().visible_labels(data, split)
    for node in range(data.num_nodes):
        hidden = node in split.test.tolist()
        assert labels[node] == (-1 if hidden else data.y[node])
    assert torch.equal(data.y, before)


def test_few_labels_have_a_split_of_their_own():
    y = torch.full((100,), -1)
    y[10:30] = torch.arange(20) % 2
    task = NodeClassification()
    protocol = task.protocols["random-60-20-20"]
    split = task.split(Data(num_nodes=100, y=y), protocol, 0)
    assert [len(part) for part in (split.train, split.val, split.test)] == [12, 4, 4]
    together = torch.cat([split.train, split.val, split.test])
    assert together.sort().values.tolist() == list(range(10, 30))
