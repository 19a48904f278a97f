import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.spectrum import Spectrum


def example(nodes=40, channels=7, seed=0):
    random = torch.Generator().manual_seed(seed)
    sizes = torch.logspace(0, 2, channels)
    return torch.randn(nodes, channels, generator=random).double() * sizes


def flattened(z, power, rank=512):
    return Spectrum.of(z, rank).flattened(power)


def test_whitened_directions_have_one_size_before_they_are_centred():
    z = F.normalize(example(), dim=1)
    flat = flattened(z, 1.0)
    shift = flat - flat.mean(dim=0)
    torch.testing.assert_close(shift, flat)  # centred
    _, sizes, vectors = torch.linalg.svd(z, full_matrices=False)
    turned = z @ vectors.T / sizes
    expected = turned - turned.mean(dim=0)
    torch.testing.assert_close((flat @ flat.T), expected @ expected.T)


def test_power_zero_keeps_all_distances():
    z = F.normalize(example(), dim=1)
    torch.testing.assert_close(torch.cdist(flattened(z, 0.0), flattened(z, 0.0)), torch.cdist(z, z))


@given(power=st.floats(0, 1), scale=st.floats(0.01, 100), seed=st.integers(0, 20))
def test_the_scale_of_the_embedding_does_not_matter(power, scale, seed):
    z = example(seed=seed)
    first, second = flattened(z, power), flattened(scale * z, power)
    torch.testing.assert_close(first @ first.T, second @ second.T, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("power", [0.5, 1.0])
def test_missing_directions_and_zero_rows_stay_finite(power):
    z = example()
    z[:, 3] = z[:, 2]
    z[5] = 0.0
    assert torch.isfinite(flattened(z, power)).all()
    assert torch.isfinite(flattened(torch.zeros(5, 3), power)).all()
    assert flattened(torch.ones(1, 3), power).shape == (1, 3)


def test_only_the_leading_directions_are_kept():
    assert flattened(example(channels=30), 0.5, rank=4).shape == (40, 4)
