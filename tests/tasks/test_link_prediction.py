"""The task: what a method may see, what is scored, and that nothing held out gets through."""

import numpy as np
import pytest
import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from torch_geometric.data import Data

from graphrank import Experiment, evaluate, load
from graphrank.data import ColumnNames
from graphrank.data.negatives import PairSet, sample_non_edges
from graphrank.errors import ConfigError, DataError
from graphrank.methods.registry import METHODS
from graphrank.methods.supervised import SupervisedMethod
from graphrank.tasks.link_blend import blend_validation_auc, fit_blend
from graphrank.tasks.link_prediction import LinkPrediction
from graphrank.tasks.link_scores import SeenGraph, choose_scorer
from graphrank.tasks.registry import make_task
from tests.methods.test_contract import SMALL

CLEAN = [
    "edges-85-5-10",
    "edges-70-20-10",
    "edges-85-5-10-decoder",
    "edges-70-20-10-decoder",
    "edges-label-aware",
]


@pytest.fixture(scope="module")
def graph():
    return load("sbm:nodes=120,classes=3,features=8,degree=8,signal=4")


def split_of(data, name="edges-85-5-10", seed=0, **options):
    task = LinkPrediction(**options)
    return task, task.split(data, task.protocol(name, data), seed)


def poisoned(data, split):
    """The graph with every held-out edge replaced by one that was not there."""
    fresh = sample_non_edges(
        PairSet.of(data.edge_index, data.num_nodes),
        split.edges.val.size(1) + split.edges.test.size(1),
        torch.Generator().manual_seed(99),
    )
    edge_index = torch.cat([split.edges.edge_index, fresh, fresh.flip(0)], dim=1)
    changed = Data(edge_index=edge_index, num_nodes=data.num_nodes)
    for name, value in data.to_dict().items():
        if name not in ("edge_index", "num_nodes"):
            changed[name] = value
    if data.get("edge_weight") is not None:
        changed.edge_weight = torch.full((edge_index.size(1),), 1e6)
    return changed


@pytest.mark.parametrize("protocol", CLEAN)
def test_only_training_edges_are_visible(graph, protocol):
    task, split = split_of(graph, protocol)
    seen = task.visible(graph, split)
    assert seen.get("y") is None and torch.equal(seen.x, graph.x)
    known = PairSet.of(seen.edge_index, graph.num_nodes)
    assert torch.equal(known.pairs, split.edges.train)
    assert not known.contains(torch.cat([split.edges.val, split.edges.test], dim=1)).any()
    assert torch.equal(graph.edge_index, load(graph.name).edge_index)


@pytest.mark.parametrize("protocol", ["edges-85-5-10", "edges-70-20-10", "edges-label-aware"])
@pytest.mark.parametrize(
    "name",
    [
        name
        for name, kind in METHODS.items()
        if kind.info.level == "node" and not issubclass(kind, SupervisedMethod)
    ],
)
def test_held_out_edges_change_no_bit_of_the_embedding(graph, name, protocol):
    task, split = split_of(graph, protocol)
    method = METHODS[name](**SMALL.get(name, {}))
    clean = method.fit(task.visible(graph, split)).embedding_
    changed = poisoned(graph, split)
    assert not torch.equal(changed.edge_index, graph.edge_index)
    assert torch.equal(method.fit(task.visible(changed, split)).embedding_, clean)


def test_features_derived_from_the_edges_do_not_carry_them_over():
    data = load("karate")
    assert data.feature_source == "structural"
    task, split = split_of(data)
    method = METHODS["smoothing"](rank=8)
    clean = method.fit(task.visible(data, split)).embedding_
    changed = poisoned(data, split)
    changed.x = torch.randn_like(data.x)
    assert torch.equal(method.fit(task.visible(changed, split)).embedding_, clean)
    bare = load(Data(edge_index=split.edges.edge_index, num_nodes=data.num_nodes))
    assert torch.equal(METHODS["smoothing"](rank=8).fit(bare).embedding_, clean)


def test_weights_of_held_out_edges_do_not_get_through(graph):
    data = graph.clone()
    row, col = data.edge_index
    data.edge_weight = 1.0 + ((row + col) % 5).float()
    task, split = split_of(data)
    seen = task.visible(data, split)
    assert torch.equal(seen.edge_weight, 1.0 + (seen.edge_index.sum(dim=0) % 5).float())
    method = METHODS["smoothing"](rank=4)
    clean = method.fit(seen).embedding_
    assert torch.equal(method.fit(task.visible(poisoned(data, split), split)).embedding_, clean)


def test_the_leaky_protocol_leaks_and_says_so(graph):
    task, split = split_of(graph, "edges-leaky")
    assert torch.equal(task.visible(graph, split).edge_index, graph.edge_index)
    honest = split_of(graph)[1]
    assert torch.equal(split.edges.test, honest.edges.test)
    diagnostic = {name for name, each in task.protocols.items() if each.diagnostic}
    assert diagnostic == {"edges-leaky", "edges-label-aware"}


