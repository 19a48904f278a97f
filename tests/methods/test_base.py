"""Scaling of features, which all methods share; the rest of the base is in the contract tests."""

import json

import pytest
import torch

from graphrank.errors import ConfigError
from graphrank.methods.controls import RawFeatures
from graphrank.methods.graphrank import GraphRank
from graphrank.methods.registry import load_model
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
