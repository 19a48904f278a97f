"""A fitted model finds its feature columns by name, whatever their order."""

import logging

import pandas as pd
import pytest
import torch

from graphrank import GraphRank, load
from graphrank.errors import ModelError
from graphrank.methods.matching import match_features

EDGES = pd.DataFrame({"source": list("abcd"), "target": list("bcda")})
NODES = pd.DataFrame(
    {
        "id": list("abcd"),
        "size": [1.0, None, 3.0, 2.0],
        "color": ["red", "green", "blue", "red"],
        "age": [0.1, 0.2, 0.3, 0.5],
    }
)
NAMES = ["size", "size is missing", "color=blue", "color=green", "color=red", "age"]


def graph(nodes):
    return load(EDGES, features=nodes)


@pytest.fixture(scope="module")
def model():
    return GraphRank(seed=0, epochs=1, mlp=0, structure=0).fit(graph(NODES))


def test_columns_in_another_order_have_the_same_embedding(model):
    assert model.feature_names_ == NAMES
    turned = NODES[["id", "age", "color", "size"]]
    assert torch.equal(model.transform(graph(turned)), model.transform(graph(NODES)))


def test_a_value_that_nobody_has_is_a_column_of_zeros(model, caplog):
    caplog.set_level(logging.INFO, "graphrank")
    fewer = NODES.assign(color=["red", "green", "green", "red"], size=[1.0, 2.0, 3.0, 2.0])
    data = graph(fewer)
    matched = match_features(data, model)
    assert matched.feature_names == NAMES and data.num_features == 4
    assert torch.equal(matched.x[:, 1:3], torch.zeros(4, 2))
    assert "2 values of words do not occur here (size is missing, color=blue)" in caplog.text
    assert torch.isfinite(model.transform(data)).all()


def test_a_value_that_training_had_not_seen_is_left_out(model, caplog):
    data = graph(NODES.assign(color=["red", "green", "blue", "pink"]))
    matched = match_features(data, model)
    assert matched.feature_names == NAMES
    assert "1 feature columns unknown to the model left out (color=pink)" in caplog.text
    assert matched.x[3, 2:5].tolist() == [0, 0, 0]


def test_sparse_features_are_matched_as_well(model):
    data = graph(NODES.assign(color=["red", "green", "green", "red"]))
    expected = match_features(data, model).x
    data.x = data.x.to_sparse_csr()
    assert torch.equal(match_features(data, model).x.to_dense(), expected)


def test_a_column_that_is_no_mark_must_be_there(model):
    with pytest.raises(ModelError, match=r"lacks 1 of the model's 6 feature columns \(age\)"):
        model.transform(graph(NODES.drop(columns="age")))
    with pytest.raises(ModelError, match=r"lacks 3 .*\(color=blue, color=green, color=red\)"):
        model.transform(graph(NODES.drop(columns="color")))


def test_numbers_without_names_are_taken_in_their_order(model):
    data = graph(NODES)
    del data.feature_names
    assert torch.equal(model.transform(data), model.transform(graph(NODES)))