def test_the_label_aware_protocol(graph):
    _, split = split_of(graph, "edges-label-aware")
    y, edges = graph.y, split.edges
    for part in (edges.train, edges.val, edges.test, edges.edge_index):
        assert (y[part[0]] == y[part[1]]).all()
    for part in (edges.val_negatives, edges.test_negatives):
        assert (y[part[0]] != y[part[1]]).all()
    hidden = graph.clone()
    hidden.y[:20] = -1
    for part in vars(split_of(hidden, "edges-label-aware")[1].edges).values():
        assert part is None or (hidden.y[part] >= 0).all()
    with pytest.raises(DataError, match="edges-label-aware needs a label"):
        split_of(Data(edge_index=graph.edge_index, num_nodes=120), "edges-label-aware")


@pytest.mark.parametrize("scorer", ["dot", "degree-cosine", "auto"])
def test_figures_are_those_of_the_chosen_scores(graph, scorer):
    task, split = split_of(graph, scorer=scorer)
    z = torch.randn(120, 5, generator=torch.Generator().manual_seed(1)) + torch.eye(5)[graph.y]
    edges = split.edges
    seen = SeenGraph(edges.edge_index, 120)
    chosen = choose_scorer(scorer, z, seen, edges.val, edges.val_negatives)
    pairs = torch.cat([edges.test, edges.test_negatives], dim=1)
    truth = np.repeat([1, 0], edges.test.size(1))
    figures = task.evaluate(z, graph, split, 0)
    assert tuple(figures) == task.metrics
    assert figures["auc"] == pytest.approx(100 * roc_auc_score(truth, chosen(pairs)))
    assert figures["ap"] == pytest.approx(100 * average_precision_score(truth, chosen(pairs)))
    assert figures == task.evaluate(z, graph, split, 0)
    val = torch.cat([edges.val, edges.val_negatives], dim=1)
    expected = roc_auc_score(np.repeat([1, 0], edges.val.size(1)), chosen(val))
    assert task.validate(z, graph, split, 0) == pytest.approx(100 * expected)


def test_figures_of_a_blend_are_of_weights_from_the_validation_pairs(graph):
    task, split = split_of(graph)
    z = torch.randn(120, 5, generator=torch.Generator().manual_seed(1)) + torch.eye(5)[graph.y]
    edges = split.edges
    given = (z, SeenGraph(edges.edge_index, 120), edges.val, edges.val_negatives)
    scores = fit_blend(*given)(torch.cat([edges.test, edges.test_negatives], dim=1))
    truth = np.repeat([1, 0], edges.test.size(1))
    assert task.evaluate(z, graph, split, 0)["auc"] == pytest.approx(
        100 * roc_auc_score(truth, scores)
    )
    assert task.validate(z, graph, split, 0) == 100 * blend_validation_auc(*given)


@pytest.mark.parametrize("protocol", ["edges-85-5-10", "edges-85-5-10-decoder"])
def test_what_scores_does_not_depend_on_the_test_edges(graph, protocol):
    task, split = split_of(graph, protocol)
    z = torch.randn(120, 5, generator=torch.Generator().manual_seed(1))
    turned = type(split.edges)(
        **{
            **vars(split.edges),
            "test": split.edges.test_negatives,
            "test_negatives": split.edges.test,
        }
    )
    other = type(split)(turned, split.plan)
    auc = task.evaluate(z, graph, split, 0)["auc"]
    assert task.evaluate(z, graph, other, 0)["auc"] == pytest.approx(100 - auc)
    assert task.validate(z, graph, other, 0) == task.validate(z, graph, split, 0)


@pytest.mark.parametrize("protocol", LinkPrediction.protocols)
def test_the_runner_runs_every_protocol(graph, protocol):
    experiment = Experiment(
        task="link-prediction", methods=("smoothing",), protocol=protocol, seeds=(0, 1)
    )
    (result,) = evaluate(graph, experiment, progress=False)
    assert result.config["task"] == {"scorer": "blend"}
    assert result.diagnostic == LinkPrediction.protocols[protocol].diagnostic
    assert all(60 < value <= 100 for value in result.values["auc"])
    assert all(0 <= value <= 100 for values in result.values.values() for value in values)


def test_the_best_epoch_can_be_chosen_on_validation_edges(graph):
    experiment = Experiment(
        task="link-prediction",
        seeds=(0,),
        settings={"epochs": 4, "channels": 8},
        epoch_selection="validation",
        select_every=2,
    )
    (result,) = evaluate(graph, experiment, progress=False)
    assert result.values["auc"][0] > 50


def test_options_and_default():
    assert make_task("link-prediction", {"scorer": "dot"}).scorer == "dot"
    assert LinkPrediction().default_protocol(Data()) == "edges-85-5-10"
    with pytest.raises(ConfigError, match="did you mean 'centred-dot'"):
        make_task("link-prediction", {"scorer": "centered-dot"})


def test_negatives_go_across_where_nodes_are_of_two_kinds():
    random = torch.Generator().manual_seed(0)
    weight = (torch.rand(12, 30, generator=random) < 0.3).double()
    data = load(weight, columns=ColumnNames(bipartite=True))
    _, split = split_of(data)
    for negatives in (split.edges.val_negatives, split.edges.test_negatives):
        kinds = data.node_kind[negatives]
        assert negatives.size(1) and (kinds[0] != kinds[1]).all()
    # The kinds alone tell nothing: all pairs across score the same, those of one kind more.
    embedding = 2.0 * data.node_kind[:, None].float() - 1
    figures = LinkPrediction(scorer="dot").evaluate(embedding, data, split, seed=0)
    assert figures["auc"] == figures["ap"] == 50
    assert figures["mrr"] >= 100 / 51  # level with a hundred strangers, below none
