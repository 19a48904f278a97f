"""Label-free measures against slow references, known values and what must not change them."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.analysis.label_free import alignment, effective_rank, mean_similarity, uniformity

seeds = st.integers(0, 1000)


def draw(nodes, width, seed=0):
    return torch.randn(nodes, width, generator=torch.Generator().manual_seed(seed))


def unit_rows(z):
    return [row / np.linalg.norm(row) for row in z.double().numpy()]


@given(st.integers(2, 12), st.integers(1, 12), seeds)
def test_effective_rank_equals_numpy(nodes, width, seed):
    z = draw(nodes, width, seed)
    centred = z.double().numpy() - z.double().numpy().mean(axis=0)
    values = np.linalg.svd(centred, compute_uv=False)
    share = values[values > 1e-7 * values.sum()] / values.sum()
    assert effective_rank(z) == pytest.approx(np.exp(-(share * np.log(share)).sum()), rel=1e-3)


def test_effective_rank_of_points_and_lines():
    assert effective_rank(torch.ones(9, 4)) == 0.0
    assert effective_rank(torch.zeros(9, 4)) == 0.0
    line = torch.arange(9.0)[:, None] * torch.tensor([1.0, 2.0, 3.0])
    assert effective_rank(line) == pytest.approx(1.0, abs=1e-3)
    assert effective_rank(1e-4 * line) == pytest.approx(1.0, abs=1e-3)  # scale does not count


@given(st.integers(2, 9), seeds)
def test_mean_similarity_equals_loops(nodes, seed):
    u = unit_rows(draw(nodes, 3, seed))
    pairs = [u[i] @ u[j] for i in range(nodes) for j in range(nodes) if i != j]
    assert mean_similarity(draw(nodes, 3, seed)) == pytest.approx(np.mean(pairs), abs=1e-9)


@given(st.integers(1, 9), seeds, st.sampled_from([1.0, 2.0]))
def test_alignment_equals_loops(nodes, seed, alpha):
    first, second = draw(nodes, 3, seed), draw(nodes, 3, seed + 1)
    pairs = zip(unit_rows(first), unit_rows(second), strict=True)
    expected = np.mean([math.dist(u, v) ** alpha for u, v in pairs])
    assert alignment(first, second, alpha) == pytest.approx(expected, abs=1e-9)


@given(st.integers(2, 9), seeds)
def test_uniformity_equals_loops(nodes, seed):
    u = unit_rows(draw(nodes, 3, seed))
    pairs = [(i, j) for i in range(nodes) for j in range(nodes) if i != j]
    expected = np.log(np.mean([math.exp(-2 * math.dist(u[i], u[j]) ** 2) for i, j in pairs]))
    assert uniformity(draw(nodes, 3, seed)) == pytest.approx(expected, abs=1e-9)


def test_uniformity_in_blocks_equals_one_product():
    z = draw(1100, 4)
    u = torch.nn.functional.normalize(z.double(), dim=1)
    kernel = torch.exp(-2 * torch.cdist(u, u).square())
    expected = (kernel.sum() - kernel.trace()) / (1100 * 1099)
    assert uniformity(z) == pytest.approx(float(expected.log()), abs=1e-9)


def test_sampled_uniformity_is_near_the_exact_one_and_repeats():
    z = draw(3000, 6) + torch.tensor([1.0, 0, 0, 0, 0, 0])
    exact = uniformity(z)
    sampled = uniformity(z, exact_up_to=100, seed=1)
    assert sampled == pytest.approx(exact, abs=0.02)
    assert sampled == uniformity(z, exact_up_to=100, seed=1)
    assert sampled != uniformity(z, exact_up_to=100, seed=2)


@pytest.mark.parametrize("measure", [uniformity, effective_rank, mean_similarity])
@given(seed=seeds, nodes=st.integers(2, 20))
def test_rotation_scale_and_order_of_nodes_do_not_count(measure, seed, nodes):
    z = draw(nodes, 5, seed).double()
    value = measure(z)
    rotation = torch.linalg.qr(draw(5, 5, seed + 1).double()).Q
    order = torch.randperm(nodes, generator=torch.Generator().manual_seed(seed))
    assert measure(z @ rotation) == pytest.approx(value, rel=1e-3, abs=1e-9)
    assert measure(7 * z) == pytest.approx(value, rel=1e-3, abs=1e-9)
    assert measure(z[order]) == pytest.approx(value, rel=1e-3, abs=1e-9)


def test_a_collapsed_embedding_shows_in_all_of_them():
    z = torch.full((50, 8), 0.3)
    assert uniformity(z) == pytest.approx(0, abs=1e-9)
    assert uniformity(z, exact_up_to=10) == pytest.approx(0, abs=1e-9)
    assert effective_rank(z) == 0.0
    assert mean_similarity(z) == pytest.approx(1)
    assert alignment(z, z) == 0.0


def test_an_orthonormal_embedding():
    z = torch.eye(6)
    assert uniformity(z) == pytest.approx(-4)  # every squared distance is 2
    assert effective_rank(z) == pytest.approx(5, abs=1e-3)  # centring takes one direction
    assert mean_similarity(z) == pytest.approx(0)
    assert alignment(z, -z) == pytest.approx(4)


def test_rows_of_zeros_and_single_nodes_are_no_accident():
    z = torch.cat([torch.zeros(2, 3), torch.eye(3)])
    assert math.isfinite(uniformity(z)) and math.isfinite(mean_similarity(z))
    assert uniformity(torch.ones(1, 3)) == 0.0
    assert mean_similarity(torch.ones(1, 3)) == 0.0
