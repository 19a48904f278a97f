import numpy as np
import pytest
import torch

from graphrank.methods.controls import RawFeatures, Smoothing, Untrained
from graphrank.methods.graphrank import GraphRank
from graphrank.training.loop import Run
from tests.conftest import toy_graph


def smoothed(data, rank, hops):
    """Truncated SVD, propagation, unit rows, side by side: plain numpy in double precision."""
    x = data.x.double().numpy()
    matrix = np.eye(data.num_nodes)
    matrix[data.edge_index[1], data.edge_index[0]] = 1.0
    degree = matrix.sum(axis=1)
    matrix = matrix / np.sqrt(degree[:, None] * degree[None, :])
    basis = np.linalg.svd(x, full_matrices=False)[2][:rank].T
    hidden, parts = x @ basis, []
    for _ in range(hops + 1):
        parts.append(hidden / np.linalg.norm(hidden, axis=1, keepdims=True))
        hidden = matrix @ hidden
    return np.concatenate(parts, axis=1)


@pytest.mark.parametrize(("rank", "hops"), [(5, 2), (16, 0), (64, 3)])
def test_smoothing_equals_numpy(toy, rank, hops):
    """Singular vectors have free signs: inner products of the rows do not depend on them."""
    model = Smoothing(rank=rank, num_hops=hops, scale_features="none").fit(toy)
    found, expected = model.embedding_.double().numpy(), smoothed(toy, rank, hops)
    assert found.shape == (toy.num_nodes, min(rank, 16) * (hops + 1))
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-4)


def test_smoothing_of_unseen_nodes_uses_the_basis_of_training(toy):
    model = Smoothing(rank=4, scale_features="none").fit(toy)
    other = toy_graph(seed=3)
    whole = Smoothing(rank=4, scale_features="none").fit(other)
    basis = model.module_.basis.clone()
    assert not torch.allclose(model.transform(other), whole.embedding_)
    assert torch.equal(model.module_.basis, basis)


def test_raw_features_are_the_features(toy):
    assert torch.equal(RawFeatures(scale_features="none").fit(toy).embedding_, toy.x)


def test_untrained_is_graphrank_before_its_first_step(toy):
    calls = []
    untrained = Untrained(channels=8, epochs=50).fit(
        toy, run=Run(on_epoch=lambda *given: calls.append(given))
    )
    at_start = GraphRank(channels=8, epochs=0, init="random").fit(toy)
    assert torch.equal(untrained.embedding_, at_start.embedding_)
    assert calls == [] and untrained.history_.epochs == 0
    assert untrained.module_.seen.numel() == 0
    assert not torch.allclose(
        GraphRank(channels=8, epochs=3).fit(toy).embedding_, at_start.embedding_
    )
