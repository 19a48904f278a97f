"""Scaling of features, which all methods share; the rest of the base is in the contract tests."""

import json

import pytest
import torch

from graphrank.errors import ConfigError
from graphrank.methods.controls import RawFeatures
from graphrank.methods.graphrank import GraphRank
from graphrank.methods.registry import load_model
from graphrank.nn.scaling import ColumnScaling
from tests.conftest import toy_graph


def z_scored(x, mean, deviation):
    return (x - mean) / deviation


def test_standard_scaling_is_the_z_score_of_the_training_graph(toy):
    toy.x = toy.x * torch.linspace(1, 1000, 16) + 50
    model = RawFeatures(scale_features="standard").fit(toy)
    x = toy.x.double()
    mean, deviation = x.mean(dim=0), x.var(dim=0, correction=0).sqrt()
    expected = z_scored(x, mean, deviation).float()
    torch.testing.assert_close(model.embedding_, expected, rtol=1e-3, atol=1e-4)
    other = toy_graph(seed=4)
    found = model.transform(other)
    torch.testing.assert_close(
        found, z_scored(other.x.double(), mean, deviation).float(), rtol=1e-3, atol=1e-4
    )


def test_constant_columns_are_centred_and_not_blown_up(toy):
    toy.x[:, 0] = 0.1
    embedding = RawFeatures(scale_features="standard").fit(toy).embedding_
    assert embedding[:, 0].abs().max() < 1e-6


@pytest.mark.parametrize(
    ("change", "scaled"),
    [
        (lambda x: x * 100, True),
        (lambda x: x.clamp(0, 1), False),
        (lambda x: (x > 2.8) * 7.0, False),
    ],
    ids=["large numbers", "within one", "few counts"],
)
def test_auto_scales_what_needs_it(toy, change, scaled):
    toy.x = change(toy.x)
    auto = RawFeatures().fit(toy).embedding_
    kept = RawFeatures(scale_features="none").fit(toy).embedding_
    assert torch.equal(kept, toy.x)
    assert torch.equal(auto, kept) != scaled


def test_scaling_is_saved_with_the_model(toy, tmp_path):
    toy.x = toy.x * 100
    model = GraphRank(channels=8, epochs=2, scale_features="standard").fit(toy)
    model.save(tmp_path / "model")
    other = toy_graph(seed=4)
    assert torch.equal(load_model(tmp_path / "model").transform(other), model.transform(other))


def words(share, seed=0):
    """A graph whose features are presences of 50 words."""
    graph = toy_graph(seed=seed)
    drawn = torch.rand(graph.num_nodes, 50, generator=torch.Generator().manual_seed(seed))
    graph.x = (drawn < share).float()
    return graph


@pytest.mark.parametrize("sparse", [False, True])
def test_rows_have_length_one_where_features_are_sparse(sparse):
    graph = words(0.05)
    length = graph.x.square().sum(dim=1, keepdim=True).sqrt()
    expected = torch.where(length > 0, graph.x / length.clamp_min(1), 0.0)
    if sparse:
        graph.x = graph.x.to_sparse_csr()
    found = RawFeatures(scale_features="auto-l2").fit(graph).embedding_
    assert (length > 1).any()  # else there is nothing to see
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("factor", [1.0, 100.0])
def test_dense_features_are_scaled_as_by_auto(factor):
    graph = words(0.5)
    graph.x = graph.x * factor
    found = RawFeatures(scale_features="auto-l2").fit(graph).embedding_
    assert torch.equal(found, RawFeatures(scale_features="auto").fit(graph).embedding_)


@pytest.mark.parametrize(("trained_on", "embedded"), [(0.05, 0.5), (0.5, 0.05)])
def test_the_training_graph_decides_how_rows_of_others_are_scaled(trained_on, embedded, tmp_path):
    model = RawFeatures(scale_features="auto-l2").fit(words(trained_on))
    other = words(embedded, seed=1)
    found = model.transform(other)
    is_unit = torch.allclose(found.norm(dim=1)[other.x.any(dim=1)], torch.tensor(1.0))
    assert is_unit == (trained_on < 0.12)
    model.save(tmp_path / "model")
    assert torch.equal(load_model(tmp_path / "model").transform(other), found)


def test_amounts_among_sparse_features_are_z_scored_before_rows_have_length_one():
    graph = words(0.05)
    graph.x[:, 7] = torch.linspace(1_000, 90_000, graph.num_nodes)
    found = RawFeatures(scale_features="auto-l2").fit(graph).embedding_
    columns = RawFeatures(scale_features="auto").fit(graph).embedding_
    torch.testing.assert_close(found, torch.nn.functional.normalize(columns, dim=1))
    assert columns[:, 7].abs().max() < 3


def test_models_from_before_rows_had_length_one_keep_their_scale(toy, tmp_path):
    toy.x = toy.x * 100
    model = RawFeatures(scale_features="standard").fit(toy)
    tensors = model.scaling_.to_tensors()
    del tensors["unit_rows"]
    assert torch.equal(ColumnScaling.from_tensors(tensors).apply(toy.x), model.embedding_)


def test_seed_fits_every_generator():
    GraphRank(seed=2**32 - 1)
    with pytest.raises(ConfigError, match="out of range"):
        GraphRank(seed=2**32)


def test_a_stored_option_that_is_not_known(toy, tmp_path):
    RawFeatures().fit(toy).save(tmp_path / "model")
    manifest = json.loads((tmp_path / "model/model.json").read_text())
    manifest["params"]["rnak"] = 3
    (tmp_path / "model/model.json").write_text(json.dumps(manifest))
    with pytest.raises(ConfigError, match="no option of RawFeatures 'rnak'"):
        load_model(tmp_path / "model")


def test_a_model_from_another_device_loads_on_this_one(toy, tmp_path):
    model = GraphRank(channels=4, epochs=1).fit(toy)
    model.save(tmp_path / "model")
    manifest = tmp_path / "model" / "model.json"
    stored = json.loads(manifest.read_text())
    stored["params"]["device"] = "cuda:99"
    manifest.write_text(json.dumps(stored))
    loaded = GraphRank.load(tmp_path / "model")
    assert loaded.device == "auto"
    assert torch.equal(loaded.transform(toy), model.embedding_)
